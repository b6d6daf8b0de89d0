import assert from 'node:assert/strict';
import { aggregate, callChunk, deltaChunk, finishChunk, splits, textChunk } from '../streamFixtures';

const hermes = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>';
const unknown = hermes.replace('read_file', 'open_door');
const qwen = '<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>';
const native = callChunk({ index: 0, id: 'c', function: { name: 'read_file', arguments: '{"path":"a"}' } });
const calls = (body: string): unknown => ({ body, types: 'tool_use' });

/** The types of the blocks, and the text, of an answer with this text. */
function read(pieces: readonly string[], before: readonly unknown[] = [], hasTools = true): unknown {
  const { content } = aggregate([...before, ...pieces.map(textChunk), finishChunk('stop')], { hasTools }).response;
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return { body: text, types: content.map(({ type }) => type).join() };
}

describe('EndTokens', () => {
  const removed: readonly (readonly [string, unknown])[] = [
    ['Hello!<|im_end|>', { body: 'Hello!', types: 'text' }],
    ['Hello!<|eot_id|>\n', { body: 'Hello!', types: 'text' }],
    ['Hello</s>', { body: 'Hello', types: 'text' }],
    ['Hello<|im_end|>\n<|endoftext|>', { body: 'Hello', types: 'text' }],
    ['Hello. <end_of_turn>', { body: 'Hello. ', types: 'text' }],
    ['Hello.\n<｜end▁of▁sentence｜>', { body: 'Hello.\n', types: 'text' }],
    ['```\ncode\n```<|im_end|>', { body: '```\ncode\n```', types: 'text' }],
    ['Hello[|endofturn|]', { body: 'Hello', types: 'text' }],
    ['Hello[e~[', { body: 'Hello', types: 'text' }],
    [`${hermes}<|im_end|>`, calls('')],
    [`${hermes}\n<|im_end|>\n`, calls('')],
    [`${hermes}</s>`, calls('')],
    ['<|tool_call_start|>[read_file(path="a")]<|tool_call_end|>\n<|im_end|>', calls('')],
    [`${qwen} <|im_end|>`, calls('')],
    [`${hermes.replace('\n</tool_call>', '')}<|im_end|>`, calls('')],
    ['{"name": "read_file", "arguments": {"path": "a"}}<|eot_id|>', calls('')],
    [`${unknown}<|im_end|>`, calls('')],
  ];
  for (const [text, outcome] of removed) {
    it(`removes the token from the end of ${JSON.stringify(text)}, wherever it is split`, () => {
      for (const pieces of splits(text)) assert.deepEqual(read(pieces), outcome, JSON.stringify(pieces));
    });
  }

  const kept = [
    'The token is <|im_end|>',
    'ChatML ends a turn with `<|im_end|>`',
    'ChatML ends a turn with "<|im_end|>"',
    'ChatML ends a turn with `<|im_end|>',
    'Hello<|im_end|> and more',
    'Hello<|im_e',
    'Hello<|im_start|>',
    '```\na<|im_end|>',
    '```\na<|im_end|>\n```',
    'This was <s>wrong</s>',
    'The tokens:\n<|im_start|>\n<|im_end|>',
    'a[',
    'if (a <',
    '<|im_end|>',
  ];
  for (const text of kept) {
    it(`keeps ${JSON.stringify(text)}, wherever it is split`, () => {
      for (const hasTools of [true, false]) {
        for (const pieces of splits(text)) {
          assert.deepEqual(read(pieces, [], hasTools), { body: text, types: 'text' }, JSON.stringify(pieces));
        }
      }
    });
  }

  it('removes a token that is the only text beside a call or a thought', () => {
    assert.deepEqual(read(['<|im_end|>'], [native]), calls(''));
    assert.deepEqual(read(['<|im_end|>'], [deltaChunk({ reasoning_content: 'Hm' })]), { body: '', types: 'thinking' });
  });

  it('keeps a token at the end of an answer that was cut', () => {
    const { content } = aggregate([textChunk('Hello<|im_end|>'), finishChunk('length')]).response;
    assert.deepEqual(content, [{ type: 'text', text: 'Hello<|im_end|>' }]);
  });

  it('keeps the end of struck text in a file that a call without closing tags writes', () => {
    const call = '<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n<p><s>old</s>';
    const { content } = aggregate([textChunk(call), finishChunk('stop')]).response;
    const [block] = content;
    assert.deepEqual(block?.type === 'tool_use' && block.input, { path: 'a', content: '<p><s>old</s>' });
  });

  it('takes time in proportion to a text that is full of tokens', () => {
    const text = '<|im_end|>'.repeat(20_000);
    assert.deepEqual(read([text, 'x']), { body: `${text}x`, types: 'text' });
  });
});
