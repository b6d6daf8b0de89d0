import assert from 'node:assert/strict';
import { BlockWriter } from '../../../../../src/sdk/model/stream/blockWriter';

const text = (value: string) => ({ type: 'text', text: value });

describe('BlockWriter', () => {
  let opened: string[];
  let writer: BlockWriter;

  beforeEach(() => {
    opened = [];
    writer = new BlockWriter((type) => opened.push(type));
  });

  it('joins deltas of one block that nobody has taken yet', () => {
    writer.write('text', 'a');
    writer.write('text', 'b');
    assert.deepEqual(writer.takeEvents(), [{ type: 'text_delta', block: 0, text: 'ab' }]);
    writer.write('text', 'c');
    assert.deepEqual(writer.takeEvents(), [{ type: 'text_delta', block: 0, text: 'c' }]);
    assert.deepEqual(writer.takeEvents(), []);
    writer.close();
    assert.deepEqual(writer.content, [text('abc')]);
  });

  it('ends a block before the next one and drops the line breaks between them', () => {
    writer.write('thinking', 'Hm');
    writer.write('text', '\n\nHi');
    writer.close();
    assert.deepEqual(writer.takeEvents(), [
      { type: 'thinking_delta', block: 0, text: 'Hm' },
      { type: 'block_end', block: 0, content: { type: 'thinking', text: 'Hm' } },
      { type: 'text_delta', block: 1, text: 'Hi' },
      { type: 'block_end', block: 1, content: text('Hi') },
    ]);
    assert.deepEqual(opened, ['thinking', 'text']);
  });

  it('opens no block for white space alone', () => {
    writer.write('text', ' \n');
    writer.close();
    assert.deepEqual([writer.takeEvents(), writer.content, opened], [[], [], []]);
  });

  it('keeps white space at the start of the first block', () => {
    writer.write('text', '  ');
    writer.write('text', 'Hi');
    writer.close();
    assert.deepEqual(writer.content, [text('  Hi')]);
  });

  it('puts blocks in the order of their numbers, however they end', () => {
    const first = writer.openCall();
    const second = writer.openCall();
    const call = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} }) as const;
    writer.writeArguments(first, 'a', '{');
    writer.writeArguments(first, 'a', '}');
    assert.deepEqual(writer.takeEvents(), [{ type: 'tool_use_delta', block: 0, id: 'a', argumentsDelta: '{}' }]);
    writer.end(second, call('b'));
    writer.end(first, call('a'));
    assert.deepEqual(writer.content, [call('a'), call('b')]);
    assert.deepEqual(opened, ['call', 'call']);
  });

  it('ends the open text as thinking when it turns out to be that', () => {
    writer.write('text', 'Hm');
    writer.turnTextIntoThinking();
    writer.write('text', 'Hi');
    writer.close();
    assert.deepEqual(writer.content, [{ type: 'thinking', text: 'Hm' }, text('Hi')]);
  });

  it('adds an error where the answer was cut off inside a call', () => {
    writer.write('text', 'Hi');
    writer.addCutOff('<tool_call>');
    assert.deepEqual(writer.content, [
      text('Hi'),
      {
        type: 'tool_use_error',
        error: 'The answer was cut off inside this tool call. It was not executed.',
        rawData: '<tool_call>',
      },
    ]);
  });
});
