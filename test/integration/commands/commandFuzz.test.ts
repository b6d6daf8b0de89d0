import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createNodeCommandRunner } from '../../../src/workspace/node/commands/nodeCommandRunner';
import { judgeCommand, type CommandJudgement } from '../../../src/workspace/shell/judgeCommand';
import type { CommandPart } from '../../../src/workspace/shell/parse/analysis';
import { parseRule, type CommandRule } from '../../../src/workspace/shell/commandRules';
import { Grammars } from '../../../src/workspace/shell/parse/grammars';
import { parseCommand } from '../../../src/workspace/shell/parse/parseCommand';
import { generateCommand, generateWords, seededRandom } from '../../support/commands/commandGenerator';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

const SEED = 20_261_122;
const JUDGED = 20_000;
const EXECUTED = 5_000;
/** One command in so many goes through the command runner. The others start bash as the runner does, which costs less. */
const THROUGH_RUNNER = 10;
const AT_ONCE = 8;

const PROGRAMS = ['git', 'npm', 'ls', 'cat', 'head', 'wc', 'grep', 'open', 'fails', 'touch', 'rm'];

/**
 * Writes its own call to the file `argv` of its folder: the number of its words, then each word with a NUL.
 * Writes once for each call, so the parts of a pipeline do not mix. `fails` fails, everything else works.
 */
const STUB = `#!/bin/sh
printf '%s\\0' "$(($# + 1))" "\${0##*/}" "$@" >> argv
[ "\${0##*/}" != fails ]
`;

