import assert from 'node:assert/strict';
import { CallExtractor } from '../../../../../src/sdk/model/stream/callExtractor';

const markup = '<tool_call>{"name": "f", "arguments": {}}</tool_call>';

describe('CallExtractor', () => {
  let heard: string[];
  let extractor: CallExtractor;

  beforeEach(() => {
    heard = [];
    extractor = new CallExtractor(
      {
        write: (type, text) => heard.push(`${type}: ${text}`),
        calls: (calls) => heard.push(`calls: ${calls.map(({ name }) => name).join()}`),
        cutOff: (text) => heard.push(`cut off: ${text}`),
      },
      { isOffered: (name) => name === 'f', hasTools: true, hasNativeCalls: () => false, model: '' },
    );
  });

  it('takes a call out of the text', () => {
    extractor.pushText(`Look.\n${markup}`);
    extractor.endText(true);
    assert.deepEqual(heard, ['text: Look.\n', 'calls: f']);
  });

  it('knows while it captures a call', () => {
    extractor.pushText('<tool_call>{"name"');
    assert.equal(extractor.isCapturing, true);
    extractor.endText(false);
    assert.deepEqual(heard, ['cut off: <tool_call>{"name"']);
  });

  it('holds a call in the thinking until somebody takes it', () => {
    extractor.pushThinking(`${markup}\n`);
    extractor.endThinking(true);
    assert.deepEqual(heard, []);
    assert.deepEqual(
      extractor.takeHeld().map(({ name }) => name),
      ['f'],
    );
    assert.deepEqual(extractor.takeHeld(), []);
  });

  it('makes a held call thinking again when the thinking goes on', () => {
    extractor.pushThinking(markup);
    extractor.pushThinking('\nor not');
    extractor.endThinking(true);
    assert.deepEqual([heard, extractor.takeHeld()], [[`thinking: ${markup}\nor not`], []]);
  });

  it('makes held calls thinking, without the white space after them, when something else follows', () => {
    extractor.pushThinking(`${markup}\n\n`);
    extractor.endThinking(true);
    extractor.releaseHeld();
    assert.deepEqual(heard, [`thinking: ${markup}`]);
  });

  it('writes a call that the thinking is cut off in as thinking', () => {
    extractor.pushThinking('<tool_call>{"name"');
    extractor.endThinking(false);
    assert.deepEqual(heard, ['thinking: <tool_call>{"name"']);
  });
});
