import assert from 'node:assert/strict';
import fc from 'fast-check';
import { aggregate, aggregateBytes, callChunk, deltaChunk, finishChunk, splits, textChunk } from '../streamFixtures';

const text = (value: string) => ({ type: 'text', text: value });
const thinking = (value: string) => ({ type: 'thinking', text: value });
const use = (input: unknown, id = 'id1', name = 'read_file') => ({ type: 'tool_use', id, name, input });

const read = '{"name": "read_file", "arguments": {"path": "a.ts"}}';
const hermes = `<tool_call>\n${read}\n</tool_call>`;
const qwen = '<tool_call>\n<function=read_file>\n<parameter=path>\na.ts\n</parameter>\n</function>\n</tool_call>';

const harmony = '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a.ts"}<|call|>';

function dsml(bar: string, tag: string): string {
  const name = `${bar}DSML${bar}`;
  return `<${name}${tag}>\n<${name}invoke name="read_file">\n<${name}parameter name="path" string="true">a.ts</${name}parameter>\n</${name}invoke>\n</${name}${tag}>`;
}

/** After the template of Kimi K3. */
function kimiCall(index: number, body: string, tool = 'read_file'): string {
  return `<|open|>call tool="${tool}" index="${index}"<|sep|>${body}<|close|>call<|sep|>`;
}

function kimiArgument(key: string, value: string, type = 'string'): string {
  return `<|open|>argument key="${key}" type="${type}"<|sep|>${value}<|close|>argument<|sep|>`;
}

function kimiSection(...calls: readonly string[]): string {
  return `<|open|>tools<|sep|>${calls.join('')}<|close|>tools<|sep|>`;
}

