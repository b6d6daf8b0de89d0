import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { access, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandEnvironment } from '../../../src/workspace/node/commands/commandEnvironment';
import { assessCommand } from '../../../src/workspace/shell/assessCommand';
import type { CommandWorld } from '../../../src/workspace/shell/commandAssessment';
import { formatRule } from '../../../src/workspace/shell/commandRules';
import { readOnlyCall } from '../../../src/workspace/shell/allowedUnasked/readOnlyCall';
import { commandPlan, commandWorld } from '../../support/commands/commandWorld';
import { seededRandom } from '../../support/seededRandom';
import { generateCalls, programs } from '../../support/commands/optionGenerator';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

const SEED = 20_261_122;
/** Set FUZZ_FACTOR to try more. */
const CALLS_OF_A_SPELLING = 1 * Number(process.env['FUZZ_FACTOR'] ?? 1);
const AT_ONCE = 200;
/** How often a command whose output differs runs again in each state. */
const REPEATED = 20;
/** Their output changes by itself: the time, free space on the disk and in memory. */
const CHANGING = new Set(['date', 'df', 'free', 'lscpu', 'uptime']);
/** The free space again. */
const FREE_SPACE = /^stat (?:.* )?(?:-[Lt]*f|--fi)/;

/**
 * A command that runs unasked must tell nothing of what lies outside. Each call runs twice, and in between everything
 * outside is replaced by something else. An output that differs shows that the program looked outside.
 */
