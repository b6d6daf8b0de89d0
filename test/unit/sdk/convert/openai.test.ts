import assert from 'node:assert/strict';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { fromOpenAIMessages, fromOpenAITools } from '../../../../src/sdk/convert/fromOpenAI';
import { toOpenAIMessages, toOpenAITools } from '../../../../src/sdk/convert/toOpenAI';
import type { Message } from '../../../../src/sdk/messages';
import { tool } from '../../../../src/sdk/tool';

const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'add', arguments: '{"a":1,"b":2}' },
} as const;

const history: readonly Message[] = [
  { role: 'user', content: '1 + 2?' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'I add.' },
      { type: 'text', text: 'One moment.' },
      { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1, b: 2 } },
    ],
  },
  {
    role: 'tool',
    content: { type: 'tool_result', toolUseId: 'call_1', toolName: 'add', content: '3', isError: false },
  },
];

const answer: Message = { role: 'assistant', content: [{ type: 'text', text: 'Three.' }] };

const wire = [
  { role: 'system', content: 'You calculate.' },
  { role: 'user', content: '1 + 2?' },
  { role: 'assistant', content: 'One moment.', reasoning_content: 'I add.', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: '3' },
];

describe("OpenAI's messages", () => {
  it('come out of a history, in the types of the openai package', () => {
    const messages: ChatCompletionMessageParam[] = toOpenAIMessages(history, { systemPrompt: 'You calculate.' });
    assert.deepEqual(messages, wire);
  });

  it('become a history', () => {
    assert.deepEqual(fromOpenAIMessages(wire), { systemPrompt: 'You calculate.', history });
  });

  it('end with the answer where the history does', () => {
    assert.deepEqual(toOpenAIMessages([history[0]!, answer]).at(-1), { role: 'assistant', content: 'Three.' });
    assert.deepEqual(toOpenAIMessages([...history, answer]).at(-1), { role: 'assistant', content: 'Three.' });
    assert.deepEqual(toOpenAIMessages([history[0]!]), [{ role: 'user', content: '1 + 2?' }]);
    assert.deepEqual(toOpenAIMessages([]), []);
  });

  it('may have parts of text, a developer, and no content beside calls', () => {
    const { systemPrompt, history: read } = fromOpenAIMessages([
      { role: 'system', content: 'One.' },
      { role: 'developer', content: [{ type: 'text', text: 'Two.' }] },
      { role: 'user', content: ['Add ', { type: 'text', text: 'it.' }] },
      { role: 'assistant', content: null, tool_calls: [call] },
    ]);
    assert.equal(systemPrompt, 'One.\n\nTwo.');
    assert.deepEqual(read, [
      { role: 'user', content: 'Add it.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1, b: 2 } }] },
    ]);
  });

  it('keep a call whose arguments are broken, as an error', () => {
    const broken = { ...call, function: { name: 'add', arguments: '{"a":' } };
    const [message] = fromOpenAIMessages([{ role: 'assistant', tool_calls: [broken] }]).history;
    const [block] = message?.role === 'assistant' ? message.content : [];
    assert.equal(block?.type === 'tool_use_error' && block.rawData, '{"a":');
    assert.equal(block?.type === 'tool_use_error' && block.toolName, 'add');
  });

  for (const [message, problem] of [
    [
      { role: 'user', content: [{ type: 'image_url', image_url: {} }] },
      /^messages\[0\] has an image that cannot be used\. .* it is no data URL/,
    ],
    [{ role: 'function', content: 'x' }, /^messages\[0\] has the role "function", which is unknown here\.$/],
    [{ role: 'user' }, /^messages\[0\] has no text as its content\.$/],
    [{ role: 'tool', content: 'x' }, /^messages\[0\] has no tool_call_id\.$/],
    [{ role: 'assistant', tool_calls: [{ id: 'a' }] }, /^messages\[0\] has a tool call without an id, a name/],
    [{ role: 'assistant', tool_calls: 'a' }, /^messages\[0\] has tool_calls that are no list\.$/],
    [[], /^messages\[0\] is no object\.$/],
  ] as const) {
    it(`are refused with their place: ${problem.source}`, () => {
      assert.throws(() => fromOpenAIMessages([message]), { code: 'invalid_options', message: problem });
    });
  }
});

describe("OpenAI's tools", () => {
  const add = tool('add', 'Add', { a: 'number', b: 'number' }, ({ a, b }) => a + b);

  it('come out of tools, in the types of the openai package', () => {
    const tools: ChatCompletionTool[] = toOpenAITools([add]);
    assert.deepEqual(tools, [
      { type: 'function', function: { name: 'add', description: 'Add', parameters: add.inputSchema } },
    ]);
  });

  it('become tools that one function runs', async () => {
    const names: string[] = [];
    const [copy] = fromOpenAITools(toOpenAITools([add]), (name, { a, b }) => {
      names.push(name);
      return Number(a) + Number(b);
    });
    assert.equal(await copy?.execute({ a: 1, b: '2' }), '3');
    assert.deepEqual([names, copy?.inputSchema], [['add'], add.inputSchema]);
  });

  it('need a name and a schema', () => {
    const execute = (): string => '';
    assert.throws(() => fromOpenAITools([{ type: 'web_search' }], execute), /tools\[0\] is no function\./);
    assert.throws(() => fromOpenAITools([{ function: { parameters: {} } }], execute), /tools\[0\] needs a name/);
    assert.equal(fromOpenAITools([{ function: { name: 'now' } }], execute)[0]?.inputSchema['type'], 'object');
  });
});