/** Answers with calls in their text, and what they must come to. */
const calls: readonly (readonly [string, string, readonly unknown[]])[] = [
  ['Hermes', hermes, [use({ path: 'a.ts' })]],
  ['Hermes after a line of text', `I'll look.\n${hermes}`, [text("I'll look.\n"), use({ path: 'a.ts' })]],
  ['Hermes with text after it', `${hermes}\nDone.`, [use({ path: 'a.ts' }), text('Done.')]],
  ['Hermes, two calls', `${hermes}\n${hermes}`, [use({ path: 'a.ts' }), use({ path: 'a.ts' }, 'id2')]],
  ['Hermes without the closing tag', `<tool_call>\n${read}`, [use({ path: 'a.ts' })]],
  [
    'Hermes, two calls without closing tags',
    `<tool_call>\n${read}\n<tool_call>\n${read}`,
    [use({ path: 'a.ts' }), use({ path: 'a.ts' }, 'id2')],
  ],
  [
    'Hermes with a bracket missing',
    '<tool_call>{"name":"read_file","arguments":{"path":"a.ts"}</tool_call>',
    [use({ path: 'a.ts' })],
  ],
  [
    'Hermes with `parameters`',
    '<tool_call>{"name":"read_file","parameters":{"path":"a.ts"}}</tool_call>',
    [use({ path: 'a.ts' })],
  ],
  [
    'Hermes with arguments as text',
    '<tool_call>{"name":"read_file","arguments":"{\\"path\\":\\"a.ts\\"}"}</tool_call>',
    [use({ path: 'a.ts' })],
  ],
  [
    'Hermes with its own tags in an argument',
    '<tool_call>{"name":"write_file","arguments":{"path":"a","content":"<tool_call></tool_call>\\n</think>\\n"}}</tool_call>x',
    [use({ path: 'a', content: '<tool_call></tool_call>\n</think>\n' }, 'id1', 'write_file'), text('x')],
  ],
  ['Hermes after a thought', `<think>Hm.</think>\n${hermes}`, [thinking('Hm.'), use({ path: 'a.ts' })]],
  ['Qwen3-Coder', qwen, [use({ path: 'a.ts' })]],
  ['Qwen3-Coder with text around it', `Now:\n${qwen}\nDone.`, [text('Now:\n'), use({ path: 'a.ts' }), text('Done.')]],
  [
    'Qwen3-Coder with several lines and tags in a value',
    '<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n<b>\n</tool_call>\n</parameter>x\n\n</parameter>\n</function>\n</tool_call>',
    [use({ path: 'a', content: '<b>\n</tool_call>\n</parameter>x\n' }, 'id1', 'write_file')],
  ],
  [
    'Qwen3-Coder without closing tags',
    '<tool_call>\n<function=read_file>\n<parameter=path>\na.ts',
    [use({ path: 'a.ts' })],
  ],
  [
    'Qwen3-Coder without the opening tag',
    '<function=read_file>\n<parameter=path>\na.ts\n</parameter>\n</function>\n</tool_call>',
    [use({ path: 'a.ts' })],
  ],
  [
    'GLM',
    '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.ts</arg_value>\n</tool_call>',
    [use({ path: 'a.ts' })],
  ],
  ['Mistral', `[TOOL_CALLS][${read}]`, [use({ path: 'a.ts' })]],
  [
    'Mistral on the line of a text',
    `Well.[TOOL_CALLS] [${read}, ${read}]`,
    [text('Well.'), use({ path: 'a.ts' }), use({ path: 'a.ts' }, 'id2')],
  ],
  [
    'Mistral of late',
    '[TOOL_CALLS]read_file[ARGS]{"path": "a.ts"}[TOOL_CALLS]read_file[ARGS]{"path": "b"}',
    [use({ path: 'a.ts' }), use({ path: 'b' }, 'id2')],
  ],
  ['Llama', '<|python_tag|>{"name": "read_file", "parameters": {"path": "a.ts"}}<|eom_id|>', [use({ path: 'a.ts' })]],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|> functions.read_file:0 <|tool_call_argument_begin|> {"path":"a.ts"} <|tool_call_end|><|tool_calls_section_end|>',
    [use({ path: 'a.ts' })],
  ],
  [
    'Kimi K2, two calls after text',
    'I look.<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a.ts"}<|tool_call_end|><|tool_call_begin|>functions.read_file:1<|tool_call_argument_begin|>{"path":"b.ts"}<|tool_call_end|><|tool_calls_section_end|>',
    [text('I look.'), use({ path: 'a.ts' }), use({ path: 'b.ts' }, 'id2')],
  ],
  ['Kimi K3', kimiSection(kimiCall(1, kimiArgument('path', 'a.ts'))), [use({ path: 'a.ts' })]],
  [
    'Kimi K3, two calls after text',
    `I look.${kimiSection(kimiCall(1, kimiArgument('path', 'a.ts')), kimiCall(2, kimiArgument('path', 'b.ts')))}`,
    [text('I look.'), use({ path: 'a.ts' }), use({ path: 'b.ts' }, 'id2')],
  ],
  ['Kimi K3 without the outer tag', kimiCall(1, kimiArgument('path', 'a.ts')), [use({ path: 'a.ts' })]],
  [
    'Kimi K3 with JSON',
    kimiSection(kimiCall(1, '<|open|>json type="object"<|sep|>{"path":"a.ts"}<|close|>json<|sep|>')),
    [use({ path: 'a.ts' })],
  ],
  [
    'Kimi K3 with values of other types, quotes and open braces',
    kimiSection(
      kimiCall(1, `${kimiArgument('content', ' {\n"x" ')}${kimiArgument('path', '5', 'number')}`, 'write_file'),
    ),
    [use({ content: ' {\n"x" ', path: 5 }, 'id1', 'write_file')],
  ],
  [
    'Kimi K3 with a closing tag in a value',
    kimiSection(kimiCall(1, kimiArgument('path', 'a<|close|>argument<|sep|>b<|close|>call<|sep|>c'))),
    [use({ path: 'a<|close|>argument<|sep|>b<|close|>call<|sep|>c' })],
  ],
  [
    'DeepSeek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path":"a.ts"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [use({ path: 'a.ts' })],
  ],
  [
    'DeepSeek of late',
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a.ts</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    [use({ path: 'a.ts' })],
  ],
  ...['｜', '|', '｜｜', '||'].flatMap((bar) =>
    ['function_calls', 'tool_calls'].map((tag): (typeof calls)[number] => [
      `DeepSeek with ${bar} and ${tag}`,
      dsml(bar, tag),
      [use({ path: 'a.ts' })],
    ]),
  ),
  [
    'DeepSeek without the outer tag',
    '<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a.ts</｜DSML｜parameter>\n</｜DSML｜invoke>',
    [use({ path: 'a.ts' })],
  ],
  ['LFM', '<|tool_call_start|>[read_file(path="a.ts")]<|tool_call_end|>', [use({ path: 'a.ts' })]],
  [
    'LFM, two calls after text, with values of Python',
    `Look.<|tool_call_start|>[read_file(path='it\\'s'), write_file(path="a", content="x\\n<|tool_call_end|>", n=[1, True, None, {"b": .5}])]<|tool_call_end|>`,
    [
      text('Look.'),
      use({ path: "it's" }),
      use({ path: 'a', content: 'x\n<|tool_call_end|>', n: [1, true, null, { b: 0.5 }] }, 'id2', 'write_file'),
    ],
  ],
  ['LFM with JSON', `<|tool_call_start|>[${read}]<|tool_call_end|>`, [use({ path: 'a.ts' })]],
  ['Gemma 4', '<|tool_call>call:read_file{path:<|"|>a.ts<|"|>}<tool_call|>', [use({ path: 'a.ts' })]],
  [
    'Gemma 4, two calls, with marks and brackets in values',
    '<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>{"b": [1}\n<tool_call|><|"|>}<tool_call|><|tool_call>call:read_file{path:<|"|>b<|"|>,n:-7,all:true,l:[<|"|>x<|"|>],o:{k:null}}<tool_call|>',
    [
      use({ path: 'a', content: '{"b": [1}\n<tool_call|>' }, 'id1', 'write_file'),
      use({ path: 'b', n: -7, all: true, l: ['x'], o: { k: null } }, 'id2'),
    ],
  ],
  ['Functionary', '<function=read_file>{"path": "a.ts"}</function>', [use({ path: 'a.ts' })]],
  [
    'Functionary, two calls, with its tags in a value',
    '<function=write_file>{"path": "a", "content": "</function>\\n{"}</function>\n<function=read_file>{"path": "a.ts"}</function>',
    [use({ path: 'a', content: '</function>\n{' }, 'id1', 'write_file'), use({ path: 'a.ts' }, 'id2')],
  ],
  ['Seed', qwen.replaceAll('tool_call>', 'seed:tool_call>'), [use({ path: 'a.ts' })]],
  [
    'Command',
    `<|START_ACTION|>[${read.replace('name', 'tool_name').replace('arguments', 'parameters')}]<|END_ACTION|>`,
    [use({ path: 'a.ts' })],
  ],
  ['Granite', `<|tool_call|>[${read}]`, [use({ path: 'a.ts' })]],
  ['Nemotron', `<TOOLCALL>[${read}]</TOOLCALL>`, [use({ path: 'a.ts' })]],
  [
    'Gemma 4 after a thought',
    '<|channel>thought\nHm.<channel|><|tool_call>call:read_file{path:<|"|>a.ts<|"|>}<tool_call|>',
    [thinking('Hm.'), use({ path: 'a.ts' })],
  ],
  ['a tag in brackets', `[TOOL_CALL]\n${read}\n[/TOOL_CALL]`, [use({ path: 'a.ts' })]],
  [
    'a tag in brackets with arrows',
    '[TOOL_CALL]\n{tool => "write_file", args => {\n  --path "a.ts"\n  --content "x \\"y\\""\n}}\n[/TOOL_CALL]',
    [use({ path: 'a.ts', content: 'x "y"' }, 'id1', 'write_file')],
  ],
  ['a list in `<tool_calls>`', `<tool_calls>[${read}]</tool_calls>`, [use({ path: 'a.ts' })]],
  [
    'lines in `<tool_calls>`',
    `<tool_calls>\n${read}\n${read}\n</tool_calls>\nDone.`,
    [use({ path: 'a.ts' }), use({ path: 'a.ts' }, 'id2'), text('Done.')],
  ],
  ['Hermes in `<tool_calls>`', `<tool_calls>\n${hermes}\n</tool_calls>`, [use({ path: 'a.ts' })]],
  [
    'Qwen3-Coder in `<tool_calls>`',
    `Now.\n<tool_calls>\n${qwen}\n</tool_calls>`,
    [text('Now.\n'), use({ path: 'a.ts' })],
  ],
  ['Hermes with a rest of `<tool_calls>`', `${hermes}\n</tool_calls>`, [use({ path: 'a.ts' })]],
  ['a path that begins with a blank', qwen.replace('\na.ts\n', ' a.ts '), [use({ path: 'a.ts' })]],
  [
    'a tool that is not offered',
    '<tool_call>\n{"name": "fly", "arguments": {"to": "b"}}\n</tool_call>',
    [use({ to: 'b' }, 'id1', 'fly')],
  ],
  [
    'a tool that is not offered, before one that is',
    `<tool_call>\n{"name": "fly", "arguments": {}}\n</tool_call>\n${hermes}`,
    [use({}, 'id1', 'fly'), use({ path: 'a.ts' }, 'id2')],
  ],
  [
    'a Harmony call to a tool that is not offered',
    harmony.replace('read_file', 'fly'),
    [use({ path: 'a.ts' }, 'id1', 'fly')],
  ],
  [
    'one call as JSON to a tool that is not offered',
    read.replace('read_file', 'fly'),
    [use({ path: 'a.ts' }, 'id1', 'fly')],
  ],
  [
    'MiniMax',
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a.ts</parameter>\n</invoke>\n</minimax:tool_call>',
    [use({ path: 'a.ts' })],
  ],
  [
    'Harmony',
    `<|channel|>analysis<|message|>Hm, a < b.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a.ts"}<|call|>`,
    [thinking('Hm, a < b.'), use({ path: 'a.ts' })],
  ],
  [
    'Harmony with what it says before the call, and the recipient before the channel',
    `<|channel|>commentary<|message|>I'll look.<|end|><|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{"path":"a.ts"}`,
    [text("I'll look."), use({ path: 'a.ts' })],
  ],
  [
    'Harmony from its first token on, two calls, tokens in an argument',
    `<|start|>assistant<|channel|>analysis<|message|>Hm.\n<|end|>\n<|start|>assistant<|channel|>commentary to=functions.write_file<|message|> {"path":"a","content":"<|call|><|end|>\\n"}<|call|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"b"}<|call|>`,
    [
      thinking('Hm.\n'),
      use({ path: 'a', content: '<|call|><|end|>\n' }, 'id1', 'write_file'),
      use({ path: 'b' }, 'id2'),
    ],
  ],
  [
    'Harmony with a bracket missing',
    `<|channel|>commentary to=functions.read_file<|message|>{"path": "a.ts"<|call|>`,
    [use({ path: 'a.ts' })],
  ],
  [
    'Harmony after text that is none, and text after it',
    `I'll look.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a.ts"}<|call|>Done.`,
    [text("I'll look."), use({ path: 'a.ts' }), text('Done.')],
  ],
  ['an answer that is one call as JSON', read, [use({ path: 'a.ts' })]],
  ['an answer that is one fenced call', `\`\`\`json\n${read}\n\`\`\``, [use({ path: 'a.ts' })]],
  [
    'an answer that is one call in the shape of the API',
    `{"type": "function", "function": {"name": "read_file", "arguments": {"path": "a.ts"}}}`,
    [use({ path: 'a.ts' })],
  ],
];

