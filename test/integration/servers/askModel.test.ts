import assert from 'node:assert/strict';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import { findAnsweringModel, wholeAnswer } from '../../../src/agent/servers/askModel';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { LearnedQuirks } from '../../../src/agent/servers/learnedQuirks';
import { gatewaySession } from '../../../src/agent/servers/model/gatewaySession';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { chunk, stream, useProviderServers } from '../../support/servers/providerServers';

describe('findAnsweringModel', () => {
  const { serve } = useProviderServers();

  it('tells gateways which requests build on each other, and no session of single ones', async () => {
    const { baseUrl, requests } = await serve(stream(chunk({ content: 'Hi' }) + chunk({}, 'stop')));
    const parts = {
      settings: () => ({ ...defaultAgentSettings, baseUrl, model: 'm' }),
      keys: new KeyStore({ secrets: memorySecrets() }),
      slots: new SlotQueue(),
      quirks: new LearnedQuirks({ now: Date.now }),
      fetch: createFetch(),
      serverAt: () => undefined,
    };
    const { signal } = new AbortController();
    const prompt = { systemPrompt: 'Edit.', prompt: 'Hello' };
    for (const edit of ['edit 1', 'edit 1', 'edit 2', undefined]) {
      assert.equal(await wholeAnswer(await findAnsweringModel(parts, signal, edit), prompt, signal), 'Hi');
    }
    const completions = requests.filter(({ body }) => JSON.stringify(body).includes('Hello'));
    const ids = completions.map(({ headers }) => headers['x-session-id']);
    const [one, two] = [gatewaySession('edit 1'), gatewaySession('edit 2')];
    assert.deepEqual(ids, [one, one, two, undefined]);
    assert.notEqual(one, two);
  });
});
