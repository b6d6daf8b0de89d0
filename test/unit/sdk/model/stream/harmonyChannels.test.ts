import assert from 'node:assert/strict';
import { aggregate, deltaChunk, finishChunk, splits, textChunk } from '../streamFixtures';

const text = (value: string) => ({ type: 'text', text: value });
const thinking = (value: string) => ({ type: 'thinking', text: value });
const final = '<|start|>assistant<|channel|>final<|message|>';

/** Answers in the Harmony format, and what they must come to; calls are in textToolCalls.test.ts. */
const answers: readonly (readonly [string, string, readonly unknown[]])[] = [
  [
    'a thought and an answer',
    `<|channel|>analysis<|message|>Is a < b? Yes.<|end|>${final}Yes, a < b.<|return|>`,
    [thinking('Is a < b? Yes.'), text('Yes, a < b.')],
  ],
  ['an answer alone', '<|channel|>final<|message|>Yes.', [text('Yes.')]],
  ['white space before it', '\n\n<|channel|>final<|message|>Yes.<|return|>\n', [text('Yes.')]],
  ['a thought alone', '<|channel|>analysis<|message|>Hm.<|end|>', [thinking('Hm.')]],
  [
    'messages without the token that ends them',
    `<|channel|>analysis<|message|>Hm.${final}Yes.`,
    [thinking('Hm.'), text('Yes.')],
  ],
  [
    'two thoughts',
    `<|channel|>analysis<|message|>One.<|end|><|start|>assistant<|channel|>analysis<|message|> Two.<|end|>${final}Yes.`,
    [thinking('One. Two.'), text('Yes.')],
  ],
  [
    'text after the last message',
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|end|>\n',
    [thinking('Hm.'), text('Yes.')],
  ],
  [
    'an answer about the format',
    `${final}The token \`<|end|>\` ends a message, <|end|> so to say:\n\`\`\`\n<|end|><|start|>assistant<|channel|>final<|message|>\n\`\`\`\nSee <|start|>assistant for more.`,
    [
      text(
        'The token `<|end|>` ends a message, <|end|> so to say:\n```\n<|end|><|start|>assistant<|channel|>final<|message|>\n```\nSee <|start|>assistant for more.',
      ),
    ],
  ],
  [
    'tags of another format',
    `<|channel|>analysis<|message|>I must not write </think>.<|end|>${final}<think> is a tag.`,
    [thinking('I must not write </think>.'), text('<think> is a tag.')],
  ],
  ['no Harmony at all', 'Yes.\n<|channel|>final<|message|>', [text('Yes.\n<|channel|>final<|message|>')]],
];

describe('answers in the Harmony format', () => {
  for (const [name, answer, content] of answers) {
    it(`${name}, however it is split, with tools and without`, () => {
      for (const pieces of splits(answer)) {
        for (const hasTools of [true, false]) {
          const { events, response } = aggregate([...pieces.map(textChunk), finishChunk('stop')], { hasTools });
          assert.deepEqual(response.content, content, JSON.stringify(pieces));
          const shown = events.flatMap((event) =>
            event.type === 'text_delta' || event.type === 'thinking_delta' ? [event.text] : [],
          );
          assert.equal(shown.join(''), response.content.map((block) => ('text' in block ? block.text : '')).join(''));
        }
      }
    });
  }

  it('show a thought once that the server also sends as reasoning', () => {
    const chunks = [
      deltaChunk({ reasoning_content: 'Hm.' }),
      textChunk(`<|channel|>analysis<|message|>Hm.<|end|>${final}Yes.`),
    ];
    const { response } = aggregate([...chunks, finishChunk('stop')]);
    assert.deepEqual(response.content, [thinking('Hm.'), text('Yes.')]);
  });

  it('show nothing of a header that they are cut off in', () => {
    const whole = `<|channel|>analysis<|message|>Hm.<|end|>${final}`;
    const headers = whole.length - final.length;
    for (let length = headers + '<|start|>assistant'.length; length <= whole.length; length++) {
      const { response } = aggregate([textChunk(whole.slice(0, length))], { cut: 'incomplete' });
      assert.deepEqual(response.content, [thinking('Hm.')], whole.slice(0, length));
    }
  });

  it('run no call that is cut off, at any byte', () => {
    const call = '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a.ts"}<|call|>';
    for (let length = 1; length <= call.length; length++) {
      for (const cut of ['incomplete', 'interrupted', 'length'] as const) {
        const { response } = aggregate([textChunk(call.slice(0, length))], { cut });
        assert.ok(
          response.content.every(({ type }) => type !== 'tool_use'),
          call.slice(0, length),
        );
      }
    }
  });

  it('keep the name of a tool that is not offered, so that the model is told of it', () => {
    const { response } = aggregate([
      textChunk('<|channel|>commentary to=functions.fly <|constrain|>json<|message|>{}<|call|>'),
      finishChunk('stop'),
    ]);
    assert.deepEqual(response.content, [{ type: 'tool_use', id: 'id1', name: 'fly', input: {} }]);
  });

  it('end their thinking where a server dropped the next header, and not where a token is quoted', () => {
    const thoughts: readonly (readonly [string, readonly unknown[]])[] = [
      ['Hm.<|end|>Done.', [{ type: 'thinking', text: 'Hm.' }, text('Done.')]],
      ['Hm.\n<|end|>**Done.**', [{ type: 'thinking', text: 'Hm.\n' }, text('**Done.**')]],
      ['The token <|end|> ends it.', [{ type: 'thinking', text: 'The token <|end|> ends it.' }]],
      ['The `<|end|>` token.', [{ type: 'thinking', text: 'The `<|end|>` token.' }]],
    ];
    for (const [answer, content] of thoughts) {
      for (const pieces of splits(`<|channel|>analysis<|message|>${answer}`)) {
        const { response } = aggregate([...pieces.map(textChunk), finishChunk('stop')]);
        assert.deepEqual(response.content, content, JSON.stringify(pieces));
      }
    }
  });

  it('make no call of text that is not JSON', () => {
    const call = '<|channel|>commentary to=functions.read_file code<|message|>open("a.ts")<|call|>';
    for (const pieces of splits(call)) {
      const { response } = aggregate([...pieces.map(textChunk), finishChunk('stop')]);
      assert.deepEqual(
        response.content.map((block) => (block.type === 'tool_use_error' ? [block.toolName, block.rawData] : block)),
        [['read_file', 'open("a.ts")']],
      );
    }
  });
});
