import assert from 'node:assert/strict';
import fc from 'fast-check';
import { StreamAggregator } from '../../../../../src/sdk/model/stream/streamAggregator';
import { familiesOf, mayCallInThoughts } from '../../../../../src/sdk/model/calls/families';
import { TEXT_CALL_FORMATS } from '../../../../../src/sdk/model/calls/textToolCalls';
import type { ModelEvent, ModelResponse } from '../../../../../src/sdk/model/modelProvider';
import { countedIds, deltaChunk, finishChunk, splits, textChunk, tools } from '../streamFixtures';

interface Written {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
}

interface Dialect {
  /** The family's name, and a model with it. */
  readonly family: string;
  readonly model: string;
  /** The calls as the family's published chat template writes them. */
  readonly write: (calls: readonly Written[]) => string;
  /** Values are written without quotation marks, so some cannot be written. */
  readonly isTagged?: boolean;
}

const json = (value: unknown): string => JSON.stringify(value);
const each =
  (write: (call: Written, index: number) => string, between = '') =>
  (calls: readonly Written[]): string =>
    calls.map(write).join(between);
const around =
  (open: string, inner: (calls: readonly Written[]) => string, close: string) => (calls: readonly Written[]) =>
    `${open}${inner(calls)}${close}`;
const tags = (input: Written['input'], tag: (key: string, value: string) => string, between = ''): string =>
  Object.entries(input)
    .map(([key, value]) => tag(key, value))
    .join(between);
const asObject = ({ name, input }: Written): string => `{"name": ${json(name)}, "arguments": ${json(input)}}`;
const dsml = (bar: string, outer: string): Dialect['write'] =>
  around(
    `<${bar}DSML${bar}${outer}>\n`,
    each(({ name, input }) => {
      const lines = tags(
        input,
        (key, value) => `<${bar}DSML${bar}parameter name="${key}" string="true">${value}</${bar}DSML${bar}parameter>\n`,
      );
      return `<${bar}DSML${bar}invoke name="${name}">\n${lines}</${bar}DSML${bar}invoke>\n`;
    }),
    `</${bar}DSML${bar}${outer}>`,
  );
const glm = (line: string): Dialect['write'] =>
  each(({ name, input }) => {
    const pairs = tags(input, (key, value) => `<arg_key>${key}</arg_key>${line}<arg_value>${value}</arg_value>${line}`);
    return `<tool_call>${name}${line}${pairs}</tool_call>`;
  }, line);
const functionTags = (line: string): Dialect['write'] =>
  each(({ name, input }) => {
    const pairs = tags(input, (key, value) => `<parameter=${key}>${line}${value}${line}</parameter>\n`);
    return `<tool_call>\n<function=${name}>\n${pairs}</function>\n</tool_call>`;
  }, '\n');

