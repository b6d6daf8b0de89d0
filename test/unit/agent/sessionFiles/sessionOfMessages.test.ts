import assert from 'node:assert/strict';
import { sessionOfMessages } from '../../../../src/agent/sessionFiles/sessionOfMessages';
import { summarise } from '../../../../src/agent/sessionFiles/summarise';
import { viewFromEntries } from '../../../../src/agent/view/fold/viewFromEntries';
import type { Message } from '../../../../src/sdk/messages';
import { readEntries } from '../../../../src/sdk/session/readEntries';
import { replayMessages } from '../../../../src/sdk/session/replay';
import { piecesOf } from '../../../support/sessions/piecesOf';

const messages: readonly Message[] = [
  { role: 'user', content: 'Look.' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
      { type: 'tool_use', id: 'c2', name: 'read', input: {} },
    ],
    stopReason: 'tool_use',
  },
  { role: 'tool', content: { type: 'tool_result', toolUseId: 'c1', toolName: 'read', content: 'one', isError: false } },
  { role: 'tool', content: { type: 'tool_result', toolUseId: 'c2', toolName: 'read', content: 'no', isError: true } },
  { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stopReason: 'stop' },
];

function bytesOf(given: readonly Message[]): Uint8Array {
  let count = 0;
  const newId = (): string => `e${(count += 1)}`;
  const options = { origin: 'endpoint', workspace: 'file:///w', now: () => 5, newId } as const;
  return new TextEncoder().encode(sessionOfMessages(given, options));
}

describe('a session that goes on from what was said elsewhere', () => {
  it('gives the model the same messages again', () => {
    const { entries, problems } = readEntries(bytesOf(messages));
    assert.deepEqual(problems, []);
    assert.deepEqual(replayMessages(entries), { messages, isUnfinished: false });
  });

  it('shows them, and no run that could be continued', () => {
    const view = viewFromEntries('s', readEntries(bytesOf(messages)).entries);
    assert.deepEqual(
      view.items.map((item) => (item.kind === 'tool' ? [item.toolName, item.state] : item.kind)),
      ['prompt', 'text', ['read', 'succeeded'], ['read', 'failed'], 'text'],
    );
    assert.equal(view.state, 'idle');
  });

  it('is listed as a program’s, also without a message', async () => {
    const sketch = { title: 'Untitled session', workspace: 'file:///w', isServed: true };
    assert.deepEqual(await summarise(piecesOf(bytesOf([]))), { ...sketch, status: undefined });
    assert.deepEqual(await summarise(piecesOf(bytesOf(messages))), { ...sketch, status: 'FINISHED' });
  });
});
