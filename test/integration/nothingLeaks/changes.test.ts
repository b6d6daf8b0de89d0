import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { accessToChange } from '../../../src/host/sourceControl/accessToChange';
import { diffOfFile } from '../../../src/host/sourceControl/diffOfFile';
import { createNodeFileSystem } from '../../../src/workspace/node/files/nodeFileSystem';
import { isReadingProtected } from '../../../src/workspace/paths/protectedPaths';
import { withDistinctNames } from '../../../src/workspace/paths/roots';
import { fuzzRuns } from '../../support/leaks/fuzzRuns';
import { property } from '../../support/leaks/property';

/** Changes of git as `@changes`, `/review` and commit messages read them: git is asked for each file, as VS Code asks it. */
describe('nothing leaks through changes of git', () => {
  let top: string;
  beforeEach(async () => {
    top = await realpath(await mkdtemp(path.join(os.tmpdir(), 'open-agent-changes-')));
  });
  afterEach(() => rm(top, { recursive: true }));

  property('with generated names, states and configurations', async () => {
    let texts = 0;
    const tryStates = async ({ before, after, later, settings, attributes }: Repository): Promise<void> => {
      await rm(top, { recursive: true });
      await mkdir(top);
      const git = (...args: readonly string[]): string => runGit(top, args);
      git('init', '-q', '-b', 'main', '--template=');
      await writeState(top, before, 'before');
      git('add', '-A', '-f');
      git('commit', '-q', '--allow-empty', '-m', 'before');
      await writeState(top, after, 'after');
      if (attributes !== '') await writeFile(path.join(top, '.gitattributes'), attributes);
      git('add', '-A', '-f');
      git('commit', '-q', '--allow-empty', '-m', 'after');
      await writeState(top, later, 'later');
      for (const [key, value] of settings) git('config', key, value);
      for (const range of [['HEAD~1...HEAD'], ['HEAD'], ['--cached', 'HEAD~1']]) {
        for (const { names } of changesOf(git('diff', '--no-ext-diff', '--name-status', '-z', '-M', ...range))) {
          const file = names.at(-1)!;
          const access = await accessToChange(
            names.map((name) => path.join(top, name)),
            { roots: withDistinctNames([{ name: 'w', path: top }]), fileSystem: createNodeFileSystem() },
          );
          if (access !== 'open') continue;
          const text = diffOfFile(git('diff', ...range, '--', file), file);
          if (text !== undefined) texts += 1;
          assert.doesNotMatch(text ?? '', /MARK/, `${JSON.stringify(names)} of ${range.join(' ')}`);
        }
      }
    };
    await fc.assert(fc.asyncProperty(repository(), tryStates), fuzzRuns(15));
    // Most changes are shown.
    if (process.env['FUZZ_RUNS'] === undefined) assert.equal(texts > 60, true, String(texts));
  });

  it('which are shown under any name that is no pattern for others', async () => {
    const git = (...args: readonly string[]): string => runGit(top, args);
    git('init', '-q', '-b', 'main', '--template=');
    const files = [...NAMES, ...ODD_NAMES.filter((name) => !/^(?::|src$)|[*?]/.test(name))];
    await writeState(top, files, 'before');
    git('add', '-A', '-f');
    const shown = files.filter((name) => diffOfFile(git('diff', '--cached', '--', name), name) !== undefined);
    assert.deepEqual(shown, files);
  });
});

interface Repository {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly later: readonly string[];
  readonly settings: readonly (readonly [key: string, value: string])[];
  readonly attributes: string;
}

const NAMES = ['a.txt', 'b c.txt', 'src/a.ts', 'app/[id]/page.tsx', 'grün.txt', 'a+b(c).ts', 'b/a.txt'];
const ODD_NAMES = [
  '*',
  'src/*',
  '?env',
  '[.]env',
  '.e[n]v',
  'with "quotes".txt',
  'new\nline.txt',
  'tab\t.txt',
  'b\\c',
  ':!x',
].concat([':(glob)**', ':(icase)A.TXT', '-R', 'a b/a b', '**/x', 'x b/x', 'conf', 'src', 'a.txt b/a.txt', '*\n']);
const SECRETS = [
  '.env',
  'conf/.env',
  'src/.env.local',
  'id_rsa',
  'certs/server.key',
  'a.txt/.env',
  'src/prod.env',
  ' b/.env',
];

function repository(): fc.Arbitrary<Repository> {
  const name = fc.oneof(
    fc.constantFrom(...NAMES),
    fc.constantFrom(...ODD_NAMES),
    fc.constantFrom(...ODD_NAMES),
    fc.constantFrom(...SECRETS),
  );
  const state = fc.uniqueArray(name, { minLength: 2, maxLength: 12, size: 'max' });
  const setting = fc.constantFrom<readonly [string, string]>(
    ['diff.noprefix', 'true'],
    ['diff.mnemonicPrefix', 'true'],
    ['color.ui', 'always'],
    ['color.diff', 'always'],
    ['core.quotepath', 'false'],
    // A program that the configuration names can read and forge all. This one only shows other files.
    ['diff.external', 'cat .env src/.env.local id_rsa #'],
    ['diff.orderFile', 'a.txt'],
    ['diff.srcPrefix', 'b/'],
    ['diff.interHunkContext', '1000'],
    ['diff.renames', 'copies'],
    ['diff.wordRegex', '.'],
  );
  return fc.record({
    before: state,
    after: state,
    later: state,
    settings: fc.array(setting, { maxLength: 2 }),
    attributes: fc.constantFrom('', '', '* binary\n', '*.txt -diff\n'),
  });
}

/** Makes the folder hold these files only. Of a file and a folder with the same name, the first one stays. */
async function writeState(top: string, files: readonly string[], state: string): Promise<void> {
  for (const name of await readdir(top)) if (name !== '.git') await rm(path.join(top, name), { recursive: true });
  const taken: string[] = [];
  for (const name of files) {
    if (taken.some((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`))) continue;
    taken.push(name);
    const file = path.join(top, name);
    await mkdir(path.dirname(file), { recursive: true });
    const isSecret = isReadingProtected({ displayPath: name, pathInRoot: name });
    await writeFile(file, `${isSecret ? 'MARK' : 'ordinary'} ${state}\n${state} of ${name}\n`);
  }
}

/** The changes of `--name-status -z`, with the old and the new name. */
function changesOf(output: string): readonly { readonly names: readonly string[] }[] {
  const words = output.split('\0');
  const changes: { names: readonly string[] }[] = [];
  for (let index = 0; index < words.length - 1;) {
    const count = /^[RC]/.test(words[index] ?? '') ? 2 : 1;
    changes.push({ names: words.slice(index + 1, index + 1 + count) });
    index += 1 + count;
  }
  return changes;
}

function runGit(cwd: string, args: readonly string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'core.autocrlf=false'];
  const { status, stdout } = spawnSync('git', [...identity, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // VS Code rejects then, and nothing is read. A commit can be empty of changes.
  return status === 0 ? stdout : '';
}