const dialects: readonly Dialect[] = [
  {
    family: 'Qwen, Hermes',
    model: 'qwen3-8b',
    write: each((call) => `<tool_call>\n${asObject(call)}\n</tool_call>`, '\n'),
  },
  { family: 'Qwen3-Coder, Nemotron 3', model: 'Qwen3-Coder-30B', write: functionTags('\n'), isTagged: true },
  {
    family: 'Seed-OSS',
    model: 'Seed-OSS-36B',
    write: each(({ name, input }) => {
      const pairs = tags(input, (key, value) => `<parameter=${key}>${value}</parameter>\n`);
      return `<seed:tool_call>\n<function=${name}>\n${pairs}</function>\n</seed:tool_call>`;
    }, '\n'),
    isTagged: true,
  },
  { family: 'GLM 4.6', model: 'GLM-4.6', write: glm('\n'), isTagged: true },
  { family: 'GLM 4.7, Laguna, Spark', model: 'GLM-4.7-Flash', write: glm(''), isTagged: true },
  {
    family: 'Mistral Nemo',
    model: 'Mistral-Nemo-Instruct-2407',
    write: (calls) =>
      `[TOOL_CALLS][${calls.map((call) => `${asObject(call).slice(0, -1)}, "id": "abcdefghi"}`).join(', ')}]`,
  },
  {
    family: 'Mistral Small 3.2',
    model: 'Mistral-Small-3.2-24B',
    write: each(({ name, input }, index) => `[TOOL_CALLS]${name}[CALL_ID]abcdefgh${index}[ARGS]${json(input)}`),
  },
  {
    family: 'Devstral',
    model: 'Devstral-Small-2507',
    write: each(({ name, input }) => `[TOOL_CALLS]${name}[ARGS]${json(input)}`),
  },
  {
    family: 'Llama 3',
    model: 'Llama-3.1-8B-Instruct',
    write: around(
      '<|python_tag|>',
      each(({ name, input }) => `{"name": ${json(name)}, "parameters": ${json(input)}}`, '; '),
      '<|eom_id|>',
    ),
  },
  {
    family: 'Kimi K2',
    model: 'Kimi-K2-Instruct',
    write: around(
      '<|tool_calls_section_begin|>',
      each(
        ({ name, input }, index) =>
          `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>${json(input)}<|tool_call_end|>`,
      ),
      '<|tool_calls_section_end|>',
    ),
  },
  {
    family: 'Kimi K3',
    model: 'Kimi-K3',
    write: around(
      '<|open|>tools<|sep|>',
      each(({ name, input }, index) => {
        const pairs = tags(
          input,
          (key, value) => `<|open|>argument key="${key}" type="string"<|sep|>${value}<|close|>argument<|sep|>`,
        );
        return `<|open|>call tool="${name}" index="${index + 1}"<|sep|>${pairs}<|close|>call<|sep|>`;
      }),
      '<|close|>tools<|sep|>',
    ),
    isTagged: true,
  },
  {
    family: 'DeepSeek V3.1',
    model: 'DeepSeek-V3.1',
    write: around(
      '<｜tool▁calls▁begin｜>',
      each(({ name, input }) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json(input)}<｜tool▁call▁end｜>`),
      '<｜tool▁calls▁end｜>',
    ),
  },
  {
    family: 'DeepSeek R1',
    model: 'DeepSeek-R1',
    write: around(
      '<｜tool▁calls▁begin｜>',
      each(
        ({ name, input }) =>
          `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${json(input)}\n\`\`\`<｜tool▁call▁end｜>`,
        '\n',
      ),
      '<｜tool▁calls▁end｜>',
    ),
  },
  { family: 'DeepSeek V3.2', model: 'DeepSeek-V3.2', write: dsml('｜', 'function_calls'), isTagged: true },
  { family: 'DeepSeek V4', model: 'DeepSeek-V4-Flash', write: dsml('｜', 'tool_calls'), isTagged: true },
  ...['|', '｜｜', '||'].flatMap((bar) =>
    ['tool_calls', 'function_calls'].map((outer): Dialect => {
      const family = `DeepSeek V4 with ${bar} and ${outer}`;
      return { family, model: 'DeepSeek-V4', write: dsml(bar, outer), isTagged: true };
    }),
  ),
  {
    family: 'Granite 3',
    model: 'granite-3.3-8b-instruct',
    write: around('<|tool_call|>[', each(asObject, ', '), ']'),
  },
  {
    family: 'MiniMax M2 in brackets',
    model: 'MiniMax-M2.1',
    write: each((call) => `[TOOL_CALL]\n${asObject(call)}\n[/TOOL_CALL]`, '\n'),
  },
  {
    family: 'DeepSeek with tags of invocations',
    model: 'DeepSeek-V3.2',
    write: around(
      '<function_calls>\n',
      each(({ name, input }) => {
        const lines = tags(input, (key, value) => `<parameter name="${key}">${value}</parameter>\n`);
        return `<invoke name="${name}">\n${lines}</invoke>\n`;
      }),
      '</function_calls>',
    ),
    isTagged: true,
  },
  {
    family: 'MiniMax M2',
    model: 'MiniMax-M2',
    write: around(
      '<minimax:tool_call>\n',
      each(({ name, input }) => {
        const lines = tags(input, (key, value) => `<parameter name="${key}">${value}</parameter>\n`);
        return `<invoke name="${name}">\n${lines}</invoke>\n`;
      }),
      '</minimax:tool_call>',
    ),
    isTagged: true,
  },
  {
    family: 'MiniMax M3',
    model: 'MiniMax-M3',
    write: around(
      ']<]minimax[>[<tool_call>\n',
      each(({ name, input }) => {
        const pairs = tags(input, (key, value) => `]<]minimax[>[<${key}>${value}]<]minimax[>[</${key}>`);
        return `]<]minimax[>[<invoke name="${name}">${pairs}]<]minimax[>[</invoke>\n`;
      }),
      ']<]minimax[>[</tool_call>',
    ),
    isTagged: true,
  },
  {
    family: 'Hy3',
    model: 'tencent/Hy3-preview',
    write: around(
      '<tool_calls:opensource>\n',
      each(({ name, input }) => {
        const pairs = tags(
          input,
          (key, value) =>
            `<arg_key:opensource>${key}</arg_key:opensource>\n<arg_value:opensource>${value}</arg_value:opensource>\n`,
        );
        return `<tool_call:opensource>${name}<tool_sep:opensource>\n${pairs}</tool_call:opensource>\n`;
      }),
      '</tool_calls:opensource>',
    ),
    isTagged: true,
  },
  {
    family: 'Firefunction',
    model: 'llama-3-firefunction-v2',
    write: around('functools[', each(asObject, ', '), ']'),
  },
  { family: 'Phi-4-mini', model: 'phi-4-mini-instruct', write: around('functools[', each(asObject, ', '), ']') },
  {
    family: 'MiniMax M1',
    model: 'MiniMax-M1',
    write: around('<tool_calls>\n', each(asObject, '\n'), '\n</tool_calls>'),
  },
  { family: 'Apriel', model: 'Apriel-1.5', write: around('<tool_calls>[', each(asObject, ', '), ']</tool_calls>') },
  {
    family: 'Nemotron Nano v2',
    model: 'Nemotron-Nano-9B-v2',
    write: around('<TOOLCALL>[', each(asObject, ', '), ']</TOOLCALL>'),
  },
  {
    family: 'Command R7B',
    model: 'c4ai-command-r7b-12-2024',
    write: around(
      '<|START_ACTION|>[\n',
      each(
        ({ name, input }, index) =>
          `    {"tool_call_id": "${index}", "tool_name": "${name}", "parameters": ${json(input)}}`,
        ',\n',
      ),
      '\n]<|END_ACTION|>',
    ),
  },
  {
    family: 'LFM 2.5',
    model: 'LFM2.5-8B-A1B',
    write: around(
      '<|tool_call_start|>[',
      each(({ name, input }) => {
        const pairs = Object.entries(input).map(([key, value]) => `${key}=${json(value)}`);
        return `${name}(${pairs.join(', ')})`;
      }, ', '),
      ']<|tool_call_end|>',
    ),
  },
  {
    family: 'Gemma 4',
    model: 'gemma-4-31B-it',
    write: each(({ name, input }) => {
      const pairs = Object.entries(input).map(([key, value]) => `${key}:<|"|>${value}<|"|>`);
      return `<|tool_call>call:${name}{${pairs.join(',')}}<tool_call|>`;
    }),
    isTagged: true,
  },
  {
    family: 'gpt-oss',
    model: 'gpt-oss-20b',
    write: each(
      ({ name, input }) =>
        `<|start|>assistant to=functions.${name}<|channel|>commentary json<|message|>${json(input)}<|call|>`,
    ),
  },
  {
    family: 'Functionary 3.2',
    model: 'functionary-medium-v3.2',
    write: each(({ name, input }) => `>>>${name}\n${json(input)}`),
  },
  {
    family: 'Functionary 3.1, Llama',
    model: 'functionary-medium-v3.1',
    write: each(({ name, input }) => `<function=${name}>${json(input)}</function>`),
  },
  {
    family: 'Apertus',
    model: 'Apertus-8B-Instruct',
    write: around(
      '<|tools_prefix|>[',
      each(({ name, input }) => `{"${name}": ${json(input)}}`, ', '),
      ']<|tools_suffix|>',
    ),
  },
  {
    family: 'GigaChat',
    model: 'GigaChat3.1-10B',
    write: (calls) => `<|function_call|>${asObject(calls[0] as Written)}`,
  },
  {
    family: 'Solar',
    model: 'Solar-Open-100B',
    write: around(
      '<|tool_calls|>',
      each(
        ({ name, input }, index) =>
          `<|tool_call:begin|>abcdefgh${index}<|tool_call:name|>${name}<|tool_call:args|>${json(input)}<|tool_call:end|>`,
      ),
      '<|calls|>',
    ),
  },
  {
    family: 'MiniCPM',
    model: 'MiniCPM5-1B',
    write: each(({ name, input }) => {
      const pairs = tags(input, (key, value) =>
        /[<&\n]/.test(value)
          ? `<param name="${key}"><![CDATA[${value}]]></param>`
          : `<param name="${key}">${value}</param>`,
      );
      return `<function name="${name}">${pairs}</function>`;
    }, '\n'),
    isTagged: true,
  },
  {
    family: 'Muse',
    model: 'muse-glimmer',
    write: around(
      '<atem:function_calls>\n',
      each(({ name, input }) => {
        const lines = tags(input, (key, value) => `<atem:parameter name="${key}">${value}</atem:parameter>\n`);
        return `<atem:invoke name="${name}">\n${lines}</atem:invoke>\n`;
      }),
      '</atem:function_calls>',
    ),
    isTagged: true,
  },
];

