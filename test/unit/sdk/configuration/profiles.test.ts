import assert from 'node:assert/strict';
import { AgentError } from '../../../../src/sdk/errors';
import { parseProfile, resolveProfile, type LlmProfile } from '../../../../src/sdk/configuration/profiles';
import { record, scriptedClient } from '../../../support/sessions/clients';
import { textResponse } from '../../../support/servers/scriptedProvider';

const profile: LlmProfile = {
  id: 'fast',
  baseUrl: 'http://gpu:8000/v1',
  model: 'qwen3',
  temperature: 0.2,
  topP: 0.9,
  topK: 20,
  reasoningEffort: 'low',
  thinking: false,
  maxTokens: 2_000,
  systemPrompt: 'Be brief.',
  extraBody: { min_p: 0.05, seed: 1 },
};

describe('resolveProfile', () => {
  it('returns the profile as client options without overrides', () => {
    const { id: _id, ...options } = profile;
    assert.deepEqual(resolveProfile(profile), options);
    assert.deepEqual(resolveProfile({ id: 'x', baseUrl: 'http://a', model: 'm' }), {
      baseUrl: 'http://a',
      model: 'm',
      systemPrompt: '',
    });
  });

  const fields = {
    model: ['definition-model', 'call-model'],
    systemPrompt: ['Definition.', 'Call.'],
    temperature: [0.5, 1],
    topP: [0.5, 1],
    topK: [40, 0],
    reasoningEffort: ['medium', 'high'],
    thinking: [true, false],
    maxTokens: [3_000, 4_000],
  } as const;
  for (const [field, [inDefinition, inCall]] of Object.entries(fields)) {
    it(`takes ${field} from the call before the definition before the profile`, () => {
      const key = field as keyof typeof fields;
      const definition = { [field]: inDefinition };
      assert.equal(resolveProfile(profile, definition, { [field]: inCall })[key], inCall);
      assert.equal(resolveProfile(profile, definition, {})[key], inDefinition);
      assert.equal(resolveProfile(profile, definition, { [field]: undefined })[key], inDefinition);
      assert.equal(resolveProfile(profile, undefined, { [field]: inCall })[key], inCall);
    });
  }

  it('takes null to mean that the field is not sent', () => {
    const { temperature, extraBody } = resolveProfile(profile, { temperature: null, extraBody: null });
    assert.deepEqual([temperature, extraBody], [null, null]);
  });

  it('merges extraBody by key', () => {
    const { extraBody } = resolveProfile(profile, { extraBody: { seed: 2 } }, { extraBody: { grammar: 'root' } });
    assert.deepEqual(extraBody, { min_p: 0.05, seed: 2, grammar: 'root' });
  });

  it('gives a client its sampling', async () => {
    const { client, provider } = scriptedClient([textResponse('ok')], resolveProfile(profile, { topK: null }));
    await record(client.run('hi'));
    const [request] = provider.requests;
    assert.deepEqual([request?.model, request?.systemPrompt], ['qwen3', 'Be brief.']);
    assert.deepEqual(request?.sampling, {
      temperature: 0.2,
      maxTokens: 2_000,
      topP: 0.9,
      reasoningEffort: 'low',
      thinking: false,
      extraBody: { min_p: 0.05, seed: 1 },
    });
  });
});

describe('parseProfile', () => {
  it('accepts a complete profile', () => assert.deepEqual(parseProfile(profile), profile));

  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ['a missing model', { id: 'x', baseUrl: 'http://a' }, /^Profile "x": model: expected string/],
    ['a field that does not exist', { ...profile, temprature: 1 }, /^Profile "fast": unknown field temprature\.$/],
    ['a value out of range', { ...profile, topP: 2 }, /^Profile "fast": topP: /],
    [
      'a body that takes over the request',
      { ...profile, extraBody: { messages: [] } },
      /extraBody: may not hold model, messages/,
    ],
    ['a URL that is none', { ...profile, baseUrl: 'ftp://a' }, /ftp:\/\//],
    ['no object at all', 7, /^Profile: expected object/],
  ];
  for (const [what, value, message] of wrong) {
    it(`names ${what}`, () => {
      assert.throws(
        () => parseProfile(value),
        (error) => error instanceof AgentError && error.code === 'invalid_options' && message.test(error.message),
      );
    });
  }
});
