import assert from 'node:assert/strict';
import { ReasoningSplitter } from '../../../../../src/sdk/model/stream/reasoningSplitter';

describe('ReasoningSplitter', () => {
  let heard: string[];
  let splitter: ReasoningSplitter;

  beforeEach(() => {
    heard = [];
    splitter = new ReasoningSplitter({
      text: (text) => heard.push(`text: ${text}`),
      textEnd: () => heard.push('text end'),
      thinking: (text) => text !== '' && heard.push(`thinking: ${text}`),
      thinkingEnd: () => heard.push('thinking end'),
      orphanEnd: () => heard.push('orphan end'),
      isLiteral: () => false,
      call: ({ name }) => heard.push(`call: ${name}`),
      cutOff: (markup) => heard.push(`cut off: ${markup}`),
    });
  });

  it('passes the reasoning field on as thinking', () => {
    splitter.pushReasoning('Hm');
    splitter.pushText('Hi');
    splitter.end(true);
    assert.deepEqual(heard, ['thinking: Hm', 'text: Hi']);
  });

  it('splits at think tags', () => {
    splitter.pushText('<think>Hm</think>\n\nHi');
    splitter.end(true);
    assert.deepEqual(heard, ['thinking: Hm', 'thinking end', 'text: Hi']);
  });

  it('splits Harmony channels', () => {
    splitter.pushText('<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final<|message|>Hi');
    splitter.end(true);
    assert.deepEqual(heard, ['thinking: Hm', 'thinking end', 'text: Hi']);
  });

  it('drops a thought between tags that repeats the reasoning field', () => {
    splitter.pushReasoning('Hm');
    splitter.pushText('<think>\nHm\n</think>Hi');
    splitter.end(true);
    assert.deepEqual(heard, ['thinking: Hm', 'thinking end', 'text: Hi']);
  });

  it('keeps a thought between tags that differs from the reasoning field', () => {
    splitter.pushReasoning('Hm');
    splitter.pushText('<think>Aha</think>Hi');
    splitter.end(true);
    assert.deepEqual(heard, ['thinking: Hm', 'thinking: Aha', 'thinking end', 'text: Hi']);
  });

  it('says when a closing tag has no opening one', () => {
    splitter.pushText('Hm\n</think>\nHi');
    splitter.end(true);
    assert.deepEqual(heard, ['text: Hm\n', 'orphan end', 'text: Hi']);
  });

  it('cuts off a Harmony call that an incomplete answer ends in', () => {
    const markup = '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a":';
    splitter.pushText(markup);
    splitter.end(false);
    assert.deepEqual(heard, [`cut off: ${markup}`]);
  });
});
