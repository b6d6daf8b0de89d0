import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ChatRequest } from '../../../scripts/practiceModel/chatRequest';
import { respond } from '../../../scripts/practiceModel/respond';
import type { PracticeAnswer } from '../../../scripts/practiceModel/respond';
import { startPracticeModel } from '../../../scripts/practiceModel/server';
import { projectRoot } from '../../../scripts/projectRoot';

const toolNames = ['read_file', 'apply_edit', 'run_terminal_command'];
const cart = readFileSync(path.join(projectRoot, 'examples/sample-workspace/src/cart.js'), 'utf8');
const cartResult = `src/cart.js (${cart.trimEnd().split('\n').length} lines):\n${cart.trimEnd()}`;

/** Plays one turn: each result answers the tool call that the model made before it. */
function play(prompt: string, results: readonly string[] = [], tools: readonly string[] = toolNames): PracticeAnswer[] {
  const messages: object[] = [{ role: 'user', content: prompt }];
  const answers: PracticeAnswer[] = [];
  for (const result of [undefined, ...results]) {
    if (result !== undefined) {
      const call = answers.at(-1)?.toolCall;
      assert.ok(call, 'a result needs a tool call before it');
      const id = `call_${answers.length}`;
      const calls = [
        { id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.arguments) } },
      ];
      messages.push({ role: 'assistant', content: answers.at(-1)?.text, tool_calls: calls });
      messages.push({ role: 'tool', tool_call_id: id, content: result });
    }
    const request = { messages, tools: tools.map((name) => ({ type: 'function', function: { name } })) };
    answers.push(respond(ChatRequest.parse(request)));
  }
  return answers;
}

describe('the practice model', () => {
  it('says in its first words that it is no AI', () => {
    for (const prompt of ['Hello', 'Explain src/cart.js', 'Fix the bug', 'Run the tests']) {
      assert.match(play(prompt)[0]?.text ?? '', /^I am no AI: this is a scripted practice model/);
    }
  });

  it('reads the file it is asked about, and explains what came back', () => {
    const [first, second] = play('Explain src/greet.js', [
      'src/greet.js (6 lines):\nimport { shout } from "./shout.js";\n\n/** Greets. */\nexport function greet(name) {\n  return shout(name);\n}',
    ]);
    assert.deepEqual(first?.toolCall, { name: 'read_file', arguments: { path: 'src/greet.js' } });
    assert.deepEqual(second, {
      text: [
        '**src/greet.js** has 6 lines.',
        'It uses `./shout.js`.',
        'It declares:\n\n- `greet` (line 4): Greets.',
        'The first of them, from line 4:\n\n```js\nexport function greet(name) {\n  return shout(name);\n}\n```',
      ].join('\n\n'),
    });
  });

  it('takes the words of a selection for code, not for a wish', () => {
    const [first] = play(
      'Explain src/cart.js:9-11: what it does.\n\nSelected in src/cart.js:\n```js\n// fix this bug\n```',
    );
    assert.deepEqual(first?.toolCall, { name: 'read_file', arguments: { path: 'src/cart.js' } });
  });

  it('finds the bug of the sample, proposes an edit, and reports the tests as they came out', () => {
    const answers = play('A test fails. Find the bug, fix it, and run the tests.', [
      cartResult,
      'Edited src/cart.js: 1 change.',
      'Exit code 0.\nTAP version 13\n# tests 4\n# pass 4\n# fail 0',
    ]);
    assert.deepEqual(
      answers.map((answer) => answer.toolCall),
      [
        { name: 'read_file', arguments: { path: 'src/cart.js' } },
        {
          name: 'apply_edit',
          arguments: {
            path: 'src/cart.js',
            edits: [
              {
                old_text: '  return cents - percent;',
                new_text: '  return Math.round(cents * (1 - percent / 100));',
              },
            ],
          },
        },
        { name: 'run_terminal_command', arguments: { command: 'npm test' } },
        undefined,
      ],
    );
    assert.equal(answers.at(-1)?.text, 'All 4 tests pass.');
  });

  it('names the tests that still fail, in both formats of the test runner', () => {
    const tap = 'Exit code 1.\nok 1 - a\nnot ok 2 - takes a percentage off\n# pass 3\n# fail 1';
    const spec = 'Exit code 1.\n✔ a (1.2ms)\n✖ takes a percentage off (0.9ms)\nℹ pass 3\nℹ fail 1';
    for (const result of [tap, spec]) {
      assert.equal(play('Run the tests', [result])[1]?.text, '1 of 4 tests fail:\n\n- takes a percentage off');
    }
  });

  it('stops after a denial and repeats the reason', () => {
    const denial = 'The call was denied. Nothing was changed. Reason: not on Fridays';
    const [, , last] = play('Fix the bug', [cartResult, denial]);
    assert.deepEqual(last, { text: `The answer was no, so I stop here. I was told: "${denial}"` });
  });

  it('proposes nothing where its bug is not, and invents nothing where reading failed', () => {
    const [, fixed] = play('Fix the bug', ['src/cart.js (1 line):\nexport const a = 1;']);
    assert.equal(fixed?.toolCall, undefined);
    const [, missing] = play('Explain src/none.js', ['"src/none.js" does not exist.']);
    assert.deepEqual(missing, { text: 'I could not read `src/none.js`: "src/none.js" does not exist.' });
  });

  it('calls no tool that it was not offered', () => {
    assert.equal(play('Fix the bug', [], [])[0]?.toolCall, undefined);
  });

  it('says what it can do when it does not understand', () => {
    for (const prompt of ['Hello', 'What can you do?']) {
      assert.match(play(prompt)[0]?.text ?? '', /I can play through three things/);
    }
  });
});

