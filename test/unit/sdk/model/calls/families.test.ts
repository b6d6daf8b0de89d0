import assert from 'node:assert/strict';
import { familiesOf, mayCallInThoughts } from '../../../../../src/sdk/model/calls/families';
import { StreamAggregator } from '../../../../../src/sdk/model/stream/streamAggregator';
import { countedIds, deltaChunk, finishChunk, textChunk, tools } from '../streamFixtures';

const args = '{"path": "a"}';
const hermes = `<tool_call>{"name": "read_file", "arguments": ${args}}</tool_call>`;
function kimiThree(name: string, key: string, value: string): string {
  return `<|open|>tools<|sep|><|open|>call tool="${name}" index="1"<|sep|><|open|>argument key="${key}" type="string"<|sep|>${value}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`;
}

/** A call in the way of each family, with a model that writes so. */
const calls: readonly (readonly [string, string])[] = [
  ['Mistral-Small-3.2-24B', `[TOOL_CALLS][{"name": "read_file", "arguments": ${args}}]`],
  ['meta-llama/Llama-3.1-8B-Instruct', `<|python_tag|>{"name": "read_file", "parameters": ${args}}`],
  ['kimi-k2-instruct', `<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>${args}<|tool_call_end|>`],
  ['Kimi-K3', kimiThree('read_file', 'path', 'a')],
  ['LFM2-8B-A1B-Q4_K_M.gguf', '<|tool_call_start|>[read_file(path="a")]<|tool_call_end|>'],
  ['gemma-4-31b-it', '<|tool_call>call:read_file{path:<|"|>a<|"|>}<tool_call|>'],
  [
    'MiniMax-M2',
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>',
  ],
  ['gpt-oss:20b', `<|start|>assistant<|channel|>commentary to=functions.read_file<|message|>${args}<|call|>`],
];

function contentOf(model: string, ...chunks: readonly unknown[]) {
  const aggregator = new StreamAggregator({ tools, model, newToolUseId: countedIds() });
  for (const chunk of chunks) aggregator.accept(chunk);
  return aggregator.finish().content;
}

describe('families of models', () => {
  const names: readonly (readonly [string, readonly string[]])[] = [
    ['qwen2.5-coder:7b', ['qwen']],
    ['QwQ-32B', ['qwen']],
    ['DeepSeek-R1-Distill-Llama-8B', ['deepseek', 'llama']],
    ['unsloth/Devstral-Small', ['mistral']],
    ['openai_gpt_oss_120b', ['gpt-oss']],
    ['ollama/something', []],
    ['/models/llama.cpp/model.gguf', []],
    ['/home/llama/models/own.gguf', []],
    ['C:\\models\\llama\\Qwen3-8B.gguf', ['qwen']],
    ['default', []],
    ['gpt-4o', []],
  ];
  for (const [name, families] of names) {
    it(`shows in the name ${name}`, () => assert.deepEqual([...familiesOf(name)], families));
  }

  for (const [model, call] of calls) {
    it(`decides that a call of ${model} counts, and not one of another family`, () => {
      for (const name of [model, 'default']) {
        const [block] = contentOf(name, textChunk(`Look.\n${call}`), finishChunk('stop')).slice(1);
        assert.equal(block?.type, 'tool_use', name);
      }
      const text = `Look.\n${call}`;
      assert.deepEqual(contentOf('phi-4', textChunk(text), finishChunk('stop')), [{ type: 'text', text }]);
    });
  }

  const quotes: readonly (readonly [string, (call: string) => string])[] = [
    ['a code fence', (call) => `So it writes:\n\n\`\`\`\n${call}\n\`\`\`\n\nThat is all.`],
    ['a code fence with tildes', (call) => `So it writes:\n\n~~~~text\n${call}\n~~~~`],
    ['inline code', (call) => `So it writes \`${call}\` there.`],
    ['a code fence in a list', (call) => `1. It writes:\n\n   \`\`\`\n   ${call}\n   \`\`\`\n2. That is all.`],
    ['a code fence without an end', (call) => `So it writes:\n\n\`\`\`xml\n${call}`],
  ];
  for (const [model, call] of [...calls, ['qwen3', hermes] as const]) {
    for (const [name, quote] of quotes) {
      it(`leaves a call that ${model} quotes in ${name} as text, however it is split`, () => {
        const text = quote(call);
        for (const size of [1, 3, 7, text.length]) {
          const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
            textChunk(text.slice(index * size, (index + 1) * size)),
          );
          assert.deepEqual(contentOf(model, ...pieces, finishChunk('stop')), [{ type: 'text', text }], `by ${size}`);
        }
      });
    }
  }

  it('counts a call after a stray backtick of an earlier line', () => {
    for (const [model, call] of calls) {
      const content = contentOf(model, textChunk(`I don\`t know yet.\n${call}`), finishChunk('stop'));
      assert.equal(content[1]?.type, 'tool_use', model);
    }
  });

  it('lets any model write the form in which tools are described in text', () => {
    for (const [model] of calls) {
      const [block] = contentOf(model, textChunk(hermes), finishChunk('stop'));
      assert.equal(block?.type, 'tool_use', model);
    }
  });

  it('decides whether calls inside the thoughts count', () => {
    const thought = deltaChunk({ reasoning_content: `Hm.\n${hermes}` });
    for (const model of ['qwen3', 'kimi-k2', 'default']) {
      assert.equal(contentOf(model, thought, finishChunk('stop')).at(-1)?.type, 'tool_use', model);
    }
    const thinking = [{ type: 'thinking', text: `Hm.\n${hermes}` }];
    assert.deepEqual(contentOf('magistral-small', thought, finishChunk('stop')), thinking);
    assert.equal(mayCallInThoughts(familiesOf('gemma-4')), false);
  });
});
