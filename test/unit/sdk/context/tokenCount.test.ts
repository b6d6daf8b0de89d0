import assert from 'node:assert/strict';
import {
  estimateMessageTokens,
  estimatePromptTokens,
  estimateTokens,
  TokenCounter,
} from '../../../../src/sdk/context/tokenCount';
import type { Message } from '../../../../src/sdk/messages';

const user = (content: string): Message => ({ role: 'user', content });

describe('token estimates', () => {
  it('are about a quarter of the characters, more for scripts that are not Latin', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('The quick brown fox jumps.'), 7);
    assert.equal(estimateTokens('速い茶色の狐が跳ぶ'), 7);
    assert.equal(estimateTokens('Größe'), 2);
  });

  it('count what is sent: instructions, tools, calls and results', () => {
    const prompt = { systemPrompt: 'x'.repeat(400), messages: [user('y'.repeat(400))], tools: [] };
    assert.equal(estimatePromptTokens(prompt), 208);
    const tools = [{ name: 'read', description: 'd'.repeat(400), inputSchema: { type: 'object' } }];
    assert.ok(estimatePromptTokens({ ...prompt, tools }) > 308);
    const call: Message = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'read', input: { path: 'z'.repeat(400) } }],
    };
    const result: Message = {
      role: 'tool',
      content: { type: 'tool_result', toolUseId: 'c1', content: 'r'.repeat(400), isError: false },
    };
    assert.ok(estimateMessageTokens([user('go'), call, result]) > 200);
  });
});

describe('TokenCounter', () => {
  const prompt = (length: number) => ({ systemPrompt: '', messages: [user('x'.repeat(length))], tools: [] });

  it('marks an estimate as one, and scales it by what the server reported', () => {
    const counter = new TokenCounter();
    assert.deepEqual(counter.count(prompt(4_000)), { tokens: 1_004, isEstimate: true });
    const counted = prompt(4_000);
    counter.observe(counted, { promptTokens: 1_506 });
    assert.deepEqual(counter.count(counted), { tokens: 1_506, isEstimate: false });
    assert.deepEqual(counter.count(prompt(8_000)), { tokens: 3_006, isEstimate: true });
    assert.equal(counter.isCalibrated, true);
  });

  it('learns nothing from impossible counts', () => {
    const counter = new TokenCounter();
    for (const promptTokens of [0, 100, 9_000, Number.NaN]) counter.observe(prompt(4_000), { promptTokens });
    assert.deepEqual(counter.count(prompt(4_000)), { tokens: 1_004, isEstimate: true });
  });
});
