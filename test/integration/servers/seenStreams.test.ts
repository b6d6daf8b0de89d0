import assert from 'node:assert/strict';
import { Client, tool, type AgentEvent } from '../../../src/sdk';
import { record } from '../../support/sessions/clients';
import { ModelServer } from '../../support/servers/modelServer';

/** What came of an answer: the calls that ran, the final text, what was thought, and an error. */
interface Outcome {
  readonly calls?: readonly (readonly [name: string, input: unknown])[];
  readonly text?: string;
  readonly thought?: string;
  readonly error?: string;
}

/** A stream that a server was seen to send, and what must come of it. The twin looks alike and must not be taken for it. */
interface Seen {
  readonly server: string;
  readonly what: string;
  readonly body: string;
  readonly status?: number;
  readonly outcome: Outcome;
  readonly twin: { readonly what: string; readonly body: string; readonly status?: number; readonly outcome: Outcome };
}

const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const done = data('[DONE]');
const delta = (part: object, reason: unknown = null, more: object = {}): string =>
  data({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: part, finish_reason: reason, ...more }],
  });
const end = (reason: unknown = 'stop'): string => delta({}, reason) + done;
const say = (content: string): string => delta({ content });
const call = (entry: object): string => delta({ tool_calls: [entry] });
const begin = (name: string, args: unknown, more: object = {}): string =>
  call({ index: 0, id: 'call_1', type: 'function', function: { name, arguments: args }, ...more });
const more = (args: unknown, index: unknown = 0): string => call({ index, function: { arguments: args } });

const readA = ['read_file', { path: 'a.ts' }] as const;
const readB = ['read_file', { path: 'b.ts' }] as const;
const writeA = ['write_file', { path: 'a.ts', content: 'x' }] as const;
/** The second request is answered so. */
const after = 'Done.';
const ran = (...calls: readonly (readonly [string, unknown])[]): Outcome => ({ calls, text: after });
const hermes = (path: string): string =>
  `<tool_call>\n{"name": "read_file", "arguments": {"path": "${path}"}}\n</tool_call>`;
const parseError = (rest: string): string =>
  data({ error: { code: 500, message: `Failed to parse input at pos 12: ${rest}`, type: 'server_error' } });

