import assert from 'node:assert/strict';
import { summarizeRequest } from '../../../../src/agent/approval/requests';
import type { EditPlan } from '../../../../src/workspace/plans';

const plan: EditPlan = {
  kind: 'edit',
  operation: 'edit',
  target: { path: '/w/a', realPath: '/w/a', displayPath: 'a', pathInRoot: 'a', exists: true },
  before: 'a\n'.repeat(20),
  after: 'a\n',
  proposed: 'a\n',
};

const warningsOf = (more: Partial<EditPlan>): readonly string[] | undefined => {
  const summary = summarizeRequest({
    id: 'r',
    sessionId: 's',
    toolUseId: 't',
    toolName: 'apply_edit',
    reason: '',
    plan: { ...plan, ...more },
  });
  assert.ok(summary.kind === 'edit');
  return summary.warnings;
};

describe('the warnings of an edit', () => {
  it('tell a nearest place and a large loss, and nothing else', () => {
    assert.deepEqual(
      [warningsOf({ match: 'exact' }), warningsOf({ match: 'near' }), warningsOf({ lostLines: 19 })],
      [
        undefined,
        ['The model misquoted these lines. This is the nearest place; check that it is the right one.'],
        ['The file loses 19 of its 20 lines.'],
      ],
    );
  });
});
