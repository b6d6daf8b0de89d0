import assert from 'node:assert/strict';
import { DeltaReader } from '../../../../../src/sdk/model/stream/deltaReader';
import { callChunk, deltaChunk, finishChunk, textChunk } from '../streamFixtures';

describe('DeltaReader', () => {
  let heard: unknown[];
  let reader: DeltaReader;

  beforeEach(() => {
    heard = [];
    reader = new DeltaReader({
      progress: (progress) => heard.push(['progress', progress.processed]),
      reasoning: (text) => heard.push(['reasoning', text]),
      text: (text) => heard.push(['text', text]),
      call: (entry) => heard.push(['call', entry]) && 5,
    });
  });

  it('gives progress, reasoning, text and calls of each chunk', () => {
    const call = { index: 0, id: 'c', function: { name: 'f', arguments: '{"a":' } };
    reader.accept({ prompt_progress: { total: 10, processed: 4 } });
    reader.accept(deltaChunk({ reasoning_content: 'Hm', content: 'Hi' }));
    reader.accept(callChunk(call));
    assert.deepEqual(heard, [
      ['progress', 4],
      ['reasoning', 'Hm'],
      ['text', 'Hi'],
      ['call', call],
    ]);
  });

  it('gives only the new part when each chunk repeats the whole text', () => {
    for (const text of ['The answer', 'The answer is', 'The answer is 42', 'The answer is 42.']) {
      reader.accept(textChunk(text));
    }
    reader.end();
    assert.equal(heard.map((item) => (item as string[])[1]).join(''), 'The answer is 42.');
  });

  it('gives held back text at the end', () => {
    for (const text of ['a', 'ab']) reader.accept(textChunk(text));
    assert.deepEqual(heard, [['text', 'a']]);
    reader.end();
    assert.deepEqual(heard.slice(1), [['text', 'ab']]);
  });

  it('keeps the first id and model, the newest usage and the newest finish reason', () => {
    reader.accept({ id: 'r1', model: 'm1', choices: [] });
    reader.accept({ id: 'r2', model: 'm2', usage: { prompt_tokens: 3, completion_tokens: 1 } });
    assert.equal(reader.finishReason, undefined);
    reader.accept(finishChunk('stop'));
    reader.accept(finishChunk('length'));
    assert.deepEqual(
      [reader.ids, reader.usage, reader.finishReason],
      [{ responseId: 'r1', model: 'm1' }, { promptTokens: 3, completionTokens: 1 }, 'length'],
    );
  });

  it('counts text, reasoning and arguments as received', () => {
    reader.accept(deltaChunk({ reasoning_content: 'Hm', content: 'Hi!' }));
    reader.accept(callChunk({ function: { name: 'f' } }));
    assert.equal(reader.receivedCharacters, 2 + 3 + 1 + 5);
  });

  it('ignores values that are no chunks', () => {
    for (const value of [null, 7, 'x', [], {}, { choices: null }, { choices: [{ delta: null }] }]) reader.accept(value);
    assert.deepEqual([heard, reader.receivedCharacters], [[], 0]);
  });

  it('ignores a whole message after its stream', () => {
    reader.accept(textChunk('Hi'));
    reader.accept({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] });
    reader.end();
    assert.deepEqual([heard, reader.finishReason], [[['text', 'Hi']], 'stop']);
  });
});
