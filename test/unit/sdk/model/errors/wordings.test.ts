import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentErrorInfo } from '../../../../../src/sdk/errors';
import { describeHttpError } from '../../../../../src/sdk/model/errors/httpErrors';
import { learnQuirk } from '../../../../../src/sdk/model/errors/learnQuirk';
import { isUnreadableOutput } from '../../../../../src/sdk/model/errors/unreadableOutput';
import type { ModelEvent } from '../../../../../src/sdk/model/modelProvider';
import { createOpenAIProvider } from '../../../../../src/sdk/model/openaiProvider';
import { noQuirks } from '../../../../../src/sdk/model/wire/serverQuirks';
import { textChunk, tools } from '../streamFixtures';

const url = 'http://localhost:8080/v1/chat/completions';
const request = { model: 'm', systemPrompt: 'Be brief.', messages: [], tools, sampling: {} };

function describeSaid(message: string, status = 500): AgentErrorInfo {
  return describeHttpError({ url, status, body: JSON.stringify({ error: { code: status, message } }) });
}

/** The error of a stream with this text and then this error. */
async function errorAfter(text: string, frame: unknown): Promise<AgentErrorInfo | undefined> {
  const before = text === '' ? '' : `data: ${JSON.stringify(textChunk(text))}\n\n`;
  const body = `${before}data: ${JSON.stringify(frame)}\n\n`;
  const provider = createOpenAIProvider({
    baseUrl: 'http://127.0.0.1:1/v1',
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  });
  let last: ModelEvent | undefined;
  for await (const event of provider.stream(request, { signal: new AbortController().signal })) last = event;
  return last?.type === 'error' ? last.error : undefined;
}

