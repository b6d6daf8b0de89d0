import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AssistantBlock, ToolUseError } from '../../../../src/sdk/messages';
import type { ModelEvent } from '../../../../src/sdk/model/modelProvider';
import { createOpenAIProvider } from '../../../../src/sdk/model/openaiProvider';
import { callChunk, countedIds, finishChunk, recording, textChunk, tools } from './streamFixtures';

type Block = AssistantBlock | ToolUseError;

const recordings = [
  'qwen2.5-tool-call.sse',
  'qwen2.5-two-tool-calls.sse',
  'qwen3-thinking-then-tool.sse',
  'llama3.1-tool.sse',
  'tool-call-as-text-wrong-template.sse',
];

const DONE = 'data: [DONE]\n\n';
const BROKEN = 'data: {"choices":[{"delta":{"tool_ca\n\n';

const loss =
  'Part of the answer was damaged on its way from the server, so this tool call was not executed. Call it again.';
const afterEnd =
  'The server sent this tool call after it had marked the end of the answer. It was not executed. Call it again.';
const unfinished =
  'The answer ended before the arguments of this tool call were complete. It was not executed. Call it again.';

const sse = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;
const begin = (id: string, args: string): string =>
  sse(callChunk({ index: 0, id, function: { name: 'read_file', arguments: args } }));
const more = (args: string): string => sse(callChunk({ index: 0, function: { arguments: args } }));
const finished = sse(finishChunk('tool_calls'));
const call = (id: string, path: string): Block => ({ type: 'tool_use', id, name: 'read_file', input: { path } });
const failed = (toolUseId: string, error: string, rawData: string): Block => ({
  type: 'tool_use_error',
  error,
  rawData,
  toolUseId,
  toolName: 'read_file',
});

/** The blocks of a stream with this body. */
async function read(body: string): Promise<readonly Block[]> {
  const provider = createOpenAIProvider({
    baseUrl: 'http://127.0.0.1:1/v1',
    newToolUseId: countedIds(),
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  });
  const request = { model: 'm', systemPrompt: '', messages: [], tools, sampling: {} };
  let last: ModelEvent | undefined;
  for await (const event of provider.stream(request, { signal: new AbortController().signal })) last = event;
  if (last?.type === 'response_end') return last.content;
  return last?.type === 'error' ? last.partial : [];
}

const executed = (blocks: readonly Block[]): readonly Block[] => blocks.filter(({ type }) => type === 'tool_use');