describe('commands that run without a question', () => {
  const grammars = new Grammars();
  let folder: TemporaryFolder;

  before(async () => {
    folder = await createTemporaryFolder();
    await mkdir(path.join(folder.path, 'bin'));
    for (const program of PROGRAMS) {
      const file = path.join(folder.path, 'bin', program);
      await writeFile(file, STUB);
      await chmod(file, 0o755);
    }
  });
  after(() => folder.dispose());

  const rules = ['npm test', 'npm run *', 'fails always', 'open *', 'git status'].map((text): CommandRule => {
    const parsed = parseRule(text, { effect: 'allow', origin: 'user' });
    return parsed.ok ? parsed.rule : assert.fail(parsed.error);
  });

  interface Case {
    readonly command: string;
    readonly judgement: CommandJudgement;
    readonly parts: readonly CommandPart[];
  }

  async function judge(command: string): Promise<Case> {
    const analysis = await parseCommand(command, 'bash', grammars);
    const judgement = judgeCommand(analysis, { shell: 'bash', rules });
    return { command, judgement, parts: analysis.kind === 'plain' ? analysis.parts : [] };
  }

  it('run with exactly the analysed words, and change nothing else', async function () {
    this.timeout(20 * 60_000);
    const random = seededRandom(SEED);
    const allowed = new Map<string, Case>();
    let judged = 0;
    let count = 0;
    for (; judged < JUDGED || count < EXECUTED; judged += 1) {
      assert.equal(judged < JUDGED * 5, true, `only ${count} of ${judged} commands were allowed`);
      const found = await judge(generateCommand(random));
      if (found.judgement.action !== 'allow') continue;
      count += 1;
      allowed.set(found.command, found);
    }

    const started = Date.now();
    const queue = [...allowed.values()];
    const wrong: string[] = [];
    let calls = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, worker) => {
        const cwd = path.join(folder.path, `w${worker}`);
        await mkdir(cwd);
        for (let next = queue.pop(); next; next = queue.pop()) {
          const run = queue.length % THROUGH_RUNNER === 0 ? runCommand : runInBash;
          const recorded = await execute(next.command, cwd, run);
          const expected = expectedCalls(next.parts);
          calls += expected.length;
          const isSame = JSON.stringify(recorded.calls.sort(byText)) === JSON.stringify(expected.sort(byText));
          if (!isSame || recorded.traces.length > 0) {
            wrong.push(`${JSON.stringify(next.command)}: ${JSON.stringify({ ...recorded, expected })}`);
          }
        }
      }),
    );
    assert.deepEqual(wrong, []);
    assert.equal(allowed.size >= EXECUTED, true, `only ${allowed.size} different commands were executed`);
    const seconds = ((Date.now() - started) / 1000).toFixed(0);
    console.log(
      `      judged ${judged} commands, executed ${allowed.size} different ones (${calls} calls) in ${seconds} s; ` +
        `${wrong.length} ran other words than analysed or left a trace`,
    );
  });

  it('use stubs that record the words bash passes', async () => {
    const cwd = path.join(folder.path, 'attack');
    await mkdir(cwd);
    const recorded = await execute('open "$(touch p)" a{b,c} > trace; touch \'x y\'', cwd, runCommand);
    assert.deepEqual(recorded, {
      calls: [
        ['touch', 'p'],
        ['open', '', 'ab', 'ac'],
        ['touch', 'x y'],
      ],
      traces: ['trace'],
    });
  });

  it('have the same words that bash prints', async () => {
    const random = seededRandom(SEED);
    const runner = createNodeCommandRunner();
    let plain = 0;
    for (let round = 0; round < 40; round += 1) {
      const written: string[] = [];
      const expected: string[] = [];
      for (let index = 0; index < 30; index += 1) {
        const line = generateWords(random, 5);
        const analysis = await parseCommand(`printf '%s\\0' ${line.written}`, 'bash', grammars);
        if (analysis.kind !== 'plain') continue;
        assert.deepEqual(analysis.parts[0]?.argv.slice(2), line.words);
        written.push(`printf '%s\\0' ${line.written}`);
        expected.push(...line.words);
        plain += 1;
      }
      // Writes to a file, because output with NULs counts as binary.
      const outcome = await runner.run(
        { command: `{\n${written.join('\n')}\n} >printed`, cwd: folder.path, timeoutMs: 60_000 },
        { signal: new AbortController().signal, onOutput: () => {} },
      );
      assert.equal(outcome.output, '');
      const printed = await readFile(path.join(folder.path, 'printed'), 'utf8');
      assert.deepEqual(printed.split('\0').slice(0, -1), expected);
    }
    assert.equal(plain > 600, true, `${plain} of 1200 lines were plain`);
  });

  async function runCommand(command: string, cwd: string): Promise<void> {
    const runner = createNodeCommandRunner({ environment: environment() });
    const outcome = await runner.run(
      { command, cwd, timeoutMs: 60_000 },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
    assert.equal(outcome.ended, 'exited', `${command}: ${outcome.output}`);
  }

  async function runInBash(command: string, cwd: string): Promise<void> {
    const bash = spawn('/bin/bash', ['--noprofile', '--norc', '-c', command], {
      cwd,
      env: environment(),
      stdio: 'ignore',
    });
    const [, signal] = (await once(bash, 'exit')) as [number | null, string | null];
    assert.equal(signal, null, command);
  }

  function environment(): NodeJS.ProcessEnv {
    return { PATH: path.join(folder.path, 'bin') };
  }

  /** Runs a command in an empty folder, and returns its calls and the files it left. */
  async function execute(
    command: string,
    cwd: string,
    run: (command: string, cwd: string) => Promise<void>,
  ): Promise<{ calls: string[][]; traces: readonly string[] }> {
    await run(command, cwd);
    const names = await readdir(cwd);
    const calls: string[][] = [];
    if (names.includes('argv')) {
      const words = (await readFile(path.join(cwd, 'argv'), 'utf8')).split('\0');
      words.pop();
      while (words.length > 0) calls.push(words.splice(0, Number(words.shift())));
    }
    for (const name of names) await rm(path.join(cwd, name), { recursive: true });
    return { calls, traces: names.filter((name) => name !== 'argv') };
  }
});

/** The calls if only `fails` fails. In bash `&&` and `||` have equal precedence, from the left. */
function expectedCalls(parts: readonly CommandPart[]): string[][] {
  const calls: string[][] = [];
  let isOk = true;
  let isRunning = true;
  for (const { argv, separator } of parts) {
    if (separator === '&&') isRunning = isOk;
    else if (separator === '||') isRunning = !isOk;
    else if (separator !== '|') isRunning = true;
    if (!isRunning) continue;
    calls.push([...argv]);
    isOk = argv[0] !== 'fails';
  }
  return calls;
}

function byText(a: unknown, b: unknown): number {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}
