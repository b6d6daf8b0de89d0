import assert from 'node:assert/strict';
import fc from 'fast-check';
import { aggregateBytes, callChunk, deltaChunk, finishChunk, textChunk } from './streamFixtures';

interface Chunk {
  readonly choices: readonly { readonly delta: Readonly<Record<string, unknown>>; readonly finish_reason: unknown }[];
}

const sse = (data: string): string => `data: ${data}\n\n`;
const json = (value: unknown): string => JSON.stringify(value);
const twice = (value: unknown): string => json(json(value));
const DONE = sse('[DONE]');
const NOTHING = { choices: [] };

/** Chunks with their only choice written in another way. */
function rewritten(
  chunks: readonly Chunk[],
  rewrite: (choice: Chunk['choices'][number], at: number) => unknown,
): string {
  const rewrittenChunks = chunks.map(({ choices: [choice] }, at) => ({
    choices: choice === undefined ? [] : rewrite(choice, at),
  }));
  return rewrittenChunks.map((chunk) => sse(json(chunk))).join('') + DONE;
}

function inGroups<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** All deltas up to each one, as one message. */
function growing(chunks: readonly Chunk[]): (choice: Chunk['choices'][number], at: number) => unknown {
  return ({ finish_reason }, at) => {
    const message: Record<string, unknown> = { role: 'assistant' };
    for (const { choices } of chunks.slice(0, at + 1)) {
      for (const [key, value] of Object.entries(choices[0]?.delta ?? {})) {
        const before = message[key];
        message[key] = Array.isArray(value)
          ? [...((before as unknown[] | undefined) ?? []), ...(value as unknown[])]
          : `${(before as string | undefined) ?? ''}${value as string}`;
      }
    }
    return [{ index: 0, message, finish_reason }];
  };
}

/** Forms in which gateways and servers send the same chunks. */
const forms: Readonly<Record<string, (chunks: readonly Chunk[]) => string>> = {
  'one event for each': (chunks) => chunks.map((chunk) => sse(json(chunk))).join('') + DONE,
  'two on a line': (chunks) =>
    inGroups(chunks, 2)
      .map((pair) => sse(pair.map(json).join('')))
      .join('') + DONE,
  'three on a line, with blanks': (chunks) =>
    inGroups(chunks, 3)
      .map((group) => sse(group.map(json).join(' ')))
      .join('') + DONE,
  'all on a line, with commas': (chunks) => sse(chunks.map(json).join(', ')) + DONE,
  'all on a line, framed each': (chunks) => `${chunks.map((chunk) => `data: ${json(chunk)}`).join('')}data: [DONE]\n\n`,
  'the end on the last line': (chunks) => sse(`${chunks.map(json).join('')}[DONE]`),
  'encoded twice': (chunks) => chunks.map((chunk) => sse(twice(chunk))).join('') + sse(json('[DONE]')),
  'encoded three times': (chunks) => chunks.map((chunk) => sse(json(twice(chunk)))).join('') + DONE,
  'framed inside a string': (chunks) => chunks.map((chunk) => sse(json(sse(json(chunk))))).join('') + DONE,
  'lists of chunks': (chunks) =>
    inGroups(chunks, 3)
      .map((group) => sse(json(group)))
      .join('') + DONE,
  'a list of encoded chunks': (chunks) => sse(json(chunks.map(json))) + DONE,
  'a body that is a list': (chunks) => json(chunks),
  'lines of JSON': (chunks) => chunks.map((chunk) => `${json(chunk)}\n`).join(''),
  'objects without a line break': (chunks) => [NOTHING, ...chunks].map(json).join(''),
  'lines without a frame': (chunks) => `: hello\n${chunks.map((chunk) => `${json(chunk)}\n`).join('')}${DONE}`,
  'CR LF, and no blank': (chunks) => chunks.map((chunk) => `data:${json(chunk)}\r\n\r\n`).join('') + DONE,
  'no empty lines': (chunks) => `${chunks.map((chunk) => `data: ${json(chunk)}\n`).join('')}data: [DONE]\n`,
  'keep-alives between them': (chunks) =>
    chunks.map((chunk) => `: ping\n\n${sse('null')}${sse(json(chunk))}`).join('') + DONE,
  'spread over lines': (chunks) =>
    chunks.map((chunk) => `${JSON.stringify(chunk, null, 1).replaceAll(/^/gm, 'data: ')}\n\n`).join('') + DONE,
  'deltas as lists': (chunks) =>
    rewritten(chunks, ({ delta, ...choice }) => [
      { ...choice, delta: Object.entries(delta).map(([key, value]) => ({ [key]: value })) },
    ]),
  'encoded deltas': (chunks) => rewritten(chunks, ({ delta, ...choice }) => [{ ...choice, delta: json(delta) }]),
  'text in the place of deltas': (chunks) =>
    rewritten(chunks, ({ delta, ...choice }) => [
      { ...choice, delta: typeof delta['content'] === 'string' ? delta['content'] : delta },
    ]),
  'parts of content': (chunks) =>
    rewritten(chunks, ({ delta: { content, ...delta }, ...choice }) => [
      {
        ...choice,
        delta: typeof content === 'string' ? { ...delta, content: [{ type: 'text', text: content }] } : delta,
      },
    ]),
  'strings as parts': (chunks) =>
    rewritten(chunks, ({ delta: { content, ...delta }, ...choice }) => [
      { ...choice, delta: typeof content === 'string' ? { ...delta, content: [...content] } : delta },
    ]),
  'calls without a list': (chunks) =>
    rewritten(chunks, ({ delta: { tool_calls: calls, ...delta }, ...choice }) => [
      { ...choice, delta: Array.isArray(calls) ? { ...delta, tool_calls: calls[0] as unknown } : delta },
    ]),
  'encoded calls': (chunks) =>
    rewritten(chunks, ({ delta: { tool_calls: calls, ...delta }, ...choice }) => [
      { ...choice, delta: calls === undefined ? delta : { ...delta, tool_calls: json(calls) } },
    ]),
  'a choice without a list': (chunks) => rewritten(chunks, (choice) => choice),
  'numbered choices': (chunks) => rewritten(chunks, (choice) => ({ 0: choice })),
  'encoded choices': (chunks) => rewritten(chunks, (choice) => json([choice])),
  'two entries of one choice': (chunks) =>
    rewritten(chunks, ({ delta, ...choice }) =>
      Object.entries({ role: 'assistant', ...delta }).map(([key, value]) => ({ ...choice, delta: { [key]: value } })),
    ),
  'an empty delta beside a message': (chunks) =>
    rewritten(chunks, ({ delta, ...choice }) => [{ ...choice, delta: {}, message: delta }]),
  'messages with a piece each': (chunks) =>
    rewritten(chunks, ({ delta, ...choice }) => [{ ...choice, message: delta }]),
  'messages that grow': (chunks) => rewritten(chunks, growing(chunks)),
  'the whole message once more': (chunks) =>
    chunks.map((chunk) => sse(json(chunk))).join('') +
    sse(json({ choices: growing(chunks)({ delta: {}, finish_reason: 'stop' }, chunks.length - 1) })) +
    DONE,
};