describe('the server of the practice model', () => {
  it('lists its model with a context window', async () => {
    await using practice = await startPracticeModel({ paceMs: 0 });
    const response = await fetch(`${practice.baseUrl}/models`);
    assert.deepEqual(await response.json(), {
      object: 'list',
      data: [{ id: 'practice-model', object: 'model', created: 0, owned_by: 'practice', context_length: 16384 }],
    });
  });

  it('streams text, a tool call, a finish reason and usage, or answers in one piece', async () => {
    await using practice = await startPracticeModel({ paceMs: 0 });
    const ask = (extra: object): Promise<Response> =>
      fetch(`${practice.baseUrl}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({
          model: 'practice-model',
          messages: [{ role: 'user', content: 'Explain src/cart.js' }],
          tools: toolNames.map((name) => ({ type: 'function', function: { name } })),
          ...extra,
        }),
      });
    const streamed = await (await ask({ stream: true, stream_options: { include_usage: true } })).text();
    const frames = streamed.trim().split('\n\n');
    assert.equal(frames.at(-1), 'data: [DONE]');
    const chunks = frames.slice(0, -1).map(
      (frame) =>
        JSON.parse(frame.slice('data: '.length)) as {
          choices: { delta: { content?: string; tool_calls?: { function: { arguments: string } }[] } }[];
          usage?: object;
        },
    );
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    const args = chunks.map((chunk) => chunk.choices[0]?.delta.tool_calls?.[0]?.function.arguments ?? '').join('');

    const whole = (await (await ask({})).json()) as {
      choices: {
        message: { content: string; tool_calls: { function: { name: string; arguments: string } }[] };
        finish_reason: string;
      }[];
      usage: object;
    };
    const [choice] = whole.choices;
    assert.equal(choice?.finish_reason, 'tool_calls');
    assert.deepEqual(choice?.message.tool_calls[0]?.function, {
      name: 'read_file',
      arguments: '{"path":"src/cart.js"}',
    });
    assert.deepEqual({ text, args }, { text: choice?.message.content, args: '{"path":"src/cart.js"}' });
    assert.deepEqual(Object.keys(chunks.at(-1)?.usage ?? {}), Object.keys(whole.usage));
  });

  it('answers what is no chat request, and paths it does not know, with an error that says so', async () => {
    await using practice = await startPracticeModel({ paceMs: 0 });
    const bad = await fetch(`${practice.baseUrl}/chat/completions`, { method: 'POST', body: '{oh' });
    assert.equal(bad.status, 400);
    assert.equal((await fetch(`${practice.baseUrl}/embeddings`)).status, 404);
  });
});
