import assert from 'node:assert/strict';
import { readContextLimit } from '../../../../../src/sdk/model/errors/contextLimit';

const cases: readonly (readonly [string, string, number | undefined, number | undefined])[] = [
  [
    'llama.cpp',
    'request (5030 tokens) exceeds the available context size (2048 tokens), try increasing it',
    2048,
    5030,
  ],
  [
    'an older llama.cpp',
    'the request exceeds the available context size. (n_prompt_tokens 5030, n_ctx 2048)',
    2048,
    5030,
  ],
  [
    'OpenAI and vLLM',
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (3000 in the messages, 2000 in the completion).",
    4096,
    3000,
  ],
  [
    'a newer vLLM',
    "'max_tokens' is too large: 4096. This model's maximum context length is 8,192 tokens and your request has 5,000 input tokens (4096 > 8192 - 5000).",
    8192,
    5000,
  ],
  [
    'vLLM for a prompt',
    'The decoder prompt (length 9000) is longer than the maximum model length of 8192.',
    8192,
    9000,
  ],
  [
    'LM Studio',
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    4096,
    5000,
  ],
  [
    'TGI',
    '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 2000 `max_new_tokens`',
    4096,
    3000,
  ],
  [
    'vLLM in other words',
    "You passed 5030 input tokens and requested 1 output tokens. However, the model's context length is only 2048 tokens, resulting in a maximum input length of 2047 tokens.",
    2048,
    5030,
  ],
  [
    'SGLang',
    "Requested token count exceeds the model's maximum context length of 2048 tokens. You requested a total of 5030 tokens: 3030 tokens from the input messages and 2000 tokens for the completion.",
    2048,
    3030,
  ],
  [
    'SGLang for a prompt',
    "The input (5030 tokens) is longer than the model's context length (2048 tokens).",
    2048,
    5030,
  ],
  ['LM Studio in mid-answer', 'Reached context length of 2048 tokens with this model', 2048, undefined],
  [
    'TGI for a prompt',
    'Input validation error: `inputs` must have less than 2048 tokens. Given: 5030',
    2048,
    undefined,
  ],
  ['llama-cpp-python', 'Requested tokens (5030) exceed context window of 2048', 2048, 5030],
  ['MLX', "Input length (5030) exceeds model's maximum context length (2048).", 2048, 5030],
  ['a gateway', 'prompt is too long: 5000 tokens > 4096 maximum', 4096, 5000],
  ['TabbyAPI', 'Prompt length 5000 is greater than max_seq_len 4096', 4096, 5000],
  ['TabbyAPI with an answer', 'Request length 71599 + 2048 is greater than max_seq_len 65536', 65536, 71599],
  [
    'TabbyAPI with a full cache',
    'Job requires 100 pages (only 80 available) and cannot be enqueued. Total cache allocated is 80 * 256 = 20480 tokens',
    20480,
    undefined,
  ],
  ['OpenVINO Model Server', 'Number of prompt tokens: 5030 exceeds model max length: 2048', 2048, 5030],
  ['RKLLM', 'Prompt is 11543 tokens but the model context window is 4096 tokens.', 4096, 11543],
  ['ONNX Runtime', 'input_ids size (5030) exceeds max length (2048)', 2048, undefined],
  ['one that names nothing', 'http://localhost:8080/v1: context size has been exceeded', undefined, undefined],
];

describe('readContextLimit', () => {
  for (const [server, message, contextWindow, promptTokens] of cases) {
    it(`understands ${server}`, () => {
      assert.deepEqual(readContextLimit(message), {
        ...(contextWindow !== undefined && { contextWindow }),
        ...(promptTokens !== undefined && { promptTokens }),
      });
    });
  }
});
