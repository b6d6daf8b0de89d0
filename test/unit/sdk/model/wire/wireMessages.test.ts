import assert from 'node:assert/strict';
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../../../../src/sdk/messages';
import type { ModelRequest } from '../../../../../src/sdk/model/modelProvider';
import { noQuirks } from '../../../../../src/sdk/model/wire/serverQuirks';
import { toWireMessages } from '../../../../../src/sdk/model/wire/wireMessages';
import { toWireRequest } from '../../../../../src/sdk/model/wire/wireRequest';
import type { WireMessage } from '../../../../../src/sdk/model/wire/wireTypes';
import { tools } from '../streamFixtures';

const user = (content: string): UserMessage => ({ role: 'user', content });
const assistant = (...content: AssistantMessage['content']): AssistantMessage => ({ role: 'assistant', content });
const text = (value: string) => ({ type: 'text', text: value }) as const;
const thinking = (value: string) => ({ type: 'thinking', text: value }) as const;
const use = (id: string) => ({ type: 'tool_use', id, name: 'read_file', input: { path: id } }) as const;
const result = (toolUseId: string, content: ToolMessage['content']['content'] = `of ${toolUseId}`): ToolMessage => ({
  role: 'tool',
  content: { type: 'tool_result', toolUseId, content, isError: false },
});

const wireCall = (id: string, json = `{"path":"${id}"}`) => ({
  id,
  type: 'function',
  function: { name: 'read_file', arguments: json },
});
const wireResult = (id: string, content = `of ${id}`) => ({ role: 'tool', tool_call_id: id, content });
const noAnswer = { role: 'assistant', content: '(No answer was given.)' };
const goOn = { role: 'user', content: 'Continue.' };

