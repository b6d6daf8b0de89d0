import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../scripts/projectRoot';
import { openSession, parseWaitingRun } from '../../../src/sdk';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { ModelServer } from '../../support/servers/modelServer';

/** Runs until it waits, saves the run, says so and goes on living. With answers it resumes, and ends. */
const program = `
import { existsSync, readFileSync, writeFileSync, appendFileSync } from 'node:fs';
import { Client, openSession, tool } from ${JSON.stringify(path.join(projectRoot, 'src', 'sdk', 'index.ts'))};

const note = tool('note', 'Note a line', { line: 'string' }, {
  prepare: ({ line }) => ({ ok: true, plan: { line, before: existsSync('notes.txt') ? readFileSync('notes.txt', 'utf8') : '' } }),
  run: ({ line }) => { appendFileSync('notes.txt', line + '\\n'); return 'Noted by ' + process.argv[2] + '.'; },
});
async function main() {
  const client = new Client({
    model: 'test-model', baseUrl: process.env.BASE_URL, tools: [note], autoExecuteTools: true, maxRetries: 0,
    approvalHook: () => ({ action: 'wait' }),
  });
  const [, , name, answers] = process.argv;
  // The third one resumes a run whose session has gone on.
  const session = name === 'third' ? undefined : await openSession('chat.jsonl');
  const run =
    answers === undefined
      ? session.run(client, 'Note it.')
      : session
        ? session.resumeRun(client, readFileSync('run.json', 'utf8'), JSON.parse(answers))
        : client.resumeRun(readFileSync('run.json', 'utf8'), JSON.parse(answers));
  let next = await run.next();
  while (!next.done) next = await run.next();
  const { outcome, waiting, primaryText } = next.value;
  if (waiting) writeFileSync('run.json', JSON.stringify(waiting));
  console.log(JSON.stringify({ name, outcome, primaryText }));
  if (answers === undefined) setInterval(() => {}, 1000);
}
main();
`;

interface Told {
  readonly name: string;
  readonly outcome: string;
  readonly primaryText: string;
}

describe('a run that waits for an answer', () => {
  let server: ModelServer;
  let folder: TemporaryFolder;
  beforeEach(async () => {
    server = await ModelServer.start();
    folder = await createTemporaryFolder({ 'program.ts': program });
  });
  afterEach(async () => {
    await server.dispose();
    await folder.dispose();
    assert.deepEqual(server.unexpected, []);
  });

  /** Starts a process and waits for its words. It is killed then, or has ended. */
  async function inProcess(...args: readonly string[]): Promise<Told> {
    const command = [
      '--import',
      pathToFileURL(require.resolve('tsx')).href,
      path.join(folder.path, 'program.ts'),
      ...args,
    ];
    const child = spawn(process.execPath, command, {
      cwd: folder.path,
      env: { ...process.env, BASE_URL: server.baseUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    let text = '';
    for await (const chunk of child.stdout) {
      text += String(chunk);
      if (text.includes('\n')) break;
    }
    child.kill('SIGKILL');
    const [, signal] = (await closed) as unknown as readonly [number | null, string | null];
    if (args.length === 1) assert.equal(signal, 'SIGKILL');
    return JSON.parse(text) as Told;
  }

  const callOf = async () => {
    const [call] = parseWaitingRun(await readFile(path.join(folder.path, 'run.json'), 'utf8')).calls;
    assert.ok(call);
    return call;
  };
  const notes = (): Promise<string> => readFile(path.join(folder.path, 'notes.txt'), 'utf8').catch(() => '');

  it('is answered from another process after its own was killed, and is whole in its session file', async () => {
    server.script({ toolCalls: [{ name: 'note', arguments: { line: 'milk' } }] }, { text: 'It is noted.' });
    assert.deepEqual(await inProcess('first'), { name: 'first', outcome: 'waiting', primaryText: '' });
    assert.equal(await notes(), '');
    const { toolUseId, planHash, plan } = await callOf();
    assert.deepEqual(plan, { line: 'milk', before: '' });

    const answers = JSON.stringify([{ action: 'allow', toolUseId, planHash }]);
    const told = await inProcess('second', answers);
    assert.deepEqual(told, { name: 'second', outcome: 'completed', primaryText: 'It is noted.' });
    assert.equal(await notes(), 'milk\n');
    const sent = server.completions[1]?.body.messages ?? [];
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.equal(sent.at(-1)?.content, 'Noted by second.');
    await using session = await openSession(path.join(folder.path, 'chat.jsonl'));
    assert.deepEqual(
      session.history.map(({ role, content }) => [role, JSON.stringify(content).includes('Noted by second.')]),
      [
        ['user', false],
        ['assistant', false],
        ['tool', true],
        ['assistant', false],
      ],
    );
    assert.deepEqual([session.isUnfinished, session.problems], [false, []]);

    // The same answer is for nothing else: the notes are others now, and the run waits again.
    const again = await inProcess('third', answers).catch((error: unknown) => error);
    assert.deepEqual(again, { name: 'third', outcome: 'waiting', primaryText: '' });
    assert.equal(await notes(), 'milk\n');
    assert.notEqual((await callOf()).planHash, planHash);
  });
});
