import assert from 'node:assert/strict';
import { Client } from '../../../../src/sdk/client';
import { parseAgentOptions } from '../../../../src/sdk/configuration/options';
import { resolveConfiguration } from '../../../../src/sdk/configuration/configuration';
import { normalizeBaseUrl } from '../../../../src/sdk/model/http/baseUrl';
import { tool } from '../../../../src/sdk/tool';
import { record, scriptedClient } from '../../../support/sessions/clients';
import { response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

describe('Client with a resolved configuration', () => {
  const env = { OPEN_AGENT_BASE_URL: 'ollama', OPEN_AGENT_MODEL: 'qwen3', OPEN_AGENT_API_KEY: 'secret' };

  it('takes it as it is, with its key', () => {
    const configuration = resolveConfiguration({ env });
    const expected = { systemPrompt: '', model: 'qwen3', baseUrl: 'http://localhost:11434/v1' };
    assert.deepEqual(new Client(configuration).options, expected);
    const { apiKey, ca } = parseAgentOptions(configuration);
    assert.deepEqual([apiKey, ca], ['secret', undefined]);
    assert.equal(parseAgentOptions({ ...configuration, apiKey: 'own' }).apiKey, 'own');
  });

  it('sends the key to no other origin', () => {
    const configuration = resolveConfiguration({ env });
    assert.equal(parseAgentOptions({ ...configuration, baseUrl: 'http://elsewhere:1' }).apiKey, undefined);
  });

  it('knows the short names of servers everywhere', () => {
    assert.equal(new Client({ model: 'm', baseUrl: 'Ollama' }).options.baseUrl, 'http://localhost:11434/v1');
    assert.equal(normalizeBaseUrl('lmstudio'), 'http://localhost:1234/v1');
    assert.equal(normalizeBaseUrl('http://ollama'), 'http://ollama/v1');
  });
});

describe('Client with a tool that polls', () => {
  const poll = tool('poll', 'Poll', {}, () => 'not yet');
  const polls = Array.from({ length: 8 }, (_, index) => response([toolUse(`c${index}`, 'poll')]));

  it('may make the same call any number of times with maxRepeatedCalls: null', async () => {
    const { client } = scriptedClient([...polls, textResponse('Ready.')], {
      tools: [poll],
      maxToolIterations: 20,
      maxRepeatedCalls: null,
    });
    const { result } = await record(client.run('wait'));
    assert.deepEqual([result.outcome, result.primaryText], ['completed', 'Ready.']);
    assert.equal(JSON.stringify(result.conversation).includes('Do not repeat it'), false);
  });

  it('stops at the number that is set', async () => {
    const { client, provider } = scriptedClient(polls, { tools: [poll], maxToolIterations: 20, maxRepeatedCalls: 2 });
    const { result } = await record(client.run('wait'));
    assert.deepEqual([result.error?.code, provider.requests.length], ['loop_detected', 2]);
  });
});
