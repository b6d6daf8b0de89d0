import assert from 'node:assert/strict';
import { resultOf } from '../../../src/sdk/resultOf';
import { scriptedClient } from '../../support/sessions/clients';
import { textResponse } from '../../support/servers/scriptedProvider';

describe('resultOf', () => {
  it('reads a run to its end and tells its events', async () => {
    const { client } = scriptedClient([textResponse('Hello.')]);
    const seen: string[] = [];
    const result = await resultOf(client.run('Hi'), ({ type }) => seen.push(type));
    assert.deepEqual([result.outcome, result.primaryText], ['completed', 'Hello.']);
    assert.deepEqual([seen[0], seen.at(-1)], ['run_start', 'run_end']);
  });

  it('has the errors of the model in its result, and rejects as the run does', async () => {
    const error = { code: 'unauthorized', message: 'No key.' } as const;
    const { client } = scriptedClient([[{ type: 'error', error, partial: [] }]]);
    assert.equal((await resultOf(client.run('Hi'))).error?.code, 'unauthorized');
    await client.close();
    await assert.rejects(resultOf(client.run('Hi')), { code: 'invalid_state' });
  });

  it('ends the run when its listener throws', async () => {
    const { client } = scriptedClient([textResponse('Hello.'), textResponse('Again.')]);
    const stop = new Error('enough');
    await assert.rejects(
      resultOf(client.run('Hi'), () => {
        throw stop;
      }),
      stop,
    );
    assert.equal((await resultOf(client.run('And now?'))).outcome, 'completed');
  });
});