const seen: readonly Seen[] = [
  {
    server: 'llama.cpp',
    what: 'cannot read the end of an answer whose call has come whole',
    body: begin('read_file', '{"path":"a.ts"}') + parseError('</tool_call></tool_call>'),
    outcome: ran(readA),
    twin: {
      what: 'cannot read an answer in the middle of a call',
      body: begin('read_file', '{"path":"a.t') + parseError('<tool_call>'),
      outcome: { text: after },
    },
  },
  {
    server: 'llama.cpp',
    what: 'cannot read a call of LFM 2.5, and quotes it',
    body: parseError("<|tool_call_start|>[read_file(path='a.ts')]<|tool_call_end|>"),
    outcome: ran(readA),
    twin: {
      what: 'quotes a call that is cut',
      body: parseError("<|tool_call_start|>[read_file(path='a.t"),
      outcome: { text: after },
    },
  },
  {
    server: 'llama.cpp',
    what: 'answers with 500 and quotes the call that it could not read',
    status: 500,
    body: JSON.stringify({
      error: { code: 500, message: `Failed to parse input at pos 0: ${hermes('a.ts')}`, type: 'server_error' },
    }),
    outcome: ran(readA),
    twin: {
      what: 'quotes text beside the call',
      status: 500,
      body: JSON.stringify({
        error: {
          code: 500,
          message: `Failed to parse input at pos 0: See:\n\`\`\`\n${hermes('a.ts')}\n\`\`\``,
          type: 'server_error',
        },
      }),
      outcome: { text: after },
    },
  },
  {
    server: 'Groq',
    what: 'rejects a call that it could not read, and quotes it',
    status: 400,
    body: JSON.stringify({
      error: {
        message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        type: 'invalid_request_error',
        code: 'tool_use_failed',
        failed_generation: '<function=read_file>{"path": "a.ts"}</function>',
      },
    }),
    outcome: ran(readA),
    twin: {
      what: 'quotes a call of a tool that is not there',
      status: 400,
      body: JSON.stringify({
        error: {
          message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
          code: 'tool_use_failed',
          failed_generation: '<function=shutdown>{"now": true}</function> is the call',
        },
      }),
      outcome: { text: after },
    },
  },
  {
    server: 'vLLM (xlam)',
    what: 'sends the arguments in pieces, and then all of them once more',
    body: begin('read_file', '') + more('{"path": ') + more('"a.ts"}') + more('{"path": "a.ts"}') + end('tool_calls'),
    outcome: ran(readA),
    twin: {
      what: 'sends an object with another key after complete arguments',
      body: begin('read_file', '') + more('{"path": "a.ts"}') + more('{"now": true}') + end('tool_calls'),
      outcome: { text: after },
    },
  },
  {
    server: 'vLLM (xlam)',
    what: 'sends a bracket, and then all arguments',
    body: begin('read_file', '') + more('{') + more('{"path": "a.ts"}') + end('tool_calls'),
    outcome: ran(readA),
    twin: {
      what: 'sends a bracket, and then the rest of the arguments',
      body: begin('read_file', '{') + more('"path": "a.ts"}') + end('tool_calls'),
      outcome: ran(readA),
    },
  },
  {
    server: 'vLLM (hermes)',
    what: 'loses a quotation mark in the pieces, and sends all arguments at the end',
    body:
      begin('write_file', '{"path": "a.ts"') +
      more(', "content": ""') +
      more('x') +
      more('{"path": "a.ts", "content": "x"}') +
      end('tool_calls'),
    outcome: ran(writeA),
    twin: {
      what: 'loses a quotation mark, and sends something else at the end',
      body:
        begin('write_file', '{"path": "a.ts"') + more(', "content": ""') + more('x') + more('"}') + end('tool_calls'),
      outcome: { text: after },
    },
  },
  {
    server: 'vLLM (hermes)',
    what: 'sends no arguments for a tool without parameters',
    body: call({ index: 0, id: 'a', type: 'function', function: { name: 'list_all' } }) + end('tool_calls'),
    outcome: ran(['list_all', {}]),
    twin: {
      what: 'sends no arguments for a tool without parameters, and reaches a limit',
      body: call({ index: 0, id: 'a', type: 'function', function: { name: 'list_all' } }) + end('length'),
      outcome: { text: after },
    },
  },
  {
    server: 'Ollama',
    what: 'gives all calls the index 0',
    body:
      begin('read_file', '{"path":"a.ts"}') +
      begin('read_file', '{"path":"b.ts"}', { id: 'call_2' }) +
      end('tool_calls'),
    outcome: ran(readA, readB),
    twin: {
      what: 'gives the index 0 and another id to each piece of one call',
      body:
        begin('read_file', '{"path":') +
        call({ index: 0, id: 'call_2', function: { arguments: '"a.ts"}' } }) +
        end('tool_calls'),
      outcome: ran(readA),
    },
  },
  {
    server: 'Dynamo',
    what: 'gives all calls the index 0, with text of white space between them',
    body:
      begin('read_file', '{"path":"a.ts"}') +
      delta({ content: '\n', role: 'assistant', tool_calls: null }) +
      begin('read_file', '{"path":"b.ts"}', { id: 'call-2' }) +
      end('tool_calls'),
    outcome: ran(readA, readB),
    twin: {
      what: 'sends white space between the pieces of one call',
      body:
        begin('read_file', '{"path":') +
        delta({ content: '\n', tool_calls: null }) +
        more('"a.ts"}') +
        end('tool_calls'),
      outcome: ran(readA),
    },
  },
  {
    server: 'SGLang',
    what: 'names calls "0" and "1", with the index 0',
    body:
      begin('read_file', '', { id: '0' }) +
      call({ index: 0, id: '0', function: { name: null, arguments: '{"path":"a.ts"}' } }) +
      begin('read_file', '', { id: '1' }) +
      call({ index: 0, id: '1', function: { name: null, arguments: '{"path":"b.ts"}' } }) +
      end('tool_calls'),
    outcome: ran(readA, readB),
    twin: {
      what: 'names the call again with its second piece',
      body:
        begin('read_file', '', { id: '0' }) + begin('read_file', '{"path":"a.ts"}', { id: '0' }) + end('tool_calls'),
      outcome: ran(readA),
    },
  },
  {
    server: 'LM Studio',
    what: 'sends a call without id, name and arguments beside a real one',
    body: begin('read_file', '{"path":"a.ts"}') + call({ index: 1, id: '', type: 'function' }) + end('tool_calls'),
    outcome: ran(readA),
    twin: {
      what: 'sends a call without id and name that has arguments',
      body:
        begin('read_file', '{"path":"a.ts"}') +
        call({ index: 1, id: '', function: { arguments: '{"path":"b.ts"}' } }) +
        end('tool_calls'),
      outcome: ran(readA),
    },
  },
  {
    server: 'LM Studio',
    what: 'names the tool in its first piece and gives an empty name in the others',
    body:
      begin('read_file', '') +
      call({ index: 0, function: { name: '', arguments: '{"path":' } }) +
      call({ index: 0, function: { name: '', arguments: '"a.ts"}' } }) +
      end('tool_calls'),
    outcome: ran(readA),
    twin: {
      what: 'gives another name after complete arguments',
      body:
        begin('read_file', '{"path":"a.ts"}') +
        call({ index: 0, function: { name: 'list_all', arguments: '{}' } }) +
        end('tool_calls'),
      outcome: ran(readA, ['list_all', {}]),
    },
  },
  {
    server: 'TabbyAPI',
    what: 'gives calls no id, and ends with "stop"',
    body: call({ function: { name: 'read_file', arguments: '{"path":"a.ts"}' }, type: 'function' }) + end('stop'),
    outcome: ran(readA),
    twin: {
      what: 'gives a call no id, and ends with "length"',
      body: call({ function: { name: 'read_file', arguments: '{"path":"a.ts"}' }, type: 'function' }) + end('length'),
      outcome: { text: after },
    },
  },
  {
    server: 'TabbyAPI',
    what: 'answers in one piece although a stream was asked for',
    body: JSON.stringify({
      id: 'chatcmpl-4',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          stop_str: '<function=',
          message: {
            role: 'assistant',
            content: '',
            tool_calls: [
              { id: 'tool_id_1', type: 'function', function: { name: 'read_file', arguments: '{"path": "a.ts"}' } },
            ],
            tool_calls_json: null,
          },
          logprobs: null,
        },
      ],
    }),
    outcome: ran(readA),
    twin: {
      what: 'answers in one piece that reached a limit',
      body: JSON.stringify({
        choices: [
          {
            index: 0,
            finish_reason: 'length',
            message: { tool_calls: [{ id: 'a', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }] },
          },
        ],
      }),
      outcome: { text: after },
    },
  },
  {
    server: 'LiteLLM (Ollama)',
    what: 'sends the call of a model as the text of the answer, one word a piece',
    body: ['{"name"', ': "read', '_file", "argu', 'ments": {"path"', ': "a.ts"}', '}'].map(say).join('') + end('stop'),
    outcome: ran(readA),
    twin: {
      what: 'sends JSON that is the answer',
      body: ['{"name"', ': "Bob", "argu', 'ments": 3}'].map(say).join('') + end('stop'),
      outcome: { text: '{"name": "Bob", "arguments": 3}' },
    },
  },
  {
    server: 'LiteLLM',
    what: 'ends with the reason "end_turn"',
    body: begin('read_file', '{"path":"a.ts"}') + end('end_turn'),
    outcome: ran(readA),
    twin: {
      what: 'ends with the reason "max_tokens"',
      body: begin('read_file', '{"path":"a.ts"}') + end('max_tokens'),
      outcome: { text: after },
    },
  },
  {
    server: 'Rapid-MLX',
    what: 'reads a call and leaves its opening tag in the text',
    body: say('<tool_call>') + begin('read_file', '{"path":"a.ts"}') + end('tool_calls'),
    outcome: ran(readA),
    twin: {
      what: 'says the tag without a call',
      body: say('<tool_call>') + end('stop'),
      outcome: { text: '<tool_call>' },
    },
  },
  {
    server: 'FreeToken (Gemma 4)',
    what: 'reads a call and leaves half a tag after it',
    body: begin('read_file', '{"path":"a.ts"}') + say('<|tool_call') + end('tool_calls'),
    outcome: ran(readA),
    twin: {
      what: 'says half a tag without a call',
      body: say('Hello <|tool_call') + end(),
      outcome: { text: 'Hello <|tool_call' },
    },
  },
  {
    server: 'a gateway',
    what: 'sends a call in its field and in the text',
    body: say(hermes('a.ts')) + begin('read_file', '{"path":"a.ts"}') + end('tool_calls'),
    outcome: ran(readA),
    twin: {
      what: 'sends another call in the text',
      body: say(hermes('b.ts')) + begin('read_file', '{"path":"a.ts"}') + end('tool_calls'),
      outcome: ran(readB, readA),
    },
  },
  {
    server: 'MiniMax',
    what: 'sends thoughts as details',
    body:
      delta({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0 }] }) +
      delta({ reasoning_details: [{ type: 'reasoning.text', text: '.', index: 0 }] }) +
      say('Hello.') +
      end(),
    outcome: { thought: 'Hm.', text: 'Hello.' },
    twin: {
      what: 'sends them twice, as a text too',
      body:
        delta({ reasoning_content: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0 }] }) +
        say('Hello.') +
        end(),
      outcome: { thought: 'Hm.', text: 'Hello.' },
    },
  },
  {
    server: 'a gateway',
    what: 'calls the field of thoughts "thinking"',
    body: delta({ thinking: 'Hm.' }) + say('Hello.') + end(),
    outcome: { thought: 'Hm.', text: 'Hello.' },
    twin: {
      what: 'says in it that it thinks',
      body: delta({ thinking: true }) + say('Hello.') + end(),
      outcome: { text: 'Hello.' },
    },
  },
  {
    server: 'SGLang',
    what: 'leaves the opening tag in the field of thoughts',
    body: delta({ reasoning_content: '<thi' }) + delta({ reasoning_content: 'nk>\nHm.' }) + say('Hello.') + end(),
    outcome: { thought: 'Hm.', text: 'Hello.' },
    twin: {
      what: 'thinks about another tag',
      body: delta({ reasoning_content: '<thi' }) + delta({ reasoning_content: 'ng> is odd.' }) + say('Hello.') + end(),
      outcome: { thought: '<thing> is odd.', text: 'Hello.' },
    },
  },
  {
    server: 'vLLM, SGLang',
    what: 'leaves the closing tag of the thoughts at the beginning of the text',
    body: delta({ reasoning_content: 'Hm.' }) + say('\n</thi') + say('nk>') + say('\n\nHello.') + end(),
    outcome: { thought: 'Hm.', text: 'Hello.' },
    twin: {
      what: 'begins a sentence with the tag',
      body: delta({ reasoning_content: 'Hm.' }) + say('</think>') + say(' ends a thought.') + end(),
      outcome: { thought: 'Hm.', text: '</think> ends a thought.' },
    },
  },
  {
    server: 'vLLM',
    what: 'gives the token counts with every chunk, and no choices at the end',
    body:
      data({
        choices: [{ index: 0, delta: { content: 'Hello.' } }],
        usage: { prompt_tokens: 9, completion_tokens: 1 },
      }) +
      data({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } }) +
      end(),
    outcome: { text: 'Hello.' },
    twin: {
      what: 'gives no choices before the answer',
      body: data({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 0 } }) + say('Hello.') + end(),
      outcome: { text: 'Hello.' },
    },
  },
  {
    server: 'KoboldCpp',
    what: 'names events, and says "null" for no reason',
    body: `event: message\ndata: ${JSON.stringify({ choices: [{ index: 0, finish_reason: 'null', delta: { role: 'assistant', content: 'Hello.' } }] })}\n\nevent: message\ndata: ${JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', delta: { role: 'assistant', content: '' } }] })}\n\ndata: [DONE]\n\n`,
    outcome: { text: 'Hello.' },
    twin: {
      what: 'names an event "error"',
      body: `event: error\ndata: ${JSON.stringify({ message: 'The model crashed' })}\n\n`,
      outcome: { error: 'server_error' },
    },
  },
  {
    server: 'KoboldCpp',
    what: 'cuts a call, with the reason in the last chunk only',
    body:
      delta(
        {
          tool_calls: [
            { index: 0, id: 'a', function: { name: 'write_file', arguments: '{"path":"a.ts","content":"x"}' } },
          ],
        },
        'null',
      ) + end('length'),
    outcome: { text: after },
    twin: {
      what: 'cuts the second of two calls',
      body:
        delta(
          { tool_calls: [{ index: 0, id: 'a', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }] },
          'null',
        ) +
        delta(
          { tool_calls: [{ index: 1, id: 'b', function: { name: 'write_file', arguments: '{"path":"a.ts","cont' } }] },
          'null',
        ) +
        end('length'),
      outcome: { text: after },
    },
  },
  {
    server: 'a Windows proxy',
    what: 'begins with a byte order mark, ends lines with CR LF, and leaves out blanks',
    body: `\uFEFFdata:${JSON.stringify({ choices: [{ delta: { content: 'Hel' } }] })}\r\n\r\ndata:${JSON.stringify({ choices: [{ delta: { content: 'lo.' }, finish_reason: 'stop' }] })}\r\n\r\ndata:[DONE]\r\n\r\n`,
    outcome: { text: 'Hello.' },
    twin: {
      what: 'sends the same marks inside the text',
      body: say('\ufeffHel\r\nlo.') + end(),
      outcome: { text: '\ufeffHel\r\nlo.' },
    },
  },
  {
    server: 'OpenRouter and others',
    what: 'sends comments and empty events while it waits',
    body: `: OPENROUTER PROCESSING\n\n: ping\n\ndata:\n\n${say('Hello.')}: ping\n\n${end()}`,
    outcome: { text: 'Hello.' },
    twin: {
      what: 'sends text that looks like them',
      body: say(': ping\n\ndata:\n\n') + say('Hello.') + end(),
      outcome: { text: ': ping\n\ndata:\n\nHello.' },
    },
  },
  {
    server: 'a gateway',
    what: 'spreads the JSON of a chunk over several lines',
    body: `data: {"choices":\ndata: [{"index":0,"delta":{"content":"Hello."},\ndata: "finish_reason":"stop"}]}\n\n${done}`,
    outcome: { text: 'Hello.' },
    twin: {
      what: 'sends several chunks on several lines of one event',
      body: `data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\ndata: {"choices":[{"index":0,"delta":{"content":"lo."}}]}\n\n${end()}`,
      outcome: { text: 'Hello.' },
    },
  },
  {
    server: 'Azure',
    what: 'begins with a chunk of its filter and sends deltas of null',
    body:
      data({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }) +
      data({ choices: [{ index: 0, delta: null, content_filter_results: {} }] }) +
      say('Hello.') +
      end(),
    outcome: { text: 'Hello.' },
    twin: {
      what: 'ends with the word of its filter',
      body: say('Hello.') + data({ choices: [{ index: 0, delta: null, finish_reason: 'content_filter' }] }) + done,
      outcome: { text: 'Hello.' },
    },
  },
  {
    server: 'Ollama',
    what: 'gives arguments as an object, and content as null',
    body:
      delta({
        role: 'assistant',
        content: null,
        tool_calls: [{ index: '0', id: 'a', function: { name: 'read_file', arguments: { path: 'a.ts' } } }],
      }) + end('stop'),
    outcome: ran(readA),
    twin: {
      what: 'gives arguments as a list',
      body:
        delta({
          content: null,
          tool_calls: [{ index: 0, id: 'a', function: { name: 'read_file', arguments: ['a.ts'] } }],
        }) + end(),
      outcome: { text: after },
    },
  },
  {
    server: 'vLLM',
    what: 'reports an error in the stream, and then its end',
    body:
      data({ error: { object: 'error', message: 'EngineCore died', type: 'InternalServerError', code: 500 } }) + done,
    outcome: { error: 'server_error' },
    twin: {
      what: 'sends fields for errors without any',
      body: data({ error: null, choices: [{ index: 0, delta: { content: 'Hello.' } }] }) + end(),
      outcome: { text: 'Hello.' },
    },
  },
];