describe('toWireMessages', () => {
  const cases: readonly (readonly [string, readonly Message[], readonly unknown[]])[] = [
    ['a question', [user('q')], [user('q')]],
    [
      'a call and its result, with the reasoning of this turn',
      [user('q'), assistant(thinking('t'), text('x'), use('a')), result('a')],
      [
        user('q'),
        { role: 'assistant', content: 'x', reasoning_content: 't', tool_calls: [wireCall('a')] },
        wireResult('a'),
      ],
    ],
    [
      'no reasoning of an earlier turn, nor of an answer',
      [user('q'), assistant(thinking('t'), use('a')), result('a'), assistant(thinking('t'), text('x')), user('r')],
      [
        user('q'),
        { role: 'assistant', content: '', tool_calls: [wireCall('a')] },
        wireResult('a'),
        { role: 'assistant', content: 'x' },
        user('r'),
      ],
    ],
    [
      'results in the order of their calls',
      [user('q'), assistant(use('a'), use('b')), result('b'), result('a')],
      [
        user('q'),
        { role: 'assistant', content: '', tool_calls: [wireCall('a'), wireCall('b')] },
        wireResult('a'),
        wireResult('b'),
      ],
    ],
    [
      'a call without a result',
      [user('q'), assistant(use('a'))],
      [
        user('q'),
        { role: 'assistant', content: '', tool_calls: [wireCall('a')] },
        wireResult('a', 'No result: this call was not executed.'),
      ],
    ],
    [
      'a result without a call, and a second one',
      [user('q'), result('z'), assistant(use('a')), result('a'), result('a', 'again')],
      [user('q'), { role: 'assistant', content: '', tool_calls: [wireCall('a')] }, wireResult('a')],
    ],
    [
      'a call that could not be read: without arguments',
      [
        user('q'),
        assistant({ type: 'tool_use_error', error: 'e', rawData: '{"', toolUseId: 'a', toolName: 'read_file' }),
        result('a', 'e'),
      ],
      [user('q'), { role: 'assistant', content: '', tool_calls: [wireCall('a', '{}')] }, wireResult('a', 'e')],
    ],
    [
      'a call that has no name: not at all',
      [user('q'), assistant(text('x'), { type: 'tool_use_error', error: 'e' }), user('r')],
      [user('q'), { role: 'assistant', content: 'x' }, user('r')],
    ],
    [
      'an object as result',
      [user('q'), assistant(use('a')), result('a', { n: 1 })],
      [user('q'), { role: 'assistant', content: '', tool_calls: [wireCall('a')] }, wireResult('a', '{"n":1}')],
    ],
    ['two questions', [user('q'), user('r')], [user('q'), noAnswer, user('r')]],
    [
      'a question right after a result',
      [user('q'), assistant(use('a')), result('a'), user('r')],
      [
        user('q'),
        { role: 'assistant', content: '', tool_calls: [wireCall('a')] },
        wireResult('a'),
        noAnswer,
        user('r'),
      ],
    ],
    [
      'a question before a result',
      [user('q'), assistant(use('a')), user('r'), result('a')],
      [
        user('q'),
        { role: 'assistant', content: '', tool_calls: [wireCall('a')] },
        wireResult('a'),
        noAnswer,
        user('r'),
      ],
    ],
    ['an answer last', [user('q'), assistant(text('x'))], [user('q'), { role: 'assistant', content: 'x' }, goOn]],
    ['an answer first', [assistant(text('x')), user('q')], [goOn, { role: 'assistant', content: 'x' }, user('q')]],
    [
      'two answers',
      [user('q'), assistant(text('x')), assistant(text('y')), user('r')],
      [user('q'), { role: 'assistant', content: 'x' }, goOn, { role: 'assistant', content: 'y' }, user('r')],
    ],
    ['a thought only', [user('q'), assistant(thinking('t')), user('r')], [user('q'), noAnswer, user('r')]],
    ['a question without words', [user('')], [goOn]],
    ['an answer of white space', [user('q'), assistant(text(' \n')), user('r')], [user('q'), noAnswer, user('r')]],
    [
      'ids that are used again, and empty ones',
      [
        user('q'),
        assistant(use('a'), use('')),
        result('a', 'x'),
        result('', 'y'),
        assistant(use('a')),
        result('a', 'z'),
      ],
      [
        user('q'),
        { role: 'assistant', content: '', tool_calls: [wireCall('a'), wireCall('r00010001', '{"path":""}')] },
        wireResult('a', 'x'),
        wireResult('r00010001', 'y'),
        { role: 'assistant', content: '', tool_calls: [wireCall('r00040000', '{"path":"a"}')] },
        wireResult('r00040000', 'z'),
      ],
    ],
    ['half a character', [user('a\ud83d')], [user('a\ufffd')]],
  ];
  for (const [name, history, expected] of cases) {
    it(name, () => {
      const wire = toWireMessages('s', history);
      assert.deepEqual(wire, [{ role: 'system', content: 's' }, ...expected]);
      assertAccepted(wire);
    });
  }

  it('sends no empty system message', () => {
    assert.deepEqual(toWireMessages('', [user('q')]), [user('q')]);
  });

  it('makes every history acceptable for servers', () => {
    // Every sequence of four out of these, with a fixed vocabulary: calls and results match, are missing, or come twice.
    const parts: readonly Message[] = [
      user('q'),
      assistant(text('x')),
      assistant(use('a'), use('b')),
      result('a'),
      result('b'),
      assistant(thinking('t')),
    ];
    for (let n = 0; n < parts.length ** 4; n++) {
      const history = [0, 1, 2, 3].map(
        (place) => parts[Math.floor(n / parts.length ** place) % parts.length] as Message,
      );
      assertAccepted(toWireMessages('s', history));
    }
  });

  it('only adds to the end during a turn', () => {
    const history = [
      user('q'),
      assistant(thinking('t'), use('a')),
      result('a'),
      assistant(text('y'), use('b')),
      result('b'),
    ];
    const whole = JSON.stringify(toWireMessages('s', history)).slice(0, -1);
    for (const length of [1, 3]) {
      const part = JSON.stringify(toWireMessages('s', history.slice(0, length))).slice(0, -1);
      assert.equal(whole.slice(0, part.length), part);
    }
  });
});

