import assert from 'node:assert/strict';
import { emptyView } from '../../../../src/agent/view/fold/foldSession';
import type { ApprovalSummary } from '../../../../src/agent/view/approvalSummary';
import type { SessionNotice, SessionState, ViewItem } from '../../../../src/agent/view/sessionView';
import { openQuestions, questionsText, type OpenQuestion } from '../../../../src/host/attention/openQuestions';

const shared = { reason: 'It asks.', requestId: 'r', toolUseId: 't' };
const approvals: Readonly<Record<ApprovalSummary['kind'], ApprovalSummary>> = {
  edit: { ...shared, kind: 'edit', displayPath: 'a', operation: 'edit', diff: '', addedLines: 1, removedLines: 0 },
  command: { ...shared, kind: 'command', command: 'make', displayPath: '.' },
  read: { ...shared, kind: 'read', displayPath: '.env' },
  mcp: { ...shared, kind: 'mcp', server: 's', tool: 't', arguments: '{}' },
  extension: { ...shared, kind: 'extension', extension: null, tool: 't', arguments: '{}' },
};

function asking(approval: ApprovalSummary): ViewItem {
  const { toolUseId: id } = approval;
  return { kind: 'tool', id, toolName: 'x', state: 'awaiting_approval', argumentsText: '', liveOutput: '', approval };
}

function notice(severity: SessionNotice['severity'], ...actions: SessionNotice['actions']): ViewItem {
  return { kind: 'notice', id: 'n', notice: { id: 'n', severity, message: 'Text', actions } };
}

function kindsOf(items: readonly ViewItem[], state: SessionState): readonly OpenQuestion['kind'][] {
  return openQuestions({ ...emptyView('s'), state, items }).map(({ kind }) => kind);
}

describe('openQuestions', () => {
  it('finds each kind of call that asks', () => {
    const items = Object.values(approvals).map(asking);
    assert.deepEqual(kindsOf(items, 'waiting_for_approval'), ['edit', 'command', 'read', 'call', 'call']);
  });

  it('finds the error or limit that ended the last run', () => {
    assert.deepEqual(kindsOf([notice('error', 'retry')], 'idle'), ['error']);
    assert.deepEqual(kindsOf([notice('info', 'continue', 'openSettings')], 'idle'), ['limit']);
    assert.deepEqual(kindsOf([notice('error', 'retry')], 'running'), []);
  });

  it('leaves out notices that only tell', () => {
    assert.deepEqual(
      kindsOf([notice('warning', 'showLog'), notice('info'), notice('info', 'reviewEdits')], 'idle'),
      [],
    );
  });

  it('says how many wait, and of what kind', () => {
    assert.equal(questionsText([]), '');
    assert.equal(questionsText([{ kind: 'edit' }]), '1 edit waits for you');
    assert.equal(questionsText([{ kind: 'command' }, { kind: 'command' }]), '2 commands wait for you');
    assert.equal(questionsText([{ kind: 'edit' }, { kind: 'mcp' }]), '2 questions wait for you');
  });
});
