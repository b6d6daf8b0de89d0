import assert from 'node:assert/strict';
import * as z from 'zod';
import { tool } from '../../../../src/sdk/tool';
import { record, scriptedClient } from '../../../support/sessions/clients';
import { failure, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

const add = tool('add', 'Add', { a: z.number(), b: z.number() }, ({ a, b }) => ({ sum: a + b }));
const call = (id: string) => response([toolUse(id, 'add', { a: 1, b: 2 })]);

describe('toolChoice', () => {
  it('asks for a call in the first response to each prompt, and in no other', async () => {
    const scripts = [call('c1'), textResponse('3'), call('c2'), textResponse('3')];
    const { client, provider } = scriptedClient(scripts, { tools: [add], toolChoice: 'required' });
    await record(client.run('1 + 2?'));
    await record(client.run('And again?'));
    assert.deepEqual(
      provider.requests.map(({ toolChoice }) => toolChoice),
      ['required', undefined, 'required', undefined],
    );
  });

  it('asks for it again when a failed request is repeated, but not after a call', async () => {
    const lost = failure({ code: 'connection', message: 'Nothing answers.' });
    const scripts = [lost, call('c1'), lost, textResponse('3')];
    const { client, provider } = scriptedClient(scripts, { tools: [add], toolChoice: 'required' });
    await record(client.run('1 + 2?'));
    await record(client.continueRun());
    await record(client.continueRun());
    assert.deepEqual(
      provider.requests.map(({ toolChoice }) => toolChoice),
      ['required', 'required', undefined, undefined],
    );
  });

  it('asks for nothing unless it is set', async () => {
    const { client, provider } = scriptedClient([textResponse('3')], { tools: [add] });
    await record(client.run('1 + 2?'));
    assert.equal('toolChoice' in provider.requests[0]!, false);
  });
});
