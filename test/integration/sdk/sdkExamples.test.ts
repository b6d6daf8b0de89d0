import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../scripts/projectRoot';
import { ModelServer, type CompletionRequest, type Turn } from '../../support/servers/modelServer';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

describe('the examples', () => {
  let server: ModelServer;

  beforeEach(async () => {
    server = await ModelServer.start();
  });
  afterEach(() => server.dispose());

  const run = (example: string, ...args: readonly string[]): Promise<readonly string[]> =>
    runIn(projectRoot, example, ...args);

  async function runIn(cwd: string, example: string, ...args: readonly string[]): Promise<readonly string[]> {
    const file = path.join(projectRoot, 'examples', `${example}.ts`);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', pathToFileURL(require.resolve('tsx')).href, file, ...args],
      {
        cwd,
        env: { ...process.env, OPEN_AGENT_BASE_URL: server.baseUrl, OPEN_AGENT_MODEL: 'test-model' },
      },
    );
    assert.deepEqual(server.unexpected, []);
    return stdout.trimEnd().split('\n');
  }

  for (const example of ['calculatorAutomatic', 'calculatorManual']) {
    it(`${example} adds with the tool`, async () => {
      server.script({ toolCalls: [{ name: 'add', arguments: { a: 25, b: 17 } }] }, { text: 'It is 42.' });
      assert.equal((await run(example)).at(-1), 'It is 42.');
      assert.equal(server.completions[1]?.body.messages.at(-1)?.content, '{"result":42}');
    });
  }

  it('hooks adds to the prompt, corrects a path and denies the deletion', async () => {
    server.script(
      {
        toolCalls: [
          { name: 'read_file', arguments: { path: 'notes.txt' } },
          { name: 'delete_file', arguments: { path: 'notes.txt' } },
        ],
      },
      { text: 'It says to buy milk.' },
    );
    assert.deepEqual(await run('hooks'), [
      '-> read_file {"path":"notes.txt"}',
      '<- succeeded: "Buy milk."',
      '-> delete_file {"path":"notes.txt"}',
      'It says to buy milk.',
    ]);
    const [first, second] = server.completions;
    assert.match(first?.body.messages.at(-1)?.content ?? '', /Answer in one sentence\.$/);
    assert.match(second?.body.messages.at(-1)?.content ?? '', /Nothing is deleted in this example\./);
  });

  it('interrupt stops an answer and continues', async () => {
    server.script({ text: 'Once upon a time there was a lighthouse. '.repeat(40) }, { text: 'It went out.' });
    const lines = await run('interrupt');
    assert.deepEqual(lines.slice(1), ['-- enough', 'It went out.', '-- 4 messages']);
    const told = server.completions[1]?.body.messages.at(-2)?.content ?? '';
    assert.ok(told.length >= 200 && told.length <= 1_640, `${told.length}`);
  });

  it('structuredOutput corrects the answer', async () => {
    const answers = [{ name: 'Ada Lovelace' }, { name: 'Ada Lovelace', birthYear: 1815, city: 'London' }];
    server.script(...answers.map((answer) => ({ text: JSON.stringify(answer) })));
    const lines = await run('structuredOutput');
    assert.match(lines.at(-2) ?? '', /birthYear: expected number, received undefined/);
    assert.equal(lines.at(-1), 'Ada Lovelace was born in 1815 in London.');
    assert.ok('response_format' in (server.completions[0]?.body ?? {}));
  });

  it('approveLater saves what waits, and goes on with the answer in another process', async () => {
    await using folder = await createTemporaryFolder({});
    const approveLater = (...args: readonly string[]) => runIn(folder.path, 'approveLater', ...args);
    server.script({ toolCalls: [{ name: 'add_note', arguments: { line: 'Milk is out.' } }] }, { text: 'It is noted.' });
    assert.deepEqual(await approveLater('ask', 'run.json', 'The milk is out.'), ['1 to decide, saved in run.json']);
    assert.deepEqual(await approveLater('answer', 'run.json', 'allow'), [
      'allow: add_note {"file":"notes.txt","size":0,"line":"Milk is out."}',
      'It is noted.',
    ]);
    assert.equal(server.completions[1]?.body.messages.at(-1)?.content, 'Noted.');
  });

  it('profiles sends the profile with its overrides', async () => {
    server.script({ text: 'A tower with a light.' }, { text: 'Light on a dark rock' });
    assert.deepEqual(await run('profiles'), [
      '-- temperature 0.2, at most 1000 tokens',
      'A tower with a light.',
      '-- temperature 0.9, at most 60 tokens',
      'Light on a dark rock',
    ]);
    const sent = server.completions.map(({ body }) => [
      body['temperature'],
      body['top_k'],
      body['max_tokens'],
      body['min_p'],
    ]);
    assert.deepEqual(sent, [
      [0.2, 20, 1_000, 0.05],
      [0.9, undefined, 60, 0.05],
    ]);
  });

  it('sessionPersistence continues after the program has ended', async () => {
    await using folder = await createTemporaryFolder();
    const file = path.join(folder.path, 'session.jsonl');
    server.script({ text: 'Noted.' }, { text: 'You told me about lighthouses.' });
    assert.deepEqual(await run('sessionPersistence', file, 'I like lighthouses.'), [
      '-- a new conversation',
      'Noted.',
      `-- 5 lines in ${file}`,
    ]);
    assert.deepEqual(await run('sessionPersistence', file, 'What did I tell you?'), [
      '-- goes on after 2 messages',
      'You told me about lighthouses.',
      `-- 9 lines in ${file}`,
    ]);
    const told = server.completions[1]?.body.messages.map(({ content }) => content);
    assert.deepEqual(told, ['Be brief.', 'I like lighthouses.', 'Noted.', 'What did I tell you?']);
  });

  it('context continues from a summary', async () => {
    const long = (topic: string): string =>
      Array.from({ length: 60 }, (_, line) => `Fact ${line} about ${topic} is a fact.`).join(' ');
    const answer = (request: CompletionRequest): Turn => {
      const asked = request.body.messages.at(-1)?.content ?? '';
      const text = asked.includes('Everything above will be removed') ? 'All about the sea.' : long(asked);
      // As llama-server counts: about four characters a token.
      const promptTokens = Math.ceil(JSON.stringify(request.body.messages).length / 4);
      return { text, usage: { promptTokens, completionTokens: 10 } };
    };
    server.script(...Array.from({ length: 12 }, () => answer));
    const lines = await run('context', '3000');
    assert.match(lines[0] ?? '', /^lighthouses: 2 messages, about \d+ tokens$/);
    assert.ok(lines.some((line) => /^-- \d+ -> \d+ tokens$/.test(line)));
    assert.match(lines.at(-1) ?? '', /^The newest \d+ of \d+ messages fit into 500 tokens\.$/);
  });
});
