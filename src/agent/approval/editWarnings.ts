import type { EditPlan } from '../../workspace/plans';
import { findEditHazards } from './editHazards';

/** What a person should know about an edit before they allow it, beyond its diff. For people, one sentence each. */
export function editWarnings(plan: EditPlan): readonly string[] {
  const { match, lostLines, before } = plan;
  const warnings: string[] = [];
  if (match === 'near') {
    warnings.push('The model misquoted these lines. This is the nearest place; check that it is the right one.');
  }
  if (lostLines !== undefined && before !== null) {
    const total = before.split('\n').length - (before.endsWith('\n') ? 1 : 0);
    warnings.push(`The file loses ${lostLines} of its ${total} lines.`);
  }
  return [...warnings, ...findEditHazards(plan).map(({ warning }) => warning)];
}
