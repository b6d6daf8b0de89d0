import assert from 'node:assert/strict';
import { readFinishReason, type FinishReason } from '../../../../../src/sdk/model/wire/finishReason';

describe('readFinishReason', () => {
  const words: readonly (readonly [FinishReason | undefined, readonly unknown[]])[] = [
    [undefined, [null, undefined, '', ' ', 'null', 'NULL', 'none', 'None', 'undefined', 0, false, {}, []]],
    ['length', ['length', 'LENGTH', 'max_tokens', 'MAX_TOKENS', 'model_length', 'max_output_tokens', 'token_limit']],
    ['length', ['max-tokens', 'maxTokens', 'context_length_exceeded', 'model_context_window_exceeded', 'limit']],
    ['calls', ['tool_calls', 'function_call', 'tool_use']],
    ['content_filter', ['content_filter', 'SAFETY']],
    ['failed', ['abort', 'error', 'insufficient_system_resource']],
    ['stop', ['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'constructor', 'anything']],
  ];
  for (const [reason, values] of words) {
    it(`reads ${reason ?? 'no end'}`, () => {
      for (const value of values) assert.equal(readFinishReason(value), reason, JSON.stringify(value));
    });
  }
});
