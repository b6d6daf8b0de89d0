import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AssistantBlock, StopReason, ToolUseError } from '../../../../src/sdk/messages';
import type { ModelEvent } from '../../../../src/sdk/model/modelProvider';
import { createOpenAIProvider } from '../../../../src/sdk/model/openaiProvider';
import { parseJson } from '../../../../src/util/json';
import { aggregate, callChunk, countedIds, finishChunk, textChunk, tools } from './streamFixtures';

type Block = AssistantBlock | ToolUseError;

const content = 'line\n'.repeat(40);
const native = JSON.stringify({ path: 'a.txt', content });
const asText: Readonly<Record<string, string>> = {
  Hermes: `<tool_call>\n{"name": "write_file", "arguments": ${native}}\n</tool_call>`,
  'Qwen3-Coder': `<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`,
  GLM: `<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${content}</arg_value>\n</tool_call>`,
  Mistral: `[TOOL_CALLS][{"name": "write_file", "arguments": ${native}}]`,
  Llama: `<|python_tag|>{"name": "write_file", "parameters": ${native}}`,
  Kimi: `<|tool_calls_section_begin|><|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>${native}<|tool_call_end|><|tool_calls_section_end|>`,
  'Kimi K3': `<|open|>tools<|sep|><|open|>call tool="write_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a.txt<|close|>argument<|sep|><|open|>argument key="content" type="string"<|sep|>${content}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`,
  MiniMax: `<minimax:tool_call>\n<invoke name="write_file">\n<parameter name="path">a.txt</parameter>\n<parameter name="content">${content}</parameter>\n</invoke>\n</minimax:tool_call>`,
  harmony: `<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>${native}<|call|>`,
  'a whole answer': `{"name": "write_file", "arguments": ${native}}`,
};

/** A chunk with a finish reason of its own, as KoboldCpp sends the word "null" with each. */
function withReason(chunk: unknown, reason: unknown): unknown {
  const [choice] = (chunk as { choices: [object] }).choices;
  return { choices: [{ ...choice, finish_reason: reason }] };
}

function uses(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter(({ type }) => type === 'tool_use');
}

/** The end of a stream with this body: the stop reason of an answer, or the code of an error. */
async function endOf(body: ReadableStream<Uint8Array> | string): Promise<{ end: string; blocks: readonly Block[] }> {
  const provider = createOpenAIProvider({
    baseUrl: 'http://127.0.0.1:1/v1',
    newToolUseId: countedIds(),
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  });
  const request = { model: 'm', systemPrompt: '', messages: [], tools, sampling: {} };
  let last: ModelEvent | undefined;
  for await (const event of provider.stream(request, { signal: new AbortController().signal })) last = event;
  if (last?.type === 'response_end') return { end: last.stopReason, blocks: last.content };
  return last?.type === 'error' ? { end: last.error.code, blocks: last.partial } : { end: '', blocks: [] };
}

const sse = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;

/** A body whose connection breaks at its end. */
function broken(text: string): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new Error('reset'));
      else controller.enqueue(new TextEncoder().encode(text));
      isSent = true;
    },
  });
}