describe('thinking in the history', () => {
  const history = [
    user('q'),
    assistant(thinking('t1'), use('a')),
    result('a'),
    assistant(thinking('t2'), text('x')),
    user('r'),
    assistant(thinking('t3'), use('b')),
    result('b'),
  ];
  const sent = (replay?: 'auto' | 'always' | 'never') =>
    toWireMessages('', history, replay).flatMap((message) =>
      message.role === 'assistant' ? [message.reasoning_content] : [],
    );

  it('goes back as the model needs it', () => {
    assert.deepEqual(sent(), [undefined, undefined, 't3']);
    assert.deepEqual(sent('auto'), [undefined, undefined, 't3']);
    assert.deepEqual(sent('always'), ['t1', 't2', 't3']);
    assert.deepEqual(sent('never'), [undefined, undefined, undefined]);
  });

  it('only grows at the end where all of it goes back, so that a prompt cache stays valid', () => {
    const before = toWireMessages('', history.slice(0, 4), 'always').slice(0, -1);
    const after = toWireMessages('', history, 'always').slice(0, before.length);
    assert.deepEqual(after, before);
  });
});

describe('toWireRequest', () => {
  const request: ModelRequest = { model: 'm', systemPrompt: 's', messages: [user('q')], tools: [], sampling: {} };

  it('sends only fields that are set', () => {
    assert.equal(
      JSON.stringify(toWireRequest(request, noQuirks)),
      '{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"}]}',
    );
  });

  it('sends what is set, the messages last', () => {
    const [tool] = tools;
    assert.ok(tool);
    const sampling = { temperature: 0, topP: 0.9, maxTokens: 5 };
    const wire = toWireRequest({ ...request, tools: [tool], sampling }, { ...noQuirks, streamOptions: false });
    assert.deepEqual(Object.keys(wire), ['model', 'stream', 'temperature', 'top_p', 'max_tokens', 'tools', 'messages']);
    const { name, description, inputSchema } = tool;
    assert.deepEqual(wire.tools, [{ type: 'function', function: { name, description, parameters: inputSchema } }]);
  });

  it('sends no value that is null', () => {
    const sampling = { temperature: null, topP: null, maxTokens: null };
    const wire = toWireRequest({ ...request, sampling }, { ...noQuirks, streamOptions: false });
    assert.deepEqual(Object.keys(wire), ['model', 'stream', 'messages']);
  });
});

