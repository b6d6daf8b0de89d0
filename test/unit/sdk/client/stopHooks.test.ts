import assert from 'node:assert/strict';
import type { StopHook } from '../../../../src/sdk/hooks';
import { record, scriptedClient } from '../../../support/sessions/clients';
import { failure, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

const again: StopHook = () => ({ action: 'continue', message: 'Not yet.' });

describe('Stop hooks', () => {
  it('send the model a message instead of an end, in order, until none does', async () => {
    const asked: string[] = [];
    const messages = ['Check it.', undefined, undefined];
    const first: StopHook = ({ text }) => {
      asked.push(text);
      const message = messages.shift();
      return message === undefined ? undefined : { action: 'continue', message };
    };
    const { client, provider } = scriptedClient([textResponse('Done.'), textResponse('Checked.')], {
      hooks: { Stop: [first, ({ text }) => void asked.push(`second ${text}`)] },
    });
    const { events, result } = await record(client.run('go'));
    assert.deepEqual(asked, ['Done.', 'Checked.', 'second Checked.']);
    assert.deepEqual(provider.requests[1]?.messages.slice(1), [
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stopReason: 'stop' },
      { role: 'user', content: 'Check it.' },
    ]);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'user_message' ? [event.origin] : [])),
      ['prompt', 'hook'],
    );
    assert.deepEqual([result.outcome, result.primaryText], ['completed', 'Checked.']);
  });

  it('keep a run from its end ten times at most', async () => {
    const { client, provider } = scriptedClient(
      Array.from({ length: 11 }, () => textResponse('Done.')),
      { hooks: { Stop: [again] } },
    );
    const { result } = await record(client.run('go'));
    assert.equal(result.outcome, 'completed');
    assert.equal(provider.requests.length, 11);
  });

  it('are not asked when a run fails or has calls left', async () => {
    const { client } = scriptedClient([failure({ code: 'connection', message: 'Gone.' })], {
      hooks: { Stop: [() => assert.fail('asked')] },
    });
    assert.equal((await record(client.run('go'))).result.outcome, 'error');
    const limited = scriptedClient([response([toolUse('c1', 'read', {})])], {
      hooks: { Stop: [() => assert.fail('asked')] },
      maxToolIterations: 1,
    });
    assert.equal((await record(limited.client.run('go'))).result.outcome, 'limit');
  });

  it('that throw or answer something else let the run end, with a warning', async () => {
    const broken: readonly StopHook[] = [
      () => {
        throw new Error('Broken.');
      },
      () => ({ action: 'continue', message: ' ' }),
      () => true as unknown as undefined,
    ];
    for (const hook of broken) {
      const { client } = scriptedClient([textResponse('Done.')], { hooks: { Stop: [hook] } });
      const { events, result } = await record(client.run('go'));
      assert.equal(result.outcome, 'completed');
      assert.deepEqual(
        events.flatMap((event) => (event.type === 'warning' ? [event.code] : [])),
        ['hook_failed'],
      );
    }
  });

  it('end with an interruption', async () => {
    const { client } = scriptedClient([textResponse('Done.')], {
      hooks: { Stop: [() => new Promise<undefined>(() => void client.interrupt())] },
    });
    assert.equal((await record(client.run('go'))).result.outcome, 'interrupted');
  });
});