interface Read {
  readonly response: ModelResponse;
  readonly events: readonly ModelEvent[];
}

function read(model: string, pieces: readonly string[], reason = 'stop'): Read {
  const aggregator = new StreamAggregator({ tools, model, newToolUseId: countedIds() });
  const events: ModelEvent[] = [];
  for (const piece of pieces) {
    aggregator.accept(textChunk(piece));
    events.push(...aggregator.takeEvents());
  }
  aggregator.accept(finishChunk(reason));
  const response = aggregator.finish();
  return { response, events: [...events, ...aggregator.takeEvents()] };
}

/** The answer of a server that sends thoughts in a field of their own. */
function think(model: string, pieces: readonly string[], more?: Parameters<typeof deltaChunk>[0]): ModelResponse {
  const aggregator = new StreamAggregator({ tools, model, newToolUseId: countedIds() });
  for (const piece of pieces) aggregator.accept(deltaChunk({ reasoning_content: piece }));
  if (more) aggregator.accept(deltaChunk(more));
  aggregator.accept(finishChunk('stop'));
  return aggregator.finish();
}

const callsIn = ({ content }: ModelResponse): readonly Written[] =>
  content.flatMap((block) =>
    block.type === 'tool_use' ? [{ name: block.name, input: block.input as Written['input'] }] : [],
  );
