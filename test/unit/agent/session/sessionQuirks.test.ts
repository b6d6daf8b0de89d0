import assert from 'node:assert/strict';
import { replayMessages } from '../../../../src/sdk/session/replay';
import { textResponse } from '../../../support/servers/scriptedProvider';
import { outline, SessionBench } from '../../../support/sessions/sessions';

describe('a session whose server rejects something', () => {
  it('tells the person, and writes that another epoch begins', async () => {
    const bench = new SessionBench();
    const message = 'The server takes no tools. Start it with --jinja.';
    const session = await bench.open([{ type: 'warning', code: 'server_quirk', message }, ...textResponse('Hi.')]);
    await session.submit({ text: 'Hello' });
    await session.whenIdle();
    assert.deepEqual(outline(session.view), [
      'prompt: Hello',
      'text: Hi.',
      `notice [forgetQuirks, showQuirks, showLog]: ${message}`,
    ]);
    const entries = await bench.entries();
    assert.deepEqual(
      entries.flatMap((entry) => (entry.type === 'epoch' ? [[entry.reason, entry.model]] : [])),
      [['quirk', 'scripted']],
    );
    assert.deepEqual(
      replayMessages(entries).messages.map(({ role }) => role),
      ['user', 'assistant'],
    );
    await session.dispose();
  });
});
