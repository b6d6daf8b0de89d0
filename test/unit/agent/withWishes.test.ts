import assert from 'node:assert/strict';
import { defaultAgentSettings } from '../../../src/agent/agentSettings';
import { withWishes } from '../../../src/agent/withWishes';

const set = { ...defaultAgentSettings, systemPrompt: 'Be brief.', maxTokens: 100, temperature: 0.5 };

describe('the wishes of a caller', () => {
  it('are nothing unless they are said', () => {
    assert.deepEqual(withWishes(set), set);
  });

  it('come after the words of the owner, and count within the limits that are set', () => {
    const wishes = { systemPrompt: 'Rhyme.', maxTokens: 1_000, temperature: 0, topP: 0.9 };
    assert.deepEqual(withWishes(set, wishes), {
      ...set,
      systemPrompt: 'Be brief.\n\nRhyme.',
      temperature: 0,
      topP: 0.9,
    });
    assert.equal(withWishes(set, { maxTokens: 10 }).maxTokens, 10);
    assert.equal(withWishes({ ...set, maxTokens: null }, { maxTokens: 10 }).maxTokens, 10);
  });
});
