import assert from 'node:assert/strict';
import { parseChatRequest } from '../../../src/endpoint/chatRequest';

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
  it('becomes a prompt and what was said before it', () => {
    const messages = [
      { role: 'system', content: 'One.' },
      user('Look.'),
      { role: 'assistant', content: null, tool_calls: [call('c1')] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'found' }] },
      { role: 'assistant', content: 'Done.' },
      { role: 'developer', content: 'Two.' },
      user(['And', { type: 'text', text: 'now?' }]),
    ];
    const options = { stream: true, stream_options: { include_usage: true }, max_tokens: 10, temperature: 0, top_p: 1 };
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
      temperature: 0,
      topP: 1,
    });
  });

  it('joins messages of the user that follow each other', () => {
    const joined = { stream: false, wantsUsageChunk: false, systemPrompt: '', history: [], prompt: 'One.\n\nTwo.' };
    assert.deepEqual(parse([user('One.'), user('Two.')]), joined);
  });

  it('passes over what it does not know, and what asks for nothing', () => {
    const more = { tools: [], functions: null, n: 1, response_format: { type: 'text' }, user: 'me', max_tokens: null };
    const request = { stream: false, wantsUsageChunk: false, systemPrompt: '', history: [], prompt: 'Hi.' };
    assert.deepEqual(parse([user('Hi.')], more), request);
  });

  it('says what is wrong, and where', () => {
    const last = 'messages: the last message must be of the role "user".';
    assert.deepEqual(parse([user('Hi.'), { role: 'assistant', content: 'Ho.' }]), [400, 'messages', last]);
    assert.deepEqual(parse([{ role: 'system', content: 'Hi.' }]), [400, 'messages', last]);
    assert.deepEqual(parse([user(' ')]), [400, 'messages', 'messages: the last message is empty.']);
    const image = user([{ type: 'image_url', image_url: { url: 'data:' } }]);
    assert.deepEqual(parse([image]), [400, 'messages', 'messages.0.content: only text is understood.']);
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
      { tools: [{}] },
      { functions: [{}] },
      { n: 2 },
      { response_format: { type: 'json_object' } },
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