const shownIn = (events: readonly ModelEvent[]): string =>
  events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('');

const two: readonly Written[] = [
  { name: 'write_file', input: { path: 'src/a.ts', content: 'x = "1";\n  if (a < b) {\n}' } },
  { name: 'read_file', input: { path: 'b.ts' } },
];
const oneOf = (family: string): readonly Written[] => (family === 'GigaChat' ? two.slice(0, 1) : two);

/** Values that hold what the dialects are made of. */
const value = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '"',
        "'",
        '\\',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '=',
        '<',
        '>',
        '</b>',
        '`',
        'é',
        '🙂',
        '\t',
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('dialects of calls', () => {
  for (const { family, model, write, isTagged = false } of dialects) {
    const calls = oneOf(family);
    const markup = write(calls);

    it(`reads the calls of ${family}, however they are split, and shows nothing of them`, () => {
      for (const before of ['', 'I look.\n', 'I look. ', 'I look.']) {
        // A blank before a tag shows that a sentence goes on, unless it is a token or the template puts one there.
        if (before === 'I look. ' && !/^<\|(?!start)|^\[TOOL_CALLS|^<｜|^\]|^functools|^>>>|:opensource/.test(markup))
          continue;
        const text = before + markup;
        for (const pieces of before === '' ? splits(text) : [[text], Array.from(text)]) {
          const { response, events } = read(model, pieces);
          assert.deepEqual(callsIn(response), calls, JSON.stringify(pieces));
          assert.equal(shownIn(events).trim(), before.trim(), JSON.stringify(pieces));
        }
      }
    });

    it(`reads any value that a call of ${family} has`, () => {
      fc.assert(
        fc.property(value, (content) => {
          // Tags hold the text as it is: line breaks at its ends belong to the template, other tags may end it.
          if (isTagged && (content !== content.trim() || /<\||\]\]>|<\/(?!b>)|<｜/.test(content))) return;
          const call = { name: 'write_file', input: { path: 'a.ts', content } };
          const { response } = read(model, Array.from(write([call])));
          assert.deepEqual(callsIn(response), [call]);
        }),
        { numRuns: 150 },
      );
    });

    it(`leaves a call of ${family} as text where it is quoted`, () => {
      const quotes = [
        `\`\`\`\n${markup}\n\`\`\``,
        `So:\n\`\`\`xml\n${markup}\n\`\`\`\nThat is it.`,
        `Write \`${markup}\` there.`,
      ];
      for (const text of quotes) {
        for (const pieces of [[text], Array.from(text)]) {
          const { response, events } = read(model, pieces);
          assert.deepEqual(response.content, [{ type: 'text', text }]);
          assert.equal(shownIn(events), text);
        }
      }
    });

    it(`reads a call of ${family} at the end of the thoughts only where such a server leaves calls there`, () => {
      const expected = mayCallInThoughts(familiesOf(model)) ? calls : [];
      for (const pieces of [[markup], Array.from(markup)]) {
        assert.deepEqual(callsIn(think(model, ['I look.\n', ...pieces])), expected);
        for (const more of [{ reasoning_content: '\nNo.' }, { content: 'Done.' }]) {
          const { content } = think(model, ['I look.\n', ...pieces], more);
          assert.deepEqual(
            content.filter(({ type }) => type !== 'thinking'),
            'content' in more ? [{ type: 'text', text: 'Done.' }] : [],
          );
        }
      }
    });

    it(`leaves a call of ${family} as text in the middle of a sentence`, () => {
      // A token is no text that a model quotes: with its family it is a call wherever it stands.
      if (TEXT_CALL_FORMATS.some(({ text, isToken }) => isToken === true && markup.startsWith(text))) return;
      const text = `The form ${write(calls.slice(0, 1))} is what I write.`;
      for (const pieces of [[text], Array.from(text)]) {
        const { response, events } = read(model, pieces);
        assert.deepEqual(callsIn(response), []);
        assert.equal(shownIn(events), text);
      }
    });

    it(`runs only whole calls of ${family} that something follows, wherever a limit cuts them`, () => {
      for (let at = 1; at <= markup.length; at++) {
        const { response } = read(model, [markup.slice(0, at)], 'length');
        const whole = callsIn(response);
        assert.deepEqual(whole, calls.slice(0, whole.length), markup.slice(0, at));
        assert.ok(whole.length < calls.length, markup.slice(0, at));
      }
    });

    it(`corrects an unknown name in a call of ${family}, and never shows it`, () => {
      const unknown = calls.map((call) => ({ ...call, name: 'fly_away' }));
      const { response, events } = read(model, Array.from(write(unknown)));
      assert.deepEqual(
        callsIn(response).map(({ name }) => name),
        unknown.map(({ name }) => name),
      );
      assert.equal(shownIn(events), '');
    });
  }

  it('are all formats that are known', () => {
    // Harmony's first token ends the thought before a call.
    const markups = [...dialects.map(({ family, write }) => write(oneOf(family))), '<|end|><|start|>assistant'];
    const others = TEXT_CALL_FORMATS.filter(
      ({ text, isRemnant }) => isRemnant !== true && !markups.some((markup) => markup.includes(text)),
    );
    assert.deepEqual(
      others.map(({ text }) => text),
      [],
    );
  });

  it('reads lists and objects of MiniMax M3, and the token inside a value', () => {
    const tag = (name: string, text: string): string => `]<]minimax[>[<${name}>${text}]<]minimax[>[</${name}>`;
    const list = tag('paths', tag('item', 'a.ts') + tag('item', 'b.ts'));
    const object = tag('range', tag('from', '1') + tag('to', tag('item', '2')));
    const markup = `]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="read_file">${tag('path', 'x]<]minimax[>[ y')}${list}${object}]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>`;
    for (const pieces of [[markup], Array.from(markup)]) {
      assert.deepEqual(callsIn(read('MiniMax-M3', pieces).response), [
        {
          name: 'read_file',
          input: { path: 'x]<]minimax[>[ y', paths: ['a.ts', 'b.ts'], range: { from: '1', to: ['2'] } },
        },
      ]);
    }
    // Text between tags, and tags without an end, are no arguments.
    for (const value of [`${tag('item', 'a')}b`, ']<]minimax[>[<item>a', tag('a', 'b').repeat(2).slice(0, -1)]) {
      const text = `]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="read_file">]<]minimax[>[<path>${value}]<]minimax[>[</path>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>`;
      assert.deepEqual(callsIn(read('MiniMax-M3', [text]).response), [], value);
    }
  });

  it('reads the tags of Hy3 inside a value as part of it', () => {
    const content = '</arg_value:opensource> and </tool_call:opensource> and </tool_calls:opensource>';
    const markup =
      dialects.find(({ family }) => family === 'Hy3')?.write([{ name: 'write_file', input: { path: 'a', content } }]) ??
      '';
    for (const pieces of [[markup], Array.from(markup)]) {
      const { response } = read('Hy3', pieces);
      assert.deepEqual(callsIn(response), [{ name: 'write_file', input: { path: 'a', content } }]);
    }
  });

  it('reads an answer of Functionary 3.2 that begins after the mark of the prompt', () => {
    const call = 'read_file\n{"path": "a"}';
    const path = { name: 'read_file', input: { path: 'a' } };
    const answers: readonly (readonly [answer: string, calls: readonly Written[], shown: string])[] = [
      [call, [path], ''],
      [`${call}>>>${call}`, [path, path], ''],
      ['all\nHello >>> there', [], 'Hello >>> there'],
      [`all\nI look>>>${call}`, [path], 'I look'],
      [`${call}>>>all\nI looked.`, [path], 'I looked.'],
      ['Hello', [], 'Hello'],
      ['allow', [], 'allow'],
      ['allow\nit', [], 'allow\nit'],
      ['read_file', [], 'read_file'],
      ['read_file\nreads a file', [], 'read_file\nreads a file'],
      ['json\n{"path": "a"}', [], 'json\n{"path": "a"}'],
      ['>>> 1 + 1\n2', [], '>>> 1 + 1\n2'],
      [`read_file${'\n'.repeat(200)}`, [], `read_file${'\n'.repeat(200)}`],
    ];
    for (const [answer, calls, shown] of answers) {
      for (const pieces of splits(answer)) {
        const { response, events } = read('functionary-medium-v3.2', pieces);
        assert.deepEqual(callsIn(response), calls, answer);
        assert.equal(shownIn(events), shown, JSON.stringify(pieces));
      }
    }
    // No other model writes so.
    for (const model of ['', 'llama-3.1-8b', 'functional-7b']) {
      assert.deepEqual(callsIn(read(model, [`>>>${call}`]).response), [], model);
    }
  });

  it('reads functools[…] where the model is known to write it, and as a call of tools only', () => {
    const call = 'functools[{"name": "read_file", "arguments": {"path": "a"}}]';
    for (const model of ['phi-4-mini', 'firefunction-v2'])
      assert.equal(callsIn(read(model, [call]).response).length, 1);
    for (const model of ['', 'model', 'qwen3-8b', 'granite-4.0']) {
      assert.deepEqual(read(model, [call]).response.content, [{ type: 'text', text: call }], model);
    }
    const others = [
      'from functools import cache',
      'functools[0]',
      'functools["cache"]',
      'functools[{"a": 1}]',
      `The format is ${call} as you see.`,
      `Use functools: ${call} is the form.`,
      `The form is: ${call}`,
      'functools[{"name": "read_file", "arguments": {"path": "a"}',
    ];
    for (const text of others) {
      for (const pieces of [[text], Array.from(text)]) {
        const { response, events } = read('phi-4-mini', pieces);
        assert.deepEqual(callsIn(response), [], text);
        assert.equal(
          shownIn(events).includes(text) || response.content.some(({ type }) => type === 'tool_use_error'),
          true,
          text,
        );
      }
    }
  });

  it('leaves a call as text with a model of another family, but for the tags that prompts teach to any model', () => {
    const taught = dialects.filter(({ family, write }) => {
      const text = `I look.\n${write(oneOf(family))}`;
      const { response } = read(/phi|firefunction/.test(family.toLowerCase()) ? 'granite-4' : 'phi-4', [text]);
      const calls = callsIn(response);
      // The token after the call ends the turn of any model.
      const shown = text.replace(/<\|eom_id\|>$/, '');
      if (calls.length === 0) assert.deepEqual(response.content, [{ type: 'text', text: shown }], family);
      return calls.length > 0;
    });
    assert.deepEqual(
      taught.map(({ family }) => family),
      [
        'Qwen, Hermes',
        'Qwen3-Coder, Nemotron 3',
        'Seed-OSS',
        'GLM 4.6',
        'GLM 4.7, Laguna, Spark',
        'MiniMax M2 in brackets',
        'MiniMax M1',
        'Apriel',
        'Nemotron Nano v2',
        'Command R7B',
        'Functionary 3.1, Llama',
      ],
    );
  });
});