describe('the end of a stream', () => {
  const none = fc.constantFrom<unknown>(null, undefined, '', 'null', 'none', 'None');
  const real = fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter', 'MAX_TOKENS', 'abort');
  const stopReasons: Readonly<Record<string, StopReason>> = {
    stop: 'stop',
    tool_calls: 'stop',
    length: 'length',
    MAX_TOKENS: 'length',
    content_filter: 'content_filter',
    abort: 'incomplete',
  };

  it('is the last real finish reason, whatever reasons the chunks carry', () => {
    const chunks = fc.array(fc.tuple(fc.constantFrom('a', 'b', ''), fc.oneof(none, real)), { maxLength: 12 });
    fc.assert(
      fc.property(chunks, (parts) => {
        const last = parts.map(([, reason]) => stopReasons[String(reason)]).findLast((reason) => reason !== undefined);
        const { response } = aggregate(parts.map(([text, reason]) => withReason(textChunk(text), reason)));
        assert.equal(response.stopReason, last ?? 'stop');
      }),
      { numRuns: 500 },
    );
  });

  it('runs no native call of an answer that reached a limit, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.nat({ max: native.length }), none, fc.constantFrom('length', 'max_tokens'), (at, word, limit) => {
        const pieces = native.slice(0, at).match(/[^]{1,7}/g) ?? [];
        const head = callChunk({ index: 0, id: 'a', function: { name: 'write_file', arguments: '' } });
        const more = pieces.map((piece) => callChunk({ index: 0, function: { arguments: piece } }));
        const chunks = [head, ...more].map((chunk) => withReason(chunk, word));
        const { response } = aggregate([...chunks, finishChunk(limit)]);
        assert.deepEqual(uses(response.content), []);
        assert.equal(response.stopReason, 'length');
      }),
    );
  });

  for (const [family, markup] of Object.entries(asText)) {
    it(`runs no call written as text for ${family} that a limit cut, wherever it is cut`, () => {
      for (let at = 1; at <= markup.length; at++) {
        const chunks = (markup.slice(0, at).match(/[^]{1,9}/g) ?? []).map((piece) =>
          withReason(textChunk(piece), 'null'),
        );
        const { response } = aggregate([...chunks, finishChunk('length')]);
        assert.deepEqual(uses(response.content), [], markup.slice(0, at));
      }
    });

    it(`runs the whole call written as text for ${family}`, () => {
      const { response } = aggregate([withReason(textChunk(markup), 'null'), finishChunk('stop')]);
      const input = { path: 'a.txt', content: content };
      const [call] = uses(response.content);
      assert.equal(call?.type === 'tool_use' && call.name, 'write_file');
      assert.equal(call?.type === 'tool_use' && (call.input['content'] as string).trim(), input.content.trim());
    });
  }

  const isJson = (text: string): boolean => parseJson(text) !== undefined;

  describe('with a reason that does not name the limit', () => {
    const edits = '{"path":"a","content":[{"old":"x","new":"y"},{"old":"z","new":"w"}]}';
    const cuts = Array.from({ length: edits.length - 1 }, (_, index) => edits.slice(0, index + 1));
    for (const reason of ['stop', 'tool_calls', 'abort', 'null']) {
      it(`runs no native call whose inner brackets are open, with "${reason}"`, () => {
        for (const cut of cuts) {
          // vLLM loses the outermost bracket of a call that its parser found complete.
          if (reason === 'tool_calls' && isJson(`${cut}}`)) continue;
          const chunk = callChunk({ index: 0, id: 'a', function: { name: 'write_file', arguments: cut } });
          assert.deepEqual(uses(aggregate([chunk, finishChunk(reason)]).response.content), [], cut);
        }
      });
    }

    it('runs no call written as text whose brackets are open', () => {
      for (const cut of cuts) {
        for (const open of ['<tool_call>{"name":"write_file","arguments":', '{"name":"write_file","arguments":']) {
          const chunks = [textChunk(open + cut), finishChunk('stop')];
          assert.deepEqual(uses(aggregate(chunks).response.content), [], cut);
        }
      }
    });

    it('runs a native call with arguments in single quotes', () => {
      const args = `{'path': 'it"s', 'content': 'b'}`;
      const chunk = callChunk({ index: 0, id: 'a', function: { name: 'write_file', arguments: args } });
      const [call] = aggregate([chunk, finishChunk('stop')]).response.content;
      assert.deepEqual(call, { type: 'tool_use', id: 'a', name: 'write_file', input: { path: 'it"s', content: 'b' } });
    });
  });

  it('shows a cut call that is the whole answer as a call, and other cut JSON as text', () => {
    const cut = aggregate([textChunk('{"name": "write_file", "arguments": {"pa'), finishChunk('length')]).response;
    assert.deepEqual(
      cut.content.map(({ type }) => type),
      ['tool_use_error'],
    );
    const text = '{"name": "Bob", "arguments": {"pa';
    const other = aggregate([textChunk(text), finishChunk('length')]).response;
    assert.deepEqual(other.content, [{ type: 'text', text }]);
  });

  it('keeps a call that is only quoted in an answer that reached its limit', () => {
    const text = 'Write this:\n```\n<tool_call>{"name": "write_file", "argu';
    const { content: blocks } = aggregate([textChunk(text), finishChunk('length')]).response;
    assert.deepEqual(blocks, [{ type: 'text', text }]);
  });

  const one = sse(withReason(textChunk('One'), 'stop'));
  const two = sse(withReason(textChunk(' two'), 'stop'));
  const ends: readonly (readonly [string, ReadableStream<Uint8Array> | string, string])[] = [
    ['a broken connection after the reason is complete', broken(one), 'stop'],
    [
      'a broken connection after the word "null" is broken',
      broken(sse(withReason(textChunk('One'), 'null'))),
      'stream_broken',
    ],
    ['a broken connection between chunks with reasons is broken', broken(one + two), 'stream_broken'],
    ['a whole body of chunks with reasons is complete', one + two, 'stop'],
    ['a body that goes on after its reason is incomplete', one + sse(textChunk(' two')), 'incomplete'],
    [
      'an end marker completes a body that goes on after its reason',
      `${one}${sse(textChunk(' two'))}data: [DONE]\n\n`,
      'stop',
    ],
  ];
  for (const [name, body, end] of ends) {
    it(name, async () => assert.equal((await endOf(body)).end, end));
  }
});
