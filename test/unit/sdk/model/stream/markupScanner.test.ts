import assert from 'node:assert/strict';
import { MarkupScanner } from '../../../../../src/sdk/model/stream/markupScanner';
import { TEXT_CALL_FORMATS } from '../../../../../src/sdk/model/calls/textToolCalls';
import { splits } from '../streamFixtures';

const call = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>';

function read(chunks: readonly string[], options: { hasTools?: boolean; isComplete?: boolean } = {}): unknown {
  const { hasTools = true, isComplete = true } = options;
  let text = '';
  const calls: string[] = [];
  const cut: string[] = [];
  const scanner = new MarkupScanner({
    sink: {
      text: (piece) => (text += piece),
      calls: (found) => calls.push(...found.map(({ name }) => name)),
      cutOff: (markup) => cut.push(markup),
    },
    isOffered: (name) => name === 'f',
    hasTools,
    formats: TEXT_CALL_FORMATS,
    mayBeWholeAnswer: true,
    hasNativeCalls: () => false,
  });
  for (const chunk of chunks) scanner.push(chunk);
  scanner.end(isComplete);
  return { text, calls, cut };
}

describe('MarkupScanner', () => {
  for (const [name, answer, expected] of [
    ['takes a call out of the text', `Look.\n${call}`, { text: 'Look.\n', calls: ['f'], cut: [] }],
    ['takes two calls', `${call}\n${call}`, { text: '\n', calls: ['f', 'f'], cut: [] }],
    ['reads an answer that is one call as JSON', '{"name": "f", "arguments": {}}', { text: '', calls: ['f'], cut: [] }],
    ['keeps a call in the middle of a line', `Write ${call} here`, { text: `Write ${call} here`, calls: [], cut: [] }],
    ['keeps a call in code', `\`\`\`\n${call}\n\`\`\``, { text: `\`\`\`\n${call}\n\`\`\``, calls: [], cut: [] }],
    [
      'keeps a call of a tool that is not offered when text follows',
      `${call.replace('"f"', '"g"')}\nis a call.`,
      { text: `${call.replace('"f"', '"g"')}\nis a call.`, calls: [], cut: [] },
    ],
    [
      'takes a call of a tool that is not offered at the end',
      `Look.\n${call.replace('"f"', '"g"')}\n`,
      { text: 'Look.\n', calls: ['g'], cut: [] },
    ],
  ] as const) {
    it(`${name}, however it is split`, () => {
      for (const chunks of splits(answer)) assert.deepEqual(read(chunks), expected);
    });
  }

  it('looks for nothing without tools', () => {
    assert.deepEqual(read([call], { hasTools: false }), { text: call, calls: [], cut: [] });
  });

  it('cuts off a call that an incomplete answer ends in', () => {
    const markup = '<tool_call>{"name": "f"';
    assert.deepEqual(read([markup], { isComplete: false }), { text: '', calls: [], cut: [markup] });
  });
});