type Part = readonly ['text' | 'thinking' | 'call', string];

/** The chunks of an answer: thoughts, text in pieces, and calls. */
function chunksOf(parts: readonly Part[]): readonly Chunk[] {
  let count = 0;
  const chunks = parts.flatMap(([type, text]): readonly unknown[] => {
    if (type === 'thinking') return [deltaChunk({ reasoning_content: text })];
    if (type === 'text') return [textChunk(text)];
    const index = count++;
    const fields = { name: 'read_file', arguments: json({ path: `${index} ${text}` }) };
    return [callChunk({ index, id: `call${index}`, type: 'function', function: fields })];
  });
  return [...chunks, finishChunk(count > 0 ? 'tool_calls' : 'stop')] as Chunk[];
}

/** Pieces of bytes, cut at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
  return [0, ...sorted].map((start, at) => bytes.subarray(start, [...sorted, bytes.length][at]));
}

const piece = fc.constantFrom(
  'a',
  'Hello',
  ' wörld',
  '\n',
  '{"x": 1}',
  ' 🙂',
  '[DONE]',
  'data: {',
  '"',
  '\\',
  ' then ',
  '}{',
);
const answers = fc
  .tuple(
    fc.array(fc.tuple(fc.constant('thinking' as const), piece), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constant('text' as const), piece), { maxLength: 6 }),
    fc.array(fc.tuple(fc.constant('call' as const), piece), { maxLength: 3 }),
  )
  // A first piece that no other begins with: else it is not clear whether pieces repeat the text so far.
  .map(([thinking, text, calls]): readonly Part[] => [
    ['thinking', '(1) '],
    ...thinking,
    ['text', '(2) '],
    ...text,
    ...calls,
  ]);

describe('forms of a stream', () => {
  for (const [name, write] of Object.entries(forms)) {
    it(`reads ${name} as the same answer, wherever the bytes are split`, () => {
      fc.assert(
        fc.property(answers, fc.array(fc.nat(), { maxLength: 8 }), (parts, places) => {
          const chunks = chunksOf(parts);
          const plain = aggregateBytes([Buffer.from(chunks.map((chunk) => sse(json(chunk))).join('') + DONE)]);
          const { response, malformed } = aggregateBytes(cut(Buffer.from(write(chunks)), places));
          assert.deepEqual(
            [response.content, response.stopReason, malformed],
            [plain.response.content, plain.response.stopReason, []],
          );
        }),
        { seed: 14, numRuns: 40 },
      );
    });

    it(`reads ${name} cut at each byte`, () => {
      const chunks = chunksOf([
        ['text', 'Ä"{'],
        ['text', '🙂'],
        ['call', 'ü'],
      ]);
      const bytes = Buffer.from(write(chunks));
      const { content } = aggregateBytes([bytes]).response;
      assert.deepEqual(
        content.map(({ type }) => type),
        ['text', 'tool_use'],
      );
      for (let at = 1; at < bytes.length; at++) {
        assert.deepEqual(aggregateBytes(cut(bytes, [at])).response.content, content, `cut at ${at}`);
      }
    });
  }

  const hi = json(textChunk('Hi'));
  const ended = json(finishChunk('stop'));
  const twins: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['a rest that is cut', sse(`${hi}{"choices":[{"delta":{"con`), 'Hi', ['{"choices":[{"delta":{"con']],
    ['a string that holds no JSON', sse(hi) + sse('"still here"'), 'Hi', ['"still here"']],
    ['a string with cut JSON', sse(hi) + sse(json('{"choices":[{"del')), 'Hi', ['{"choices":[{"del']],
    ['a list of numbers', sse(hi) + sse('[1, 2]'), 'Hi', ['[1, 2]']],
    ['text after a chunk', sse(`${hi} ping`), 'Hi', ['ping']],
    ['text that holds chunks', sse(json(textChunk(`${hi}${hi}`))), hi + hi, []],
    ['text that is a string of JSON', sse(json(textChunk(json(hi)))), json(hi), []],
    [
      'braces as a text in the place of a delta',
      sse('{"choices":[{"index":0,"delta":"{}","finish_reason":null}]}'),
      '{}',
      [],
    ],
    ['JSON as a text in the place of a delta', sse(json({ choices: [{ delta: '{"a": 1}' }] })), '{"a": 1}', []],
    [
      'choices beside each other',
      sse(json({ choices: [{ message: { content: 'Hi' } }, { message: { content: 'Ho' } }] })),
      'Hi',
      [],
    ],
    [
      'another choice',
      sse(
        json({
          choices: [
            { index: 0, delta: { content: 'Hi' } },
            { index: 1, delta: { content: 'Ho' } },
          ],
        }),
      ),
      'Hi',
      [],
    ],
    [
      'messages that repeat a text',
      ['ha', 'x', 'x']
        .map((content) => sse(json({ choices: [{ message: { content }, finish_reason: null }] })))
        .join(''),
      'haxx',
      [],
    ],
    [
      'a last message that differs from its deltas',
      sse(hi) + sse(json({ choices: [{ message: { content: 'Ho' } }] })),
      'Hi',
      [],
    ],
  ];
  for (const [what, body, text, lost] of twins) {
    it(`takes ${what} for what it is, wherever the bytes are split`, () => {
      const bytes = Buffer.from(body + sse(ended) + DONE);
      for (let at = 0; at < bytes.length; at++) {
        const { response, malformed } = aggregateBytes(cut(bytes, [at]));
        assert.deepEqual([response.content, malformed], [[{ type: 'text', text }], lost], `cut at ${at}`);
      }
    });
  }

  it('takes the calls and the text of a last message that its deltas had not', () => {
    const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } };
    const message = { role: 'assistant', content: 'Hi', tool_calls: [call] };
    const last = sse(json({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    const use = { type: 'tool_use', id: 'c', name: 'read_file', input: { path: 'a' } };
    const read = (body: string): unknown => aggregateBytes([Buffer.from(body + last + DONE)]).response.content;
    assert.deepEqual(read(sse(json(deltaChunk({ reasoning_content: 'Hm' })))), [
      { type: 'thinking', text: 'Hm' },
      { type: 'text', text: 'Hi' },
      use,
    ]);
    assert.deepEqual(read(sse(hi)), [{ type: 'text', text: 'Hi' }, use]);
    // Not so: the call came before.
    assert.deepEqual(read(sse(json(callChunk({ index: 0, ...call })))), [use, { type: 'text', text: 'Hi' }]);
  });

  it('keeps the calls of whole messages apart that have neither ids nor places', () => {
    const callOf = (path: string): object => ({ function: { name: 'read_file', arguments: json({ path }) } });
    const messages = [[callOf('a')], [callOf('a'), callOf('b')], [callOf('a'), callOf('b')]];
    const body = messages.map((tool_calls) =>
      sse(json({ choices: [{ message: { tool_calls }, finish_reason: null }] })),
    );
    const { content } = aggregateBytes([Buffer.from(body.join('') + sse(ended) + DONE)]).response;
    assert.deepEqual(
      content.map((block) => block.type === 'tool_use' && block.input),
      [{ path: 'a' }, { path: 'b' }],
    );
  });
});