describe('toWireRequest for a template without a system role', () => {
  const quirks = { ...noQuirks, systemPrompt: 'user' } as const;
  const request: ModelRequest = {
    model: 'm',
    systemPrompt: 'Be brief.',
    messages: [user('q')],
    tools: [],
    sampling: {},
  };

  it('puts the system prompt at the start of the first user message', () => {
    assert.deepEqual(toWireRequest(request, quirks).messages, [{ role: 'user', content: 'Be brief.\n\nq' }]);
    const grown = [...request.messages, assistant({ type: 'text', text: 'a' }), user('r')];
    assert.deepEqual(toWireRequest({ ...request, messages: grown }, quirks).messages, [
      { role: 'user', content: 'Be brief.\n\nq' },
      { role: 'assistant', content: 'a' },
      { role: 'user', content: 'r' },
    ]);
  });

  it('puts the description of the tools there too', () => {
    const [first, ...rest] = toWireRequest({ ...request, tools }, { ...quirks, tools: 'text' }).messages;
    assert.deepEqual([first?.role, rest], ['user', []]);
    assert.match(typeof first?.content === 'string' ? first.content : '', /^Be brief\.\n\n# Tools\n[^]*\n\nq$/);
  });

  it('changes nothing without a system prompt', () => {
    assert.deepEqual(toWireRequest({ ...request, systemPrompt: '' }, quirks).messages, [
      { role: 'user', content: 'q' },
    ]);
  });
});

describe('toWireRequest without tools', () => {
  it('writes the calls of a history as text, because servers reject them then', () => {
    const messages = [user('q'), assistant(text('x'), use('a')), result('a', 'y')];
    const request: ModelRequest = { model: 'm', systemPrompt: 's', messages, tools: [], sampling: {} };
    const wire = toWireRequest(request, noQuirks);
    assert.equal('tools' in wire, false);
    assert.deepEqual(
      wire.messages.map(({ role, content }) => [role, content]),
      [
        ['system', 's'],
        ['user', 'q'],
        ['assistant', 'x\n<tool_call>\n{"name": "read_file", "arguments": {"path":"a"}}\n</tool_call>'],
        ['user', '<tool_response name="read_file">\ny\n</tool_response>'],
      ],
    );
  });
});

/** The rules strict servers and templates have. */
function assertAccepted(wire: readonly WireMessage[]): void {
  const open: string[] = [];
  let previous = 'assistant';
  for (const [index, message] of wire.entries()) {
    assert.equal(typeof message.content, 'string');
    assert.equal(message.role === 'system', index === 0);
    if (message.role === 'system') continue;
    if (message.role === 'tool') {
      assert.equal(message.tool_call_id, open.shift());
      continue;
    }
    assert.equal(open.length, 0);
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    for (const call of calls) {
      open.push(call.id);
      JSON.parse(call.function.arguments);
    }
    const isContinuation = message.role === 'assistant' && previous === 'calls';
    if (!isContinuation) assert.notEqual(message.role, previous === 'calls' ? 'assistant' : previous);
    assert.ok(message.role !== 'user' || previous !== 'calls', 'a user message right after a tool result');
    previous = calls.length > 0 ? 'calls' : message.role;
  }
  assert.equal(open.length, 0);
  assert.match(wire.at(-1)?.role ?? '', /^(?:user|tool)$/);
}

describe('toWireRequest with fields that only some servers know', () => {
  const request: ModelRequest = { model: 'm', systemPrompt: '', messages: [user('q')], tools: [], sampling: {} };
  const bodyOf = (change: Partial<ModelRequest>, quirks = noQuirks) => {
    const {
      messages: _messages,
      stream: _stream,
      stream_options: _options,
      ...body
    } = toWireRequest({ ...request, ...change }, quirks);
    return body;
  };

  it('sends none of them unless they are set', () => {
    assert.deepEqual(bodyOf({}), { model: 'm' });
    const unset = { temperature: null, topP: null, topK: null, reasoningEffort: null, thinking: null, extraBody: null };
    assert.deepEqual(bodyOf({ sampling: unset }), { model: 'm' });
  });

  it('sends them when set, and prefers a named field to an extra one', () => {
    const sampling = {
      temperature: 0,
      topK: 20,
      reasoningEffort: 'low',
      thinking: false,
      extraBody: { min_p: 0.1, top_k: 99, temperature: 2, chat_template_kwargs: { add: 1 } },
    };
    assert.deepEqual(bodyOf({ sampling }), {
      model: 'm',
      min_p: 0.1,
      temperature: 0,
      top_k: 20,
      reasoning_effort: 'low',
      chat_template_kwargs: { add: 1, enable_thinking: false },
    });
  });

  it('asks for a format only without tools, and not from a server that rejects it', () => {
    const responseFormat = { name: 'answer', schema: { type: 'object' } };
    const response_format = { type: 'json_schema', json_schema: responseFormat };
    assert.deepEqual(bodyOf({ responseFormat }), { model: 'm', response_format });
    assert.equal('response_format' in bodyOf({ responseFormat, tools }), false);
    assert.deepEqual(bodyOf({ responseFormat }, { ...noQuirks, responseFormat: false }), { model: 'm' });
  });
});
