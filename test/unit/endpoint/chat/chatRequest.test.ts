import assert from 'node:assert/strict';
import { parseChatRequest } from '../../../../src/endpoint/chat/chatRequest';

const user = (content: unknown): object => ({ role: 'user', content });
const call = (id: string, text = '{"a":1}'): object => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: text },
});

function parse(messages: readonly object[], more: object = {}): unknown {
  const parsed = parseChatRequest({ model: 'open-agent', messages, ...more });
  return parsed.ok ? parsed.request : [parsed.error.status, parsed.error.param, parsed.error.message];
}

describe('the body of a chat request', () => {
  it('becomes a prompt and its history', () => {
    const messages = [
      { role: 'system', content: 'One.' },
      user('Look.'),
      { role: 'assistant', content: null, tool_calls: [call('c1')] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'found' }] },
      { role: 'assistant', content: 'Done.' },
      { role: 'developer', content: 'Two.' },
      user(['And', { type: 'text', text: 'now?' }]),
    ];
    const options = { stream: true, stream_options: { include_usage: true }, max_tokens: 10 };
    assert.deepEqual(parse(messages, options), {
      stream: true,
      wantsUsageChunk: true,
      systemPrompt: 'One.\n\nTwo.',
      history: [
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } }],
          stopReason: 'tool_use',
        },
        {
          role: 'tool',
          content: { type: 'tool_result', toolUseId: 'c1', toolName: 'f', content: 'found', isError: false },
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stopReason: 'stop' },
      ],
      prompt: 'And\nnow?',
      maxTokens: 10,
      sampling: {},
      passedOver: [],
    });
  });

  it('has sampling fields', () => {
    const fields = {
      temperature: 0,
      top_p: 1,
      top_k: 20,
      seed: 7,
      frequency_penalty: -0.5,
      presence_penalty: 2,
      reasoning_effort: 'low',
    };
    const parsed = parseChatRequest({ model: 'open-agent', messages: [user('Hi.')], ...fields });
    assert.deepEqual(parsed.ok && [parsed.request.sampling, parsed.request.passedOver], [
      {
        temperature: 0,
        topP: 1,
        topK: 20,
        seed: 7,
        frequencyPenalty: -0.5,
        presencePenalty: 2,
        reasoningEffort: 'low',
      },
      [],
    ]);
  });

  const plain = { stream: false, wantsUsageChunk: false, systemPrompt: '', history: [], sampling: {}, passedOver: [] };

  it('joins consecutive user messages', () => {
    assert.deepEqual(parse([user('One.'), user('Two.')]), { ...plain, prompt: 'One.\n\nTwo.' });
  });

  it('accepts fields without effect', () => {
    const more = {
      tools: [],
      functions: null,
      tool_choice: 'auto',
      n: 1,
      response_format: { type: 'text' },
      max_tokens: null,
      stop: [],
      logprobs: false,
      top_logprobs: 0,
      logit_bias: {},
      modalities: ['text'],
    };
    assert.deepEqual(parse([user('Hi.')], more), { ...plain, prompt: 'Hi.' });
  });

  it('names ignored fields in a form for logs', () => {
    const more = { user: 'me', store: null, ['evil\nline']: 1, ['x'.repeat(100)]: 1, parallel_tool_calls: true };
    const passedOver = ['user', 'evil?line', 'x'.repeat(40), 'parallel_tool_calls'];
    assert.deepEqual(parse([user('Hi.')], more), { ...plain, passedOver, prompt: 'Hi.' });
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 1]));
    const parsed = parseChatRequest({ model: 'open-agent', messages: [user('Hi.')], ...many });
    assert.equal(parsed.ok && parsed.request.passedOver.length, 20);
  });

  it('takes one stop sequence or up to four', () => {
    assert.deepEqual(parse([user('Hi.')], { stop: 'END' }), { ...plain, prompt: 'Hi.', stop: ['END'] });
    assert.deepEqual(parse([user('Hi.')], { stop: ['a', '', 'b'] }), { ...plain, prompt: 'Hi.', stop: ['a', 'b'] });
    const five = parseChatRequest({ model: 'open-agent', messages: [user('Hi.')], stop: ['a', 'b', 'c', 'd', 'e'] });
    assert.ok(!five.ok && five.error.param === 'stop');
  });

  it('refuses unsupported fields by name', () => {
    const fields = {
      tools: [{}],
      functions: [{}],
      tool_choice: 'none',
      function_call: 'none',
      n: 2,
      logprobs: true,
      top_logprobs: 3,
      logit_bias: { '1': 5 },
      modalities: ['text', 'audio'],
      audio: {},
      web_search_options: {},
    };
    for (const [name, value] of Object.entries(fields)) {
      const parsed = parseChatRequest({ model: 'open-agent', messages: [user('Hi.')], [name]: value });
      assert.deepEqual(!parsed.ok && [parsed.error.status, parsed.error.code, parsed.error.param], [
        400,
        'unsupported_parameter',
        name,
      ]);
      assert.ok(!parsed.ok && parsed.error.message.startsWith(`${name}: `));
    }
  });

  it('reports the problem and its place', () => {
    const last = 'messages: the last message must be of the role "user".';
    assert.deepEqual(parse([user('Hi.'), { role: 'assistant', content: 'Ho.' }]), [400, 'messages', last]);
    assert.deepEqual(parse([{ role: 'system', content: 'Hi.' }]), [400, 'messages', last]);
    assert.deepEqual(parse([user(' ')]), [400, 'messages', 'messages: the last message is empty.']);
    const image = user([{ type: 'image_url', image_url: { url: 'data:' } }]);
    const noUrl =
      'messages.0.content: The image cannot be used: it is no data URL such as "data:image/png;base64,…". PNG, JPEG, WebP and GIF can be sent.';
    assert.deepEqual(parse([image]), [400, 'messages', noUrl]);
    const far = user([{ type: 'image_url', image_url: { url: 'http://169.254.169.254/a.png' } }]);
    assert.match(String(parse([far])), /messages\.0\.content: .*never fetched from an address/);
    const audio = user([{ type: 'input_audio', input_audio: {} }]);
    assert.deepEqual(parse([audio]), [400, 'messages', 'messages.0.content: only text and images are supported.']);
    const image3 = { role: 'system', content: [{ type: 'image_url', image_url: { url: 'data:' } }] };
    assert.deepEqual(parse([image3, user('Hi.')]), [400, 'messages', 'messages.0.content: only text is supported.']);
    const orphan = { role: 'tool', tool_call_id: 'c9', content: '' };
    const noCall = 'messages.0.tool_call_id: no open tool call has the id "c9".';
    assert.deepEqual(parse([orphan, user('Hi.')]), [400, 'messages', noCall]);
    const open = { role: 'assistant', tool_calls: [call('c1'), call('c2')] };
    const noResult = 'messages: these tool calls have no result: c1, c2.';
    assert.deepEqual(parse([user('Hi.'), open, user('Ho.')]), [400, 'messages', noResult]);
    const broken = { role: 'assistant', tool_calls: [call('c1', '[')] };
    const noObject = 'messages.0.tool_calls: the arguments of "c1" are not a JSON object.';
    assert.deepEqual(parse([broken]), [400, 'messages', noObject]);
    const statuses = [
      { max_tokens: 0 },
      { max_tokens: 1e12 },
      { temperature: 3 },
      { top_p: 0 },
      { top_k: -1 },
      { seed: 0.5 },
      { frequency_penalty: 3 },
      { presence_penalty: '1' },
      { reasoning_effort: 'Very\nhigh' },
      { stream: 'yes' },
      { messages: [] },
      { messages: [{ role: 'wizard', content: '' }] },
    ].map((more) => (parse([user('Hi.')], more) as readonly unknown[])[0]);
    assert.deepEqual(
      statuses,
      statuses.map(() => 400),
    );
    for (const body of [null, [], 'text', 1, {}]) assert.equal(parseChatRequest(body).ok, false);
  });
});
