import assert from 'node:assert/strict';
import { modelOptionsFor, withToolCalls } from '../../../../../src/agent/servers/model/modelOptions';
import { createQuirkMemory, noQuirks } from '../../../../../src/sdk/model/wire/serverQuirks';

describe('model options', () => {
  const table = {
    '*': { replayReasoning: 'never' },
    'qwen*': { toolCalls: 'text', contextWindow: 8192 },
    'qwen3*': { contextWindow: 16384 },
    'qwen3:8b': { toolCalls: 'native' },
  } as const;

  it('come field by field from the most specific key', () => {
    assert.deepEqual(modelOptionsFor(table, 'qwen3:8b'), {
      replayReasoning: 'never',
      toolCalls: 'native',
      contextWindow: 16384,
    });
    assert.deepEqual(modelOptionsFor(table, 'qwen2.5'), {
      replayReasoning: 'never',
      toolCalls: 'text',
      contextWindow: 8192,
    });
    assert.deepEqual(modelOptionsFor(table, 'gemma'), { replayReasoning: 'never' });
    assert.deepEqual(modelOptionsFor({ gemma: { toolCalls: 'text' } }, 'gemma3'), {});
  });

  it('on tool calls override the learned ones without replacing them', () => {
    const memory = createQuirkMemory();
    memory.learn('m', { ...noQuirks, tools: 'text' });
    assert.equal(withToolCalls(memory, 'auto'), memory);
    assert.equal(withToolCalls(memory, undefined), memory);
    const native = withToolCalls(memory, 'native');
    assert.equal(native.get('m').tools, 'native');
    native.learn('m', { ...native.get('m'), streamOptions: false });
    assert.deepEqual(memory.get('m'), { ...noQuirks, tools: 'text', streamOptions: false });
  });
});
