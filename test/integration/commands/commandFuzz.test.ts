import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createNodeCommandRunner } from '../../../src/workspace/node/commands/nodeCommandRunner';
import { judgeCommand, type CommandJudgement } from '../../../src/workspace/shell/judgeCommand';
import type { CommandPart } from '../../../src/workspace/shell/parse/analysis';
import { parseRule, type CommandRule } from '../../../src/workspace/shell/commandRules';
import { bundledGrammars } from '../../../src/workspace/shell/parse/bundledGrammars';
import { parseCommand } from '../../../src/workspace/shell/parse/parseCommand';
import { generateCommand, generateWords } from '../../support/commands/commandGenerator';
import { seededRandom } from '../../support/seededRandom';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

const SEED = 20_261_122;
const JUDGED = 20_000;
const EXECUTED = 5_000;
/** One command in so many goes through the command runner. One bash reads the others, which costs less. */
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

/** The same as functions of bash, which start no process. */
const STUB_FUNCTIONS = PROGRAMS.map(
  (name) => `${name}() { printf '%s\\0' "$(($# + 1))" ${name} "$@" >> argv; [ ${name} != fails ]; }`,
).join('\n');

/**
 * Reads each command of standard input, which end with NUL, in the folder of its number: 0, 1, and so on. Bash parses the text
 * of `eval` as it parses that of `-c`. Writes the numbers of the commands that a signal ended.
 */
const RUN_ALL = `${STUB_FUNCTIONS}
number=0
while IFS= read -r -d '' command; do
  (cd "$1/$number" && unset OLDPWD && eval -- "$command") < /dev/null > /dev/null 2>&1
  [ $? -lt 128 ] || echo "$number"
  number=$((number + 1))
done`;

describe('commands that run without a question', () => {
  const grammars = bundledGrammars();
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

  interface Recorded {
    readonly calls: string[][];
    readonly traces: readonly string[];
  }

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
    const cases = [...allowed.values()];
    const isForRunner = (index: number): boolean => index % THROUGH_RUNNER === 0;
    const wrong: string[] = [];
    let calls = 0;
    const compare = (one: Case, recorded: Recorded): void => {
      const expected = expectedCalls(one.parts);
      calls += expected.length;
      const isSame = JSON.stringify(recorded.calls.sort(byText)) === JSON.stringify(expected.sort(byText));
      if (!isSame || recorded.traces.length > 0) {
        wrong.push(`${JSON.stringify(one.command)}: ${JSON.stringify({ ...recorded, expected })}`);
      }
    };

    const queue = cases.filter((_, index) => isForRunner(index));
    const workers = Array.from({ length: AT_ONCE }, async (_, worker) => {
      const cwd = path.join(folder.path, `w${worker}`);
      await mkdir(cwd);
      for (let next = queue.pop(); next; next = queue.pop()) {
        await runCommand(next.command, cwd);
        compare(next, await takeRecord(cwd));
      }
    });
    const others = cases.filter((_, index) => !isForRunner(index));
    await Promise.all([...workers, runInBash(others, compare)]);
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
    await runCommand('open "$(touch p)" a{b,c} > trace; touch \'x y\'', cwd);
    assert.deepEqual(await takeRecord(cwd), {
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

  /** Runs the cases one after the other, and compares each. */
  async function runInBash(cases: readonly Case[], compare: (one: Case, recorded: Recorded) => void): Promise<void> {
    const root = path.join(folder.path, 'bash');
    await mkdir(root);
    await Promise.all(cases.map((_, number) => mkdir(path.join(root, String(number)))));
    const bash = spawn('/bin/bash', ['--noprofile', '--norc', '-c', RUN_ALL, 'bash', root], {
      env: environment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    bash.stdin.end(cases.map(({ command }) => `${command}\0`).join(''));
    const [ended, [code]] = await Promise.all([
      bash.stdout.setEncoding('utf8').toArray() as Promise<string[]>,
      once(bash, 'exit') as Promise<[number | null]>,
    ]);
    assert.deepEqual({ code, endedBySignal: ended.join('') }, { code: 0, endedBySignal: '' });
    for (const [number, one] of cases.entries()) compare(one, await takeRecord(path.join(root, String(number))));
  }

  function environment(): NodeJS.ProcessEnv {
    return { PATH: path.join(folder.path, 'bin') };
  }

  /** Removes the calls of a command and the files that it left from a folder, and returns them. */
  async function takeRecord(cwd: string): Promise<Recorded> {
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
