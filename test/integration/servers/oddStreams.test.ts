import assert from 'node:assert/strict';
import type { AssistantBlock, Usage } from '../../../src/sdk/messages';
import { chunk, stream, useProviderServers } from '../../support/servers/providerServers';

interface Odd {
  readonly what: string;
  readonly body: string;
  /** The calls that may run, and the text. */
  readonly calls?: number;
  readonly input?: object;
  readonly text?: string;
  readonly stopReason?: string;
  /** What the error says. Absent: there is none. */
  readonly error?: RegExp;
  readonly usage?: Usage;
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const hi = chunk({ content: 'Hi' });
const done = 'data: [DONE]\n\n';
const end = chunk({}, 'stop') + done;
const call = chunk({
  tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
});
const choice = (more: object): string => data({ id: 'r', model: 'm', choices: [{ index: 0, delta: {}, ...more }] });
const last = (more: object): string => data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...more });
const counts = (prompt: number, completion: number) => ({ prompt_tokens: prompt, completion_tokens: completion });
const failed = { text: 'Hi', error: /It says: CUDA out of memory/ };
const cut = { calls: 0, stopReason: 'length' };

const odd: readonly Odd[] = [
  // Errors without a name around them.
  { what: 'a bare error', body: hi + data({ message: 'CUDA out of memory', code: 500 }), ...failed },
  {
    what: 'a bare error and an end',
    body: hi + data({ message: 'CUDA out of memory', type: 'InternalServerError' }) + done,
    ...failed,
  },
  {
    what: 'an error by its status',
    body: hi + data({ status: 'error', message: 'CUDA out of memory' }) + end,
    ...failed,
  },
  {
    what: 'a bare error at first',
    body: data({ message: 'CUDA out of memory', type: 'X', code: 503 }),
    error: failed.error,
  },
  {
    what: 'a bare overflow',
    body: data({ message: "This model's maximum context length is 100 tokens.", code: 400 }),
    error: /does not fit/,
  },
  {
    what: 'a message that is no error',
    body: data({ type: 'ping', message: 'still here', code: 0 }) + hi + end,
    text: 'Hi',
  },

  // The reason at other places.
  {
    what: 'a limit beside the choices',
    body: call + data({ choices: [{ index: 0, delta: {} }], finish_reason: 'length' }) + done,
    ...cut,
  },
  { what: 'a limit in the piece', body: call + choice({ delta: { finish_reason: 'length' } }) + done, ...cut },
  {
    what: 'a limit by another name',
    body: call + choice({ finish_reason: null, stop_reason: 'max_tokens' }) + done,
    ...cut,
  },
  { what: 'a limit as an object', body: call + choice({ finish_reason: { type: 'length' } }) + done, ...cut },
  {
    what: 'the token that ended a whole call',
    body: call + choice({ finish_reason: 'tool_calls', stop_reason: 151645 }) + done,
    calls: 1,
  },
  {
    what: 'a stop that names its word',
    body: call + choice({ finish_reason: null, stop_reason: '</s>' }) + done,
    calls: 1,
  },

  // Numbers that are no JSON.
  {
    what: 'NaN and Infinity',
    body: `data: {"choices":[{"index":0,"delta":{"content":"Hi NaN \\" Infinity"},"logprob":NaN,"speed":-Infinity}]}\n\n${end}`,
    text: 'Hi NaN " Infinity',
  },

  // Counts.
  {
    what: 'counts in the choice',
    body: hi + choice({ finish_reason: 'stop', usage: counts(5, 2) }) + done,
    text: 'Hi',
    usage: { promptTokens: 5, completionTokens: 2 },
  },
  {
    what: 'half of the counts, and timings',
    body: hi + last({ usage: { prompt_tokens: 5 }, timings: { cache_n: 2, prompt_n: 3, predicted_n: 4 } }) + done,
    text: 'Hi',
    usage: { promptTokens: 5, completionTokens: 4, cachedTokens: 2 },
  },
  {
    what: 'zeros after the counts',
    body: hi + last({ usage: counts(5, 2) }) + data({ choices: [], usage: counts(0, 0) }) + done,
    text: 'Hi',
    usage: { promptTokens: 5, completionTokens: 2 },
  },
  { what: 'counts below zero', body: hi + last({ usage: counts(-1, 2) }) + done, text: 'Hi' },

  // Frames and forms.
  { what: 'events that are framed twice', body: hi.replace('data: ', 'data: data: ') + end, text: 'Hi' },
  ...['parameters', 'input'].map((name) => ({
    what: `arguments that are named "${name}"`,
    body: chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'read_file', [name]: { path: 'a' } } }] }) + end,
    calls: 1,
    input: { path: 'a' },
  })),
  {
    what: 'arguments beside others of another name',
    body:
      chunk({
        tool_calls: [{ id: 'x', function: { name: 'read_file', arguments: '{"path":"a"}', input: { path: 'b' } } }],
      }) + end,
    calls: 1,
    input: { path: 'a' },
  },
  {
    what: 'a call beside the piece',
    body:
      choice({ tool_calls: [{ index: 0, id: 'x', function: { name: 'read_file', arguments: '{"path":"a"}' } }] }) + end,
    calls: 1,
    input: { path: 'a' },
  },
  { what: 'an end marker in small letters', body: hi + 'data: [done]\n\n', text: 'Hi' },
  { what: 'the end marker as text', body: chunk({ content: '[done]' }) + end, text: '[done]' },
  {
    what: 'a call that is no list',
    body: chunk({ tool_calls: { id: 'x', function: { name: 'read_file', arguments: '{"path":"a"}' } } }) + end,
    calls: 1,
  },
];

describe('streams with oddities of their own', () => {
  const { serve, run } = useProviderServers();

  for (const {
    what,
    body,
    calls = 0,
    text = '',
    stopReason = calls > 0 ? 'tool_use' : 'stop',
    error,
    usage,
    input,
  } of odd) {
    it(`are read with ${what}, in one piece, byte by byte and with other line ends`, async () => {
      const forms = [
        Buffer.from(body),
        Buffer.from(body.replaceAll('\n', '\r\n')),
        Buffer.from(body.replaceAll('\n', '\r')),
      ];
      const answers = forms.map((bytes) => stream(bytes));
      const { baseUrl } = await serve(...answers, (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const byte of Buffer.from(body)) response.write(Buffer.from([byte]));
        response.end();
      });
      for (let form = 0; form < 4; form++) {
        const event = (await run(baseUrl)).at(-1);
        if (event?.type === 'error') {
          assert.match(event.error.message, error ?? /no error/);
          assert.equal(textOf(event.partial), text);
          continue;
        }
        assert.equal(event?.type, 'response_end');
        assert.equal(error, undefined, JSON.stringify(event));
        assert.deepEqual([textOf(event.content), event.stopReason, event.usage], [text, stopReason, usage]);
        const uses = event.content.filter((block) => block.type === 'tool_use');
        assert.equal(uses.length, calls);
        if (input) assert.deepEqual(uses[0]?.input, input);
      }
    });
  }
});

function textOf(content: readonly (AssistantBlock | { readonly type: 'tool_use_error' })[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