describe('damaged streams', () => {
  const rejected: readonly (readonly [string, string, readonly Block[]])[] = [
    [
      'a chunk is malformed inside its arguments',
      begin('a', '{"path":"src/') + BROKEN + more('a.ts"}') + finished + DONE,
      [failed('a', loss, '{"path":"src/a.ts"}')],
    ],
    [
      'its arguments go on after a loss, though they were complete',
      begin('a', '{"path":"a"}') + BROKEN + more(',"b":1}') + finished + DONE,
      [failed('a', loss, '{"path":"a"},"b":1}')],
    ],
    [
      'its first chunk may be lost and its arguments need repair',
      BROKEN + begin('a', '{"path":"a"') + finished + DONE,
      [failed('a', loss, '{"path":"a"')],
    ],
    [
      'it comes after the end marker',
      sse(textChunk('Done.')) + finished + DONE + begin('a', '{"path":"a"}'),
      [{ type: 'text', text: 'Done.' }, failed('a', afterEnd, '{"path":"a"}')],
    ],
    [
      'its arguments go on after the end marker',
      begin('a', '{"path":"a') + DONE + more('b"}') + finished,
      [failed('a', afterEnd, '{"path":"ab"}')],
    ],
    [
      'its closing brace is missing and no finish reason came',
      begin('a', '{"path":"a"') + DONE,
      [failed('a', unfinished, '{"path":"a"')],
    ],
    [
      'it is written as text and lacks its end, and no finish reason came',
      sse(textChunk('<tool_call>{"name":"read_file","arguments":{"path":"a"')) + DONE,
      [
        {
          type: 'tool_use_error',
          error: 'The answer was cut off inside this tool call. It was not executed.',
          rawData: '<tool_call>{"name":"read_file","arguments":{"path":"a"',
        },
      ],
    ],
    [
      'it is written as text after a loss',
      sse(textChunk('Look:\n')) +
        BROKEN +
        sse(textChunk('<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>')) +
        finished +
        DONE,
      [{ type: 'text', text: 'Look:\n' }, failed('id1', loss, '{"path":"a"}')],
    ],
  ];
  for (const [when, body, blocks] of rejected) {
    it(`does not execute a call when ${when}`, async () => {
      assert.deepEqual(await read(body), blocks);
    });
  }

  const accepted: readonly (readonly [string, string, readonly Block[]])[] = [
    ['whole in one chunk before a loss', begin('a', '{"path":"a"}') + BROKEN + finished + DONE, [call('a', 'a')]],
    ['whole and valid after a loss', BROKEN + begin('a', '{"path":"a"}') + finished + DONE, [call('a', 'a')]],
    ['whole without a finish reason', begin('a', '{"path":"a"}') + DONE, [call('a', 'a')]],
    ['without its closing brace in a finished stream', begin('a', '{"path":"a"') + finished + DONE, [call('a', 'a')]],
    [
      'written as text without a finish reason',
      sse(textChunk('<tool_call>{"name":"read_file","arguments":{"path":"a"}}')) + DONE,
      [call('id1', 'a')],
    ],
  ];
  for (const [which, body, calls] of accepted) {
    it(`executes a call that is ${which}`, async () => {
      assert.deepEqual(executed(await read(body)), calls);
    });
  }

  it('goes on with text after a malformed chunk', async () => {
    const body = sse(textChunk('One, ')) + BROKEN + sse(textChunk('two.')) + sse(finishChunk('stop')) + DONE;
    assert.deepEqual(await read(body), [{ type: 'text', text: 'One, two.' }]);
  });

  for (const name of recordings) {
    it(`executes only the calls of the undamaged ${name}, with the same arguments`, async () => {
      const chunks = recording(name)
        .toString('utf8')
        .split(/(?<=\n\n)/)
        .filter((chunk) => chunk.trim() !== '');
      const whole = executed(await read(chunks.join('')));
      assert.ok(whole.length > 0);
      const damage = fc.oneof(
        // The chunk ends too early, begins too late, or runs into the next one.
        fc.record({
          kind: fc.constantFrom('end', 'start', 'joined'),
          share: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        fc.record({ kind: fc.constantFrom('moved', 'marker', 'cut'), share: fc.constant(0) }),
      );
      for (const [at, chunk] of chunks.entries()) {
        await fc.assert(
          fc.asyncProperty(damage, async ({ kind, share }) => {
            const data = chunk.trimEnd().slice('data: '.length);
            const place = 1 + Math.floor(share * Math.max(0, data.length - 2));
            const before = chunks.slice(0, at).join('');
            const after = chunks.slice(at + 1).join('');
            const body = {
              end: `${before}data: ${data.slice(0, place)}\n\n${after}`,
              start: `${before}data: ${data.slice(place)}\n\n${after}`,
              joined: `${before}data: ${data.slice(0, place)}${after}`,
              // The chunk comes after the end marker.
              moved: `${before}${DONE}${chunk}${after}`,
              marker: `${before}${DONE}${after}`,
              cut: `${before}${DONE}`,
            }[kind as 'end'];
            for (const block of executed(await read(body))) {
              const same = whole.some((other) => inputOf(other) === inputOf(block));
              assert.ok(same, `${kind}: ${JSON.stringify(block)}`);
            }
          }),
          { seed: 9, numRuns: 8 },
        );
      }
    }).timeout(60_000);
  }
});

/** Ids may differ: a lost chunk may have had the server's. */
function inputOf(block: Block): string {
  return block.type === 'tool_use' ? JSON.stringify([block.name, block.input]) : '';
}