/** Answers that only talk about calls. */
const quotes: readonly (readonly [string, string])[] = [
  ['a call in the middle of a line', `One writes ${hermes} for that.`],
  ['a call in a code block', `Like this:\n\`\`\`\n${hermes}\n\`\`\`\nSee?`],
  ['a call in a code span', '`[TOOL_CALLS][{"name":"read_file","arguments":{}}]`'],
  [
    'a call to a tool that is not offered, with text after it',
    '<tool_call>\n{"name": "fly", "arguments": {}}\n</tool_call>\nis one.',
  ],
  ['a fenced call with prose around it', `It is:\n\`\`\`json\n${read}\n\`\`\``],
  ['a fenced call with prose after it', `\`\`\`json\n${read}\n\`\`\`\nis how.`],
  ['Harmony in the middle of a line', `One writes ${harmony} for that.`],
  ['Harmony in a code block', `Like this:\n\`\`\`\n${harmony}\n\`\`\`\nSee?`],
  ['Harmony in a code span', `\`${harmony}\``],
  ['a Harmony call to a tool that is not offered', `Well.\n${harmony.replace('read_file', 'fly')}\nis one.`],
  ['tokens of Harmony without a header', '<|end|> ends, <|channel|> names a channel.\n<|start|>\n<|return|>'],
  ['a Harmony header without its end', '<|channel|>analysis is where it thinks.\nSo much for that.'],
  ['a JSON answer', '{"name": "Ada", "age": 36}'],
  ['another JSON answer', '{\n  "path": "a.ts"\n}'],
  ['a code block', '```ts\nconst a = 1;\n```'],
  ['a fenced call to a tool that is not offered', `\`\`\`json\n${read.replace('read_file', 'fly')}\n\`\`\``],
  ['a JSON answer with the fields of a call and others', '{"name": "fly", "arguments": {}, "age": 3}'],
  ['LFM in a code block', '```\n<|tool_call_start|>[read_file(path="a")]<|tool_call_end|>\n```'],
  ['LFM that is none', '<|tool_call_start|>[read_file(path=a b)]<|tool_call_end|>'],
  [
    'Kimi K2 in a code block',
    '```\n<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{}<|tool_call_end|>\n```',
  ],
  ['Kimi K3 in a code block', `\`\`\`\n${kimiSection(kimiCall(1, kimiArgument('path', 'a')))}\n\`\`\``],
  ['Kimi K3 in a code span', `\`${kimiCall(1, kimiArgument('path', 'a'))}\``],
  ['Kimi K3 that is none', '<|open|>tools<|sep|>and so on<|close|>tools<|sep|>'],
  [
    'Kimi K3 without the end of an argument',
    '<|open|>call tool="read_file"<|sep|><|open|>argument key="path"<|sep|>a<|close|>call<|sep|>',
  ],
  ['Gemma 4 in a code span', '`<|tool_call>call:read_file{path:<|"|>a<|"|>}<tool_call|>`'],
  ['Gemma 4 that is none', '<|tool_call>call: see the docs<tool_call|>'],
  ['DSML in a code block', `\`\`\`\n${dsml('|', 'tool_calls')}\n\`\`\``],
  ['a tag in brackets within a line', 'The [TOOL_CALL] tag: [TOOL_CALL]{"name": "read_file"}[/TOOL_CALL]'],
  ['`<tool_calls>` in a code block', `\`\`\`\n<tool_calls>[${read}]</tool_calls>\n\`\`\``],
  ['`<tool_calls>` with prose in it', '<tool_calls>\nand so on\n</tool_calls>'],
  ['markup that is none', '<tool_box> [TOOLS] <function> a < b'],
  ['an inline beginning', '`{` opens'],
];

