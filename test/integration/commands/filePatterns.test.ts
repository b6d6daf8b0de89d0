import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { createNodeFileSystem } from '../../../src/workspace/node/files/nodeFileSystem';
import { isReadingProtected } from '../../../src/workspace/paths/protectedPaths';
import { assessCommand } from '../../../src/workspace/shell/assessCommand';
import { parseRule } from '../../../src/workspace/shell/commandRules';
import { bundledGrammars } from '../../../src/workspace/shell/parse/bundledGrammars';
import { parseCommand } from '../../../src/workspace/shell/parse/parseCommand';
import { expandPatterns } from '../../../src/workspace/shell/patterns/expandPatterns';
import { commandPlan, commandWorld } from '../../support/commands/commandWorld';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { fuzzRuns } from '../../support/leaks/fuzzRuns';

const SHELLS = ['/bin/bash', '/bin/dash'].filter((shell) => existsSync(shell));

describe('file patterns of commands', () => {
  let outer: TemporaryFolder;
  let folder: string;

  before(async () => {
    outer = await createTemporaryFolder({
      'outside/o.ts': 'x',
      'w/a.ts': 'x',
      'w/b.ts': 'x',
      'w/c d.ts': 'x',
      'w/q\'u"o$(x).md': 'x',
      'w/n1.md': 'x',
      'w/src/x.ts': 'x',
      'w/src/deep/y.ts': 'x',
      'w/src/.env': 'KEY=1',
      'w/.env': 'KEY=1',
      'w/dash/-n': 'x',
      'w/dash/b.ts': 'x',
      'w/keys/server.key': 'KEY',
      'w/keys/a.txt': 'x',
      'w/line/a\nb.txt': 'x',
      'w/bell/a\u0007b.txt': 'x',
      'w/hidden/a\u202eb.txt': 'x',
      'w/linked/a.txt': 'x',
    });
    folder = path.join(outer.path, 'w');
    await symlink('../outside', path.join(folder, 'out'));
    await symlink('src', path.join(folder, 'inner'));
    await symlink('../.env', path.join(folder, 'linked/link.txt'));
    await mkdir(path.join(folder, 'same'));
    await link(path.join(folder, '.env'), path.join(folder, 'same/notes.txt'));
    await mkdir(path.join(folder, 'many'));
    for (let index = 0; index < 900; index += 1) {
      await writeFile(path.join(folder, `many/a-long-name-of-a-file-${index}.txt`), '');
    }
  });
  after(() => outer.dispose());

  const allowed: readonly (readonly [command: string, runs: string])[] = [
    ['cat *.ts', "cat a.ts b.ts 'c d.ts'"],
    ['cat ?.ts', 'cat a.ts b.ts'],
    ['cat [bc]*.ts', "cat b.ts 'c d.ts'"],
    ['cat [!a].ts', 'cat b.ts'],
    ['cat q*', String.raw`cat 'q'\''u"o$(x).md'`],
    ['cat src/*', 'cat src/deep src/x.ts'],
    ['cat src/**/y.ts', 'cat src/deep/y.ts'],
    ['cat s*/x.ts', 'cat src/x.ts'],
    ['cat s*/nothing', "cat 's*/nothing'"],
    ['cat inner/*.ts', 'cat inner/x.ts'],
    ['ls -d s*/', 'ls -d same/ src/'],
    ['cat nothing*', "cat 'nothing*'"],
    ['cat "c "*', "cat 'c d.ts'"],
    ["grep 'a*' [ab].ts", "grep 'a*' a.ts b.ts"],
    ['grep -rn --include=*.ts x src/deep', "grep -rn '--include=*.ts' x src/deep"],
    ['cat a.ts | head -3 && wc -l b*', 'cat a.ts | head -3 && wc -l b.ts bell'],
    ['cd src && cat *.ts', 'cd src && cat x.ts'],
    ['ls b* 2>/dev/null', 'ls b.ts bell 2>/dev/null'],
    ['echo n?.md', 'echo n1.md'],
    ['[ -f a* ] && [ ! -d src/*.ts ]', '[ -f a.ts ] && [ ! -d src/x.ts ]'],
  ];
  for (const [command, runs] of allowed) {
    it(`run as names: ${command}`, async () => {
      const assessment = await assessCommand(commandPlan(command, folder), [], world());
      assert.deepEqual([assessment.action, assessment.expanded], ['allow', runs], assessment.reason);
    });
  }

  const asking: readonly (readonly [command: string, reason: RegExp])[] = [
    ['rm *.ts', /file pattern/],
    ['cat .e*', /\.env is protected/],
    ['cat src/.*v', /src\/\.env is protected/],
    ['cat keys/*', /keys\/server\.key is protected/],
    ['cat linked/*', /is protected/],
    ['cat same/*', /is protected/],
    ['cat out/*', /outside the workspace/],
    ['echo out/*', /outside the workspace/],
    ['echo */o.ts', /outside the workspace/],
    ['echo */', /outside the workspace/],
    ['echo ../*', /outside the workspace/],
    ['echo /etc/*', /outside the workspace/],
    ['echo s*/../../*', /goes into a folder and out again/],
    ['cd dash && cat *', /"-n", which programs can take for something else/],
    ['echo .*', /the folder itself/],
    ['echo .?', /the folder itself/],
    ['cat line/*', /more than one line/],
    ['cat bell/*', /control characters/],
    ['cat hidden/*', /invisible characters/],
    ['cat many/*', /characters long/],
    ['cat *.{ts,env}{a,b', /braces/],
    ['cat .{env,x}', /braces/],
    ['cat [[:alpha:]].ts', /file pattern/],
    ['cat [^a].ts', /file pattern/],
    ['cat ["a"].ts', /file pattern/],
    ['cat !(a)', /cannot|Cannot/],
    ['echo a > *.ts', /Cannot/],
    ['X=* ls', /Cannot/],
    ['l* a.ts', /file pattern/],
    ['cd no* && ls', /not a folder/],
    ['cd sr* && cat x.ts', /not a folder/],
    ['ls s*//', /doubled slash/],
    ['cat *.ts && cat ../outside/o.ts', /outside the workspace/],
    ['sort -o *.ts', /file pattern/],
  ];
  for (const [command, reason] of asking) {
    it(`ask: ${command}`, async () => {
      const assessment = await assessCommand(commandPlan(command, folder), [], world());
      assert.deepEqual([assessment.action, assessment.expanded], ['ask', undefined]);
      assert.match(assessment.reason, reason);
      assert.equal(assessment.remember.ok, false);
    });
  }

  it('obey rules about the files that they match', async () => {
    const rules = (['deny', 'ask', 'allow'] as const).map((effect) => {
      const text = { deny: 'cat a.ts *', ask: 'wc b.ts', allow: 'rm src/x.ts' }[effect];
      const parsed = parseRule(text, { effect, origin: 'user' });
      return parsed.ok ? parsed.rule : assert.fail(parsed.error);
    });
    const actions: string[] = [];
    for (const command of ['cat ?.ts', 'wc b*ts', 'rm sr*/x.ts', 'rm sr*/*']) {
      actions.push((await assessCommand(commandPlan(command, folder), rules, world())).action);
    }
    assert.deepEqual(actions, ['deny', 'ask', 'allow', 'ask']);
  });

  it('are no rules', () => {
    const parsed = parseRule('cat *.ts', { effect: 'deny', origin: 'user' });
    assert.match(parsed.ok ? '' : parsed.error, /file pattern/);
  });

  it('match what real shells match', async function () {
    this.timeout(20 * 60_000);
    const grammars = bundledGrammars();
    const name = fc.string({ unit: fc.constantFrom(...'aabB.-1 é*[]\\'), minLength: 1, maxLength: 4 }).filter(isName);
    const file = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    const piece = fc.constantFrom(
      '*',
      '*',
      '?',
      '[ab]',
      '[!a]',
      '[a-b1]',
      '[.a-]',
      'a',
      'b',
      'B',
      '.',
      '1',
      "'*'",
      '/',
      '"a"',
      '\\*',
    );
    const word = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const counts = { same: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { minLength: 1, maxLength: 10 }),
        fc.array(word, { maxLength: 8 }),
        async (files, words) => {
          await using tree = await createTemporaryFolder();
          for (const each of files) await writeQuietly(path.join(tree.path, each));
          const target = commandPlan('', tree.path).cwd;
          const workspace = {
            roots: [{ name: 'w', path: tree.path }],
            fileSystem: createNodeFileSystem(),
            isProtected: isReadingProtected,
          };
          const written: string[] = [];
          const expanded: string[] = [];
          for (const each of words) {
            const command = `printf '%s\\0' ${each}`;
            const analysis = await parseCommand(command, 'bash', grammars);
            if (analysis.kind !== 'opaque' || !analysis.patterned) continue;
            const expansion = await expandPatterns(analysis.patterned, target, workspace);
            counts[expansion.ok ? 'same' : 'refused'] += 1;
            if (!expansion.ok) continue;
            written.push(command);
            expanded.push(expansion.command);
          }
          const ours = print('/bin/bash', expanded, tree.path);
          for (const shell of SHELLS) {
            // dash takes `?` for one byte.
            if (shell.endsWith('dash') && /é/.test(files.join(''))) continue;
            assert.deepEqual(
              print(shell, written, tree.path),
              ours,
              `${shell}: ${written.join('; ')} in ${JSON.stringify(files)}`,
            );
          }
        },
      ),
      fuzzRuns(20),
    );
    assert.ok(counts.same > counts.refused, JSON.stringify(counts));
    console.log(`      ${JSON.stringify(counts)}`);
  });

  function world(): ReturnType<typeof commandWorld> {
    return { ...commandWorld(folder), isProtected: isReadingProtected };
  }
});

/** What each command prints. */
function print(shell: string, commands: readonly string[], cwd: string): readonly string[] {
  const script = commands.map((command) => `${command}; printf '\\n\\0'`).join('\n');
  const printed = execFileSync(shell, ['-c', script], {
    cwd,
    encoding: 'utf8',
    env: { LC_ALL: 'C.UTF-8', SHLVL: '2' },
  });
  return printed.split('\n\0');
}

function isName(name: string): boolean {
  return name !== '.' && name !== '..';
}

/** Skips files that do not fit together. */
async function writeQuietly(file: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '', { flag: 'wx' });
  } catch {
    return;
  }
}