describe('streams that servers were seen to send', () => {
  let server: ModelServer;
  beforeEach(async () => (server = await ModelServer.start()));
  afterEach(() => server.dispose());

  async function run(body: string, status: number): Promise<Outcome> {
    const calls: [string, unknown][] = [];
    const take = (name: string) => (input: unknown) => {
      calls.push([name, input]);
      return 'ok';
    };
    const tools = [
      tool('read_file', 'Reads a file.', { path: 'string' }, take('read_file')),
      tool('write_file', 'Writes a file.', { path: 'string', content: 'string' }, take('write_file')),
      tool('list_all', 'Lists all.', {}, take('list_all')),
    ];
    server.script(status === 200 ? { kind: 'raw', writes: [body] } : { kind: 'status', status, body }, { text: after });
    const client = new Client({
      systemPrompt: 'Be brief.',
      model: 'm',
      baseUrl: server.baseUrl,
      tools,
      autoExecuteTools: true,
      maxRetries: 0,
    });
    await using _ = client;
    const { events, result } = await record(client.run('Go.'));
    server.dropTurns();
    const thought = events
      .flatMap((event: AgentEvent) => (event.type === 'thinking_delta' ? [event.text] : []))
      .join('');
    return {
      ...(calls.length > 0 && { calls }),
      ...(result.primaryText !== '' && { text: result.primaryText }),
      ...(thought !== '' && { thought }),
      ...(result.error && { error: result.error.code }),
    };
  }

  for (const { server: name, what, body, status = 200, outcome, twin } of seen) {
    it(`${name}: ${what}`, async () => assert.deepEqual(await run(body, status), outcome));
    it(`${name}, not so: ${twin.what}`, async () =>
      assert.deepEqual(await run(twin.body, twin.status ?? 200), twin.outcome));
  }
});