describe('the options of commands that run without a question', () => {
  let base: TemporaryFolder;
  let folder: string;
  let outside: string;

  beforeEach(async () => {
    base = await createTemporaryFolder({
      'outside/secret.txt': 'the mark of the first state\n',
      'outside/dir/first.txt': 'one\n',
      'outside/gone.txt': 'gone\n',
      'other/secret.txt': 'a longer mark\nof the second state\n',
      'other/dir/second.txt': 'two\ntwo\n',
      'parent/w/a.txt': 'b 1\na 2\nx 3\n',
      'parent/w/sub/c.txt': 'x\n',
    });
    folder = path.join(base.path, 'parent/w');
    outside = path.join(base.path, 'outside');
    await symlink('../../outside/secret.txt', path.join(folder, 'link'));
    await symlink('../../outside/dir', path.join(folder, 'sub/linkdir'));
    await symlink('../../../outside/gone.txt', path.join(folder, 'sub/gone'));
  });
  afterEach(() => base.dispose());

  function git(...args: readonly string[]): void {
    const env = { ...process.env, GIT_AUTHOR_DATE: '1700000000 +0000', GIT_COMMITTER_DATE: '1700000000 +0000' };
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, stdio: 'ignore', env });
  }

  async function swap(): Promise<void> {
    await rename(outside, path.join(base.path, 'third'));
    await rename(path.join(base.path, 'other'), outside);
    await rename(path.join(base.path, 'third'), path.join(base.path, 'other'));
  }

  interface Case {
    readonly command: string;
    readonly environment: Readonly<Record<string, string>>;
  }

  /** The calls that run unasked. */
  async function findAllowed(world: CommandWorld): Promise<readonly Case[]> {
    const places = {
      inside: ['a.txt', '.'],
      outside: [path.join(outside, 'secret.txt'), outside, '../../outside/secret.txt', '../../outside/dir'],
    };
    const random = seededRandom(SEED);
    const allowed = new Map<string, Case>();
    for (const program of programs) {
      if (CHANGING.has(program.words[0] ?? '')) continue;
      for (const group of generateCalls(program, places)) {
        // First by its words alone, which is fast.
        const possible = group.filter((argv) => {
          const call = readOnlyCall({ argv, separator: '', isNamePlain: true }, 'bash');
          return typeof call !== 'string' && !call.reads.some((read) => places.outside.includes(read));
        });
        for (const argv of sample(possible, CALLS_OF_A_SPELLING, random)) {
          const command = formatRule({ argv, isOpenEnded: false });
          if (FREE_SPACE.test(command)) continue;
          const { action, environment } = await assessCommand(commandPlan(command, folder), [], world);
          if (action === 'allow') allowed.set(command, { command, environment });
        }
      }
    }
    return [...allowed.values()];
  }

  /** The output and exit code of each command. */
  function runAll(cases: readonly Case[], searchPath: string): readonly string[] {
    const outputs: string[] = [];
    for (let start = 0; start < cases.length; start += AT_ONCE) {
      const batch = cases.slice(start, start + AT_ONCE);
      const script = batch
        .map(({ command, environment }) => {
          const variables = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
          return `(${[...variables, command].join('; ')}) 2>&1; printf '\\n%s\\0END\\0' "$?"`;
        })
        .join('\n');
      const output = execFileSync('/bin/bash', ['--noprofile', '--norc'], {
        cwd: folder,
        env: { ...commandEnvironment(process.env), PATH: searchPath },
        input: `{\n${script}\n} </dev/null`,
        encoding: 'latin1',
        maxBuffer: 1 << 30,
      });
      const found = output.split('\0END\0');
      assert.equal(found.pop(), '');
      assert.equal(found.length, batch.length);
      outputs.push(...found);
    }
    return outputs.map((output, index) => {
      const command = cases[index]?.command ?? '';
      // ripgrep reads several files at a time, in any order.
      if (command.startsWith('rg ')) return output.split('\n').sort().join('\n');
      // For lines that are not committed, git blame shows the current time.
      return command.startsWith('git blame ')
        ? output.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|-time \d+|\b\d{10}\b/g, 'now')
        : output;
    });
  }

  /**
   * A command counts if it never printed in one state what it printed in the other. Commands do not count that print
   * something else each time, such as the time. In a random order, a few lines come again after some runs.
   */
  async function findLeaks(cases: readonly Case[], searchPath: string): Promise<readonly string[]> {
    // Reading changes times of access the first time.
    execFileSync('grep', ['-r', 'x', '.'], { cwd: folder, stdio: 'ignore' });
    const first = runAll(cases, searchPath);
    await swap();
    const second = runAll(cases, searchPath);
    const different = cases.filter((_, index) => first[index] !== second[index]);
    const runs = Array.from({ length: REPEATED }, () => runAll(different, searchPath));
    await swap();
    const earlier = Array.from({ length: REPEATED }, () => runAll(different, searchPath));
    return different
      .map(({ command }) => command)
      .filter((_, index) => {
        const before = new Set(earlier.map((outputs) => outputs[index]));
        const after = new Set(runs.map((outputs) => outputs[index]));
        return Math.max(before.size, after.size) < REPEATED && ![...before].some((output) => after.has(output));
      });
  }

  async function snapshot(): Promise<readonly string[]> {
    const files: string[] = [];
    for (const entry of await readdir(base.path, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      files.push(`${file} ${entry.isFile() ? await readFile(file, 'latin1') : ''}`);
    }
    return files.sort();
  }

  /** The world with each question to the disk and to git answered once. */
  function cached(world: CommandWorld): CommandWorld {
    const { findExecutable, runGit, fileSystem } = world;
    const { realPath, stat, listDirectory } = fileSystem;
    return {
      ...world,
      findExecutable: once(findExecutable),
      runGit: once(runGit),
      fileSystem: {
        ...fileSystem,
        realPath: once(realPath.bind(fileSystem)),
        stat: once(stat.bind(fileSystem)),
        listDirectory: once(listDirectory.bind(fileSystem)),
      },
    };
  }

  async function check(searchPath: string): Promise<number> {
    const world = cached(commandWorld(folder, { ...process.env, PATH: searchPath }));
    const cases = await findAllowed(world);
    const before = await snapshot();
    const leaks = await findLeaks(cases, searchPath);
    assert.deepEqual(leaks, []);
    assert.deepEqual(await snapshot(), before);
    return cases.length;
  }

  it('tell nothing of what lies outside, in and outside a git repository', async function () {
    this.timeout(20 * 60_000);
    const searchPath = process.env['PATH'] ?? '';
    const plain = await check(searchPath);
    git('init', '-q');
    git('add', 'a.txt', 'sub/c.txt');
    git('commit', '-qm', 'first');
    await writeFile(path.join(folder, 'a.txt'), 'b 1\nchanged\n');
    const inRepository = await check(searchPath);
    console.log(`      ran ${plain} calls outside a repository and ${inRepository} inside`);
    // The number depends on the installed programs.
    assert.equal(inRepository > plain && plain > 300, true);
  });

  it('would be found if they told something, and those ask', async () => {
    git('init', '-q');
    git('add', 'a.txt');
    git('commit', '-qm', 'first');
    const secret = path.join(outside, 'secret.txt');
    const commands = [
      `git diff -U ${secret} a.txt`,
      `git diff --unified ${secret} a.txt`,
      'ls -R --dereference',
      'ls -lL',
    ];
    const world = commandWorld(folder);
    for (const command of commands) {
      assert.equal((await assessCommand(commandPlan(command, folder), [], world)).action, 'ask', command);
    }
    const cases = commands.map((command) => ({ command, environment: {} }));
    assert.deepEqual(await findLeaks(cases, process.env['PATH'] ?? ''), commands);
  });

  it('tell nothing of what lies outside when BusyBox has the programs', async function () {
    this.timeout(20 * 60_000);
    const busybox = await findBusybox();
    if (busybox === undefined) return this.skip();
    const bin = path.join(base.path, 'bin');
    await mkdir(bin);
    execFileSync(busybox, ['--install', '-s', bin]);
    const count = await check(bin);
    console.log(`      ran ${count} calls`);
    assert.equal(count > 300, true);
  });
});

function once<Args extends unknown[], T>(ask: (...args: Args) => T): (...args: Args) => T {
  const known = new Map<string, T>();
  return (...args) => {
    const key = JSON.stringify(args);
    const answer = known.get(key) ?? ask(...args);
    known.set(key, answer);
    return answer;
  };
}

function sample<T>(from: readonly T[], count: number, random: () => number): readonly T[] {
  return from
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ value }) => value);
}

async function findBusybox(): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.join(folder, 'busybox');
    try {
      await access(file);
      return file;
    } catch {
      continue;
    }
  }
  return undefined;
}