describe('calls written as text', () => {
  for (const [name, answer, content] of calls) {
    it(`${name}, however it is split`, () => {
      for (const pieces of splits(answer)) {
        const { events, response } = aggregate([...pieces.map(textChunk), finishChunk('stop')]);
        assert.deepEqual(response.content, content, JSON.stringify(pieces));
        assert.equal(response.stopReason, 'tool_use');
        const shown = events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('');
        assert.equal(shown, response.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''));
      }
    });
  }

  for (const [name, answer] of quotes) {
    it(`are not ${name}`, () => {
      for (const pieces of splits(answer)) {
        const { response } = aggregate([...pieces.map(textChunk), finishChunk('stop')]);
        assert.deepEqual(response.content, [text(answer)], JSON.stringify(pieces));
      }
    });
  }

  it('are found among any other text, however it is split', () => {
    const prose = ['Let me look.\n', 'a < b\n', '`<|channel|>`\n', '```\n<tool_call>\n```\n', 'é 😀\n', '\n', ' '];
    const parts = [...calls.map(([, answer]) => answer), ...quotes.map(([, answer]) => answer), ...prose];
    const isThought = fc.boolean();
    const answer = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 }).map((list) => list.join(''));
    const cuts = fc.array(fc.nat(), { maxLength: 12 });
    const property = fc.property(answer, isThought, cuts, cuts, (whole, thought, textCuts, byteCuts) => {
      const chunkOf = (piece: string) => (thought ? deltaChunk({ reasoning_content: piece }) : textChunk(piece));
      const expected = aggregate([chunkOf(whole), finishChunk('stop')]);
      const chunks = [
        ...cutAt(Array.from(whole), textCuts).map((piece) => chunkOf(piece.join(''))),
        finishChunk('stop'),
      ];
      assert.deepEqual(aggregate(chunks), expected);
      const bytes = Buffer.from(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''));
      const { events, response } = aggregateBytes(cutAt(bytes, byteCuts));
      assert.deepEqual({ events, response }, expected);
    });
    fc.assert(property, { seed: 7, numRuns: 600 });
  });

  it('stay text when no tools are offered', () => {
    const { response } = aggregate([textChunk(hermes), finishChunk('stop')], { hasTools: false });
    assert.deepEqual(response.content, [text(hermes)]);
  });

  it('do not delay the text before them', () => {
    const { events } = aggregate([textChunk('Look.\n'), textChunk('<tool'), textChunk('_box>')]);
    assert.deepEqual(events.slice(0, 1), [{ type: 'text_delta', block: 0, text: 'Look.\n<tool_box>' }]);
  });

  it('are an error, not text, when the answer is cut off inside them', () => {
    const { response } = aggregate([textChunk('Look.\n<tool_call>\n{"name": "read_f')], { cut: 'incomplete' });
    assert.deepEqual(response.content, [
      text('Look.\n'),
      {
        type: 'tool_use_error',
        error: 'The answer was cut off inside this tool call. It was not executed.',
        rawData: '<tool_call>\n{"name": "read_f',
      },
    ]);
  });

  it('are not run when the answer is cut off after them', () => {
    const { response } = aggregate([textChunk(`${hermes}\nAnd`)], { cut: 'incomplete' });
    assert.deepEqual(
      response.content.map((block) => block.type),
      ['tool_use_error', 'text'],
    );
  });

  it('with unreadable arguments tell the model what is wrong', () => {
    const broken = '<tool_call>{"name": "read_file", "arguments": {"path": "a}}</tool_call>';
    const { response } = aggregate([textChunk(broken), finishChunk('stop')]);
    assert.equal(response.content[0]?.type, 'tool_use_error');
    assert.equal(response.stopReason, 'tool_use');
  });

  describe('inside the reasoning', () => {
    for (const [name, call] of [
      [
        'Kimi K2',
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a.ts"}<|tool_call_end|><|tool_calls_section_end|>',
      ],
      ['Kimi K3', kimiSection(kimiCall(1, kimiArgument('path', 'a.ts')))],
    ] as const) {
      it(`count for ${name} when nothing comes after them, and are thinking when an answer does`, () => {
        const thought = deltaChunk({ reasoning_content: `Hm.\n${call}` });
        const alone = aggregate([thought, finishChunk('stop')]).response;
        assert.deepEqual(alone.content, [thinking('Hm.\n'), use({ path: 'a.ts' })]);
        const answered = aggregate([thought, textChunk('Done.'), finishChunk('stop')]).response;
        assert.deepEqual(answered.content, [thinking(`Hm.\n${call}`), text('Done.')]);
      });
    }

    const thought = deltaChunk({ reasoning_content: `Hm.\n${hermes}\n` });

    it('count when nothing comes after them', () => {
      const { response } = aggregate([thought, finishChunk('stop')]);
      assert.deepEqual(response.content, [thinking('Hm.\n'), use({ path: 'a.ts' })]);
    });

    it('count between think tags too', () => {
      const { response } = aggregate([textChunk(`<think>Hm.\n${hermes}\n</think>`), finishChunk('stop')]);
      assert.deepEqual(response.content, [thinking('Hm.\n'), use({ path: 'a.ts' })]);
    });

    it('count in the Harmony format', () => {
      const reasoning = `Hm.<|end|><|start|>assistant${harmony}`;
      const { response } = aggregate([deltaChunk({ reasoning_content: reasoning }), finishChunk('stop')]);
      assert.deepEqual(response.content, [thinking('Hm.'), use({ path: 'a.ts' })]);
    });

    it('are thinking when an answer follows', () => {
      const { response } = aggregate([thought, textChunk('Done.'), finishChunk('stop')]);
      assert.deepEqual(response.content, [thinking(`Hm.\n${hermes}`), text('Done.')]);
    });

    it('are thinking when the thinking goes on', () => {
      const { response } = aggregate([thought, deltaChunk({ reasoning_content: 'No.' }), finishChunk('stop')]);
      assert.deepEqual(response.content, [thinking(`Hm.\n${hermes}\nNo.`)]);
    });

    it('keep the white space after them when the thinking goes on, however it is split', () => {
      for (const pieces of [['\nNo.'], ['\n', 'No.']]) {
        const rest = pieces.map((piece) => deltaChunk({ reasoning_content: piece }));
        const call = deltaChunk({ reasoning_content: `Hm.\n${hermes}` });
        const { response } = aggregate([call, ...rest, finishChunk('stop')]);
        assert.deepEqual(response.content, [thinking(`Hm.\n${hermes}\nNo.`)]);
      }
    });

    it('are thinking when a real call follows', () => {
      const entry = { index: 0, id: 'c', function: { name: 'read_file', arguments: '{"path":"b"}' } };
      const { response } = aggregate([thought, callChunk(entry), finishChunk('tool_calls')]);
      assert.deepEqual(response.content, [thinking(`Hm.\n${hermes}`), use({ path: 'b' }, 'c')]);
    });
  });
});

function cutAt<T extends { readonly length: number; slice(start: number, end: number): T }>(
  whole: T,
  cuts: readonly number[],
): readonly T[] {
  const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((start, index) => whole.slice(start, places[index] ?? whole.length));
}
