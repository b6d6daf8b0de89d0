import { assertNever } from '../../util/assertNever';
import { visibleText } from '../../util/text/visibleText';
import { isReadingProtected, protectionOf } from '../../workspace/paths/protectedPaths';
import type { EditPlan, GuardedPath } from '../../workspace/plans';
import type { PermissionMode } from '../view/permissionModes';
import { isOrdinaryEdit, type SinglePlan } from './approvablePlan';
import { findEditHazards } from './editHazards';

// Why a call asks, for people. The reason for a command comes from workspace/shell/commandReasons.ts.

/**
 * Why a plan always asks and only an answer to this very question counts: a path outside the workspace, or a file that
 * can run programs or hold secrets. `undefined`: it does not.
 */
export function whySensitive(plan: SinglePlan): string | undefined {
  switch (plan.kind) {
    case 'read':
      if (!isReadingProtected(plan.target)) return undefined;
      return `${whyProtected(plan.target)}, so ${plan.isFor === 'edit' ? READING_FOR_EDIT : 'reading it always asks'}`;
    case 'edit':
      if (plan.target.pathInRoot === null) return `${outside(plan.target)}, so changing it always asks`;
      if (protectionOf(plan.target) !== 1) return undefined;
      if (plan.target.alsoNamed === 'unknown') return `${withUnknownNames(plan.target)}, so changing it always asks`;
      return `${describeTarget(plan.target)} can run programs or hold secrets, so changing it always asks`;
    case 'command':
      if (!isReadingProtected(plan.cwd)) return undefined;
      return `${whyProtected(plan.cwd)}, so running a command there always asks`;
    case 'mcp':
    case 'extension':
      return undefined;
    default:
      return assertNever(plan);
  }
}

const READING_FOR_EDIT = 'looking at it to plan an edit asks first. You decide about the edit itself afterwards';

function whyProtected(target: GuardedPath): string {
  if (target.alsoNamed === 'unknown') return withUnknownNames(target);
  return target.pathInRoot === null ? outside(target) : `${describeTarget(target)} may hold secrets`;
}

/** Why an edit of a manifest, a build or a test configuration asks. */
export function whyBuildFile({ target }: EditPlan): string {
  return `${describeTarget(target)} decides what is built, tested or run, so changing it asks in every mode`;
}

/** Why the text of an edit asks; `undefined`: it does not. */
export function whyContent(plan: EditPlan): string | undefined {
  const [hazard] = findEditHazards(plan);
  return hazard && HAZARDS[hazard.kind];
}

const HAZARDS = {
  hidden_characters: 'An edit that adds hidden characters always asks',
  remote_schema: 'An edit that adds a link to a remote schema always asks',
} as const;

/** Why an allowed command asks again after edits that nobody has seen. `files` are display paths. */
export function whyUnseen(allowedBecause: string, files: readonly string[]): string {
  const named = files.slice(0, 3).join(', ');
  const more = files.length > 3 ? ` and ${files.length - 3} more` : '';
  return (
    `${allowedBecause}, but it runs code of the workspace, and you have not seen what the agent changed in ` +
    `${named}${more}. Review the changes, and it no longer asks`
  );
}

/** Why a call asks that no rule and no protection decided about. `commandReason`: the assessment of the command. */
export function whyByDefault(
  plan: SinglePlan,
  mode: PermissionMode,
  command: { readonly action: string; readonly reason: string } | undefined,
): string {
  switch (plan.kind) {
    case 'read':
      return 'Reading this needs your approval';
    case 'edit':
      if (mode === 'ask' || isOrdinaryEdit(plan)) return 'Ask mode: edits need your approval';
      if (plan.match === 'near') return 'The edit goes to a similar place, not an exact match, so it always asks';
      return 'Replacing a whole file always asks';
    case 'command':
      if (plan.isBackground && command?.action === 'allow') return 'Background commands always ask';
      return command?.reason ?? 'Commands always ask';
    case 'mcp':
    case 'extension':
      return 'No rule allows this tool';
    default:
      return assertNever(plan);
  }
}

function outside(target: GuardedPath): string {
  return `${describeTarget(target)} is outside the workspace`;
}

function withUnknownNames(target: GuardedPath): string {
  return `${describeTarget(target)} has other names on the disk that could not all be found`;
}

/** The path as it was asked for and, when a link leads elsewhere, the file it leads to. */
function describeTarget(target: GuardedPath): string {
  const { displayPath, pathInRoot, alsoNamed = [] } = target;
  const name = visibleText(displayPath, 'path');
  const [other] = alsoNamed === 'unknown' ? [] : alsoNamed;
  if (other !== undefined) return `${name}, which is the same file as ${visibleText(other, 'path')},`;
  return isShownByItsName(target) ? name : `${name}, which is ${visibleText(pathInRoot ?? '', 'path')},`;
}

/** Whether no link below the workspace folder leads elsewhere than the display path says. */
export function isShownByItsName({ displayPath, pathInRoot }: GuardedPath): boolean {
  // The person opened the folder itself, wherever it is.
  return pathInRoot === null || pathInRoot === '' || `/${displayPath}`.endsWith(`/${pathInRoot}`);
}