describe('words of servers', () => {
  const unreadable: readonly (readonly [string, number])[] = [
    ['The model produced output that does not match the expected peg-native format', 500],
    ['The model produced output that does not match the expected peg-gemma4 format', 500],
    ['The model produced output that does not match the expected Hermes 2 Pro format', 500],
    ["Invalid diff: '{\"path\":' not found at start of '{}'", 500],
    ['Failed to parse input at pos 40: <tool_call>', 500],
    ['Failed to parse input at pos 4: this exceeds the available context size', 500],
    ["error parsing tool call: raw='{\"a', err=unexpected end of JSON input", 500],
    ['XML syntax error on line 3: element <parameter> closed by </function>', 500],
    ['unexpected tokens remaining in message header: Some("to=functions.read")', 500],
    ['Unexpected token 12606 while expecting start token 200006', 500],
    ["Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", 400],
  ];
  for (const [said, status] of unreadable) {
    it(`knows output that the server cannot read: ${said.slice(0, 70)}`, () => {
      assert.ok(isUnreadableOutput(describeSaid(said, status)));
      assert.equal(learnQuirk({ url, status, body: said }, request, noQuirks), undefined);
    });
  }

  const others = [
    'the name of the tool exceeds the maximum length 64',
    'image input exceeds the maximum size',
    'The file name exceeds the maximum allowed length (255).',
    'The count is greater than the max sequence number',
    'Rate limit: input tokens per minute exceeds 8192',
    'Prompt template is too long to display',
    'max_num_tokens should be a number',
  ];
  for (const said of others) {
    it(`does not take for a prompt that is too long: ${said}`, () => {
      assert.equal(describeSaid(said, 400).code, 'bad_request');
    });
  }

  const overflows: readonly (readonly [string, number | undefined, number | undefined])[] = [
    ['Request length 71599 + 2048 is greater than max_seq_len 65536', 65536, 71599],
    [
      'Job requires 100 pages (only 80 available) and cannot be enqueued. Total cache allocated is 80 * 256 = 20480 tokens',
      20480,
      undefined,
    ],
    ['internal error happened, status code ResponseType.INPUT_LENGTH_ERROR', undefined, undefined],
    ['Number of prompt tokens: 5030 exceeds model max length: 2048', 2048, 5030],
    ['Prompt is 11543 tokens but the model context window is 4096 tokens.', 4096, 11543],
    ['Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).', 59862, 160062],
    ['Prompt length 9000 is greater than the max sequence length of 8192', 8192, 9000],
    ['Request prompt has 9000 tokens in total, larger than the model input length limit 8192.', 8192, undefined],
    ['The sum of prompt length (9000.0), query length (0) should not exceed max_num_tokens (8192)', 8192, 9000],
    [
      'Deduced max_tokens -904 is less than 0, because prompt length 5000 plus query length 0 is larger than max_seq_len 4096',
      4096,
      5000,
    ],
    ['context shift is disabled', undefined, undefined],
    ['Context size has been exceeded.', undefined, undefined],
    ['input (5000 tokens) is larger than the max context size (4096 tokens). skipping', 4096, 5000],
    ['n_keep: 41859 >= n_ctx: 35072', 35072, 41859],
    ['Cannot truncate prompt with n_keep (6217) >= n_ctx (4096)', 4096, 6217],
    ['n_keep >= n_ctx: 2152 >= 2048', 2048, 2152],
  ];
  for (const [said, window, prompt] of overflows) {
    it(`knows a prompt that is too long: ${said}`, () => {
      const { code, contextLimit, promptTokens } = describeSaid(said, 400);
      assert.deepEqual([code, contextLimit, promptTokens], ['context_overflow', window, prompt]);
    });
  }

  const other: readonly (readonly [string, number])[] = [
    ['Jinja Exception: Conversation roles must alternate', 500],
    ["Jinja Exception: Cannot perform operation + on undefined values at row 3: {{ 'does not match' + x }}", 500],
    ['Failed to parse messages: missing content', 500],
    ['The schema does not match the expected type', 400],
    ['the n_keep option must be below 100', 400],
    ['CUDA error: out of memory', 500],
  ];
  for (const [said, status] of other) {
    it(`does not take for either: ${said.slice(0, 70)}`, () => {
      const error = describeSaid(said, status);
      assert.ok(!isUnreadableOutput(error));
      assert.notEqual(error.code, 'context_overflow');
    });
  }

  it('never names --jinja for what a template says', () => {
    const sentence = fc.constantFrom('bad role', 'No user query found in messages.', 'tools must be a list', 'x');
    fc.assert(
      fc.property(sentence, fc.constantFrom(400, 500), (said, status) => {
        const body = JSON.stringify({ error: { message: `Jinja Exception: ${said}` } });
        const learned = learnQuirk({ url, status, body }, request, noQuirks);
        assert.doesNotMatch(learned?.message ?? '', /--jinja/);
      }),
    );
  });

  it('reads unknown words by when they came: in mid-answer the output is unreadable, before it the request failed', async () => {
    const words = fc.array(fc.constantFrom('peg', 'strict', 'unit', 'failed', 'tail', 'mismatch', 'at', '3'), {
      minLength: 1,
    });
    const envelope = fc.constantFrom<(message: string, code: number) => unknown>(
      (message, code) => ({ error: { code, message, type: 'server_error' } }),
      (message) => ({ error: message }),
      (message) => ({ object: 'error', message }),
    );
    await fc.assert(
      fc.asyncProperty(words, envelope, fc.constantFrom(500, 400, 422), async (said, wrap, code) => {
        const frame = wrap(said.join(' '), code);
        const during = await errorAfter('Let me look', frame);
        assert.ok(during && isUnreadableOutput(during), JSON.stringify(during));
        assert.ok(during.message.includes(said.join(' ')));
        const before = await errorAfter('', frame);
        assert.ok(before && !isUnreadableOutput(before), JSON.stringify(before));
      }),
      { numRuns: 60 },
    );
  });

  for (const said of ['CUDA error: out of memory', 'Compute error.', 'llama runner process has terminated']) {
    it(`does not ask again in mid-answer after: ${said}`, async () => {
      const error = await errorAfter('Let me look', { error: { code: 500, message: said } });
      assert.ok(error && !isUnreadableOutput(error));
    });
  }
});
