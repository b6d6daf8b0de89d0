import assert from 'node:assert/strict';
import { ChatSessions } from '../../../../src/agent/session/chatSessions';
import type { CreateClientInput } from '../../../../src/agent/configuration/sessionClient';

describe('sessions that are talked to in the editor’s chat', () => {
  it('say so in their questions, as long as the chat waits for them', async () => {
    const sessions = new ChatSessions();
    const asked: unknown[] = [];
    const input = (sessionId: string): CreateClientInput => ({
      sessionId,
      history: [],
      recordCheckpoint: () => Promise.resolve(),
      ask: (question) => {
        asked.push([sessionId, question.askedBy]);
        return Promise.resolve({ action: 'deny' });
      },
    });
    const plan = { kind: 'extension', extension: 'a.b', tool: 'do', arguments: {} } as const;
    const ask = (sessionId: string) =>
      sessions
        .wrap(input(sessionId))
        .ask({ toolUseId: 't', toolName: 'ext__do', plan, reason: 'r' }, { signal: new AbortController().signal });
    const end = sessions.begin('one');
    await ask('one');
    await ask('two');
    end.dispose();
    await ask('one');
    assert.deepEqual(asked, [
      ['one', 'chat'],
      ['two', undefined],
      ['one', undefined],
    ]);
  });
});
