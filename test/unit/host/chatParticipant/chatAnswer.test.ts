import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/agent/view/sessionEvents';
import { ChatAnswer } from '../../../../src/host/chatParticipant/chatAnswer';
import { literal, toolLine } from '../../../../src/host/chatParticipant/chatText';
import type { AgentEvent } from '../../../../src/sdk/events';

function create() {
  const written: unknown[] = [];
  const answer = new ChatAnswer({
    text: (markdown) => written.push(markdown),
    progress: (message) => written.push({ message }),
    question: () => written.push('[question]'),
  });
  const take = (...events: readonly AgentEvent[]): void => {
    for (const event of events) answer.take({ type: 'agent', event, ts: 0 });
  };
  return { written, answer, take };
}

const start = (toolName: string, input = {}, toolUseId = 't'): AgentEvent => ({
  type: 'tool_execution_start',
  toolUseId,
  toolName,
  input,
});
const end = (outcome: 'succeeded' | 'failed' | 'denied' | 'interrupted', toolUseId = 't'): AgentEvent => ({
  type: 'tool_execution_end',
  toolUseId,
  outcome,
  result: { type: 'tool_result', toolUseId, content: '', isError: outcome !== 'succeeded' },
});
const text = (delta: string): AgentEvent => ({ type: 'text_delta', block: 0, text: delta });

describe('an answer in VS Code’s chat', () => {
  it('is the streamed text between lists of tool calls', () => {
    const { written, take } = create();
    take(text('Let me '), text('look.'), start('read_file', { path: 'a.ts' }), end('succeeded'));
    take(start('run_terminal_command', { command: 'npm test' }), end('failed'), text('It fails.'));
    assert.deepEqual(written, [
      'Let me ',
      'look.',
      '\n\n- Read ` a.ts `',
      '\n- Run ` npm test `',
      ' (failed)',
      '\n\nIt fails.',
    ]);
  });

  it('names a call again whose outcome comes after the start of another one', () => {
    const { written, take } = create();
    take(...['a', 'b', 'c'].map((file) => start('apply_edit', { path: file }, file)));
    take(end('interrupted', 'a'), end('succeeded', 'b'), end('interrupted', 'c'));
    assert.deepEqual(written, [
      '- Edit ` a `',
      '\n- Edit ` b `',
      '\n- Edit ` c `',
      '\n- Edit ` a `',
      ' (stopped)',
      '\n- Edit ` c `',
      ' (stopped)',
    ]);
  });

  it('shows each activity once', () => {
    const { written, take } = create();
    const status = (name: 'prefilling' | 'queued'): AgentEvent => ({ type: 'status', status: name });
    const thinking: AgentEvent = { type: 'thinking_delta', block: 0, text: 'Hm' };
    take(status('queued'), status('prefilling'), status('prefilling'), thinking, thinking, text('Yes'));
    assert.deepEqual(written, [
      { message: 'Waiting for the model server…' },
      { message: 'Reading the prompt…' },
      { message: 'Thinking…' },
      'Yes',
    ]);
  });

  it('leads to a question that cannot be answered here', () => {
    const { written, answer, take } = create();
    take(start('apply_edit', { path: 'a.ts' }));
    const approval = {
      requestId: 'r',
      toolUseId: 't',
      kind: 'edit',
      reason: 'Ask mode: edits need your approval',
      displayPath: 'a.ts',
    };
    answer.take({ type: 'approval_requested', approval, ts: 0 } as SessionEvent);
    take(end('denied'));
    assert.deepEqual(written, [
      '- Edit ` a.ts `',
      '\n- **Waits for your decision** in the Open Agent view: Edit ` a.ts `',
      '[question]',
      ' (rejected)',
    ]);
  });

  it('tells why it failed', () => {
    const { written, answer } = create();
    answer.take({ type: 'failed', error: { code: 'connection', message: 'Cannot reach it.' }, ts: 0 });
    assert.deepEqual([answer.error, written], ['Cannot reach it.', []]);
  });

  it('shows foreign words literally', () => {
    assert.equal(literal('a `b` ``c``'), '``` a `b` ``c`` ```');
    assert.equal(literal('a\nb\u202E'), '` a<LINE BREAK>b<U+202E> `');
    assert.equal(literal('x'.repeat(500)), `\` ${'x'.repeat(160)}… \``);
    assert.equal(toolLine('ext__do', { path: '[click](command:evil)' }), 'Run ` ext__do `');
    assert.equal(toolLine('list_directory', {}), 'List ` . `');
    assert.equal(toolLine('get_diagnostics', {}), 'Check');
    assert.equal(toolLine('find_symbol', { symbol: 'total', find: 'callers' }), 'Find ` total `');
  });
});
