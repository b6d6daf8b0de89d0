import assert from 'node:assert/strict';
import { defaultAgentSettings } from '../../../../src/agent/configuration/agentSettings';
import { withWishes } from '../../../../src/agent/configuration/withWishes';

const set = { ...defaultAgentSettings, systemPrompt: 'Be brief.', maxTokens: 100, temperature: 0.5 };

describe('the wishes of a caller', () => {
  it('are nothing unless they are said', () => {
    assert.deepEqual(withWishes(set), set);
  });

  it('come after the words of the owner, and count within the limits that are set', () => {
    const wishes = { systemPrompt: 'Rhyme.', maxTokens: 1_000, sampling: { temperature: 0, topP: 0.9 } };
    assert.deepEqual(withWishes(set, wishes), {
      ...set,
      systemPrompt: 'Be brief.\n\nRhyme.',
      temperature: 0,
      topP: 0.9,
    });
    assert.equal(withWishes(set, { maxTokens: 10 }).maxTokens, 10);
    assert.equal(withWishes({ ...set, maxTokens: null }, { maxTokens: 10 }).maxTokens, 10);
  });

  it('reach the request, those without a setting of their own as extra fields', () => {
    const sampling = { topK: 20, reasoningEffort: 'low', seed: 7, frequencyPenalty: 0.5, presencePenalty: -1 };
    assert.deepEqual(withWishes({ ...set, extraBody: { min_p: 0.1, seed: 1 } }, { sampling }), {
      ...set,
      topK: 20,
      reasoningEffort: 'low',
      extraBody: { min_p: 0.1, seed: 7, frequency_penalty: 0.5, presence_penalty: -1 },
    });
  });
});
