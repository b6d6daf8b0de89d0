import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { commandEnvironment } from '../../../src/workspace/node/commands/commandEnvironment';
import { assessorWithAssumedPrograms } from '../../support/commands/assumedPrograms';
import { commandPlan } from '../../support/commands/commandWorld';
import { fixturePath } from '../../support/files/fixturePath';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

describe('attacks on commands that run without a question', () => {
  let outer: TemporaryFolder;
  let folder: string;

  before(async () => {
    outer = await createTemporaryFolder({
      'outside/secret.txt': 'SECRET\n',
      'w/a.txt': 'a\n',
      'w/b.txt': 'b\n',
      'w/data.json': '{"a":1}\n',
      'w/src/a.ts': 'let a = 1;\n',
      'w/.env': 'SECRET=1\n',
      'w/certs/server.key': 'SECRET\n',
      'w/list.txt': '.env\0',
      'w/opt/-oout.txt': 'x\n',
      'w/opt/--file=.env': 'x\n',
      'w/opt/a.txt': 'x\n',
      'w/links/a.txt': 'x\n',
      'w/sub/a.txt': 'x\n',
      'w/hidden/.env': 'x\n',
      'w/hidden/a.ts': 'x\n',
    });
    folder = path.join(outer.path, 'w');
    await symlink('../outside', path.join(folder, 'link-out'));
    await symlink('../outside/secret.txt', path.join(folder, 'link-secret'));
    await symlink('../../outside/secret.txt', path.join(folder, 'links/secret.txt'));
    await link(path.join(folder, '.env'), path.join(folder, 'hard.txt'));
    const git = (...args: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: folder,
        stdio: 'ignore',
        env: commandEnvironment(process.env),
      });
    git('init', '-q', '-b', 'main');
    // No protected file is tracked, so git asks for the sake of its words only.
    git('add', 'a.txt', 'b.txt', 'src');
    git('commit', '-qm', 'first');
  });
  after(() => outer.dispose());

  /** Those of the commands that run without a question. */
  async function letThrough(commands: readonly string[]): Promise<readonly string[]> {
    const assess = assessorWithAssumedPrograms(folder);
    const allowed: string[] = [];
    for (const command of commands) {
      const { action } = await assess(commandPlan(unescaped(command), folder), []);
      if (action === 'allow') allowed.push(command);
    }
    return allowed;
  }

  it('all ask', async () => {
    const text = await readFile(fixturePath('attackCommands.txt'), 'utf8');
    const attacks = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
    console.log(`      ${attacks.length} commands`);
    assert.deepEqual(await letThrough(attacks), []);
  });

  it('ask for the sake of the attack: the same programs run with harmless words', async () => {
    assert.deepEqual(await letThrough(HARMLESS), HARMLESS);
  });
});

const HARMLESS = [
  'sort a.txt',
  'diff a.txt b.txt',
  'jq . data.json',
  'tree src',
  'file a.txt',
  'du src',
  'stat a.txt',
  'wc a.txt',
  'grep -r x src',
  'rg x src',
  'rg -t ts x hidden',
  'rg -T sh x hidden',
  'unzip -l a.zip',
  'gzip -l a.gz',
  'od -w8 a.txt',
  'expand -t 4 a.txt',
  "git for-each-ref --format='%(align:20)%(refname)%(end)'",
  'echo "$PWD" $?',
  'tail a.txt',
  'git diff',
  'git log -p',
  'git grep --cached a',
  'git log -L 1,1:a.txt',
  'git show HEAD:a.txt',
  'git blame a.txt',
  'git status',
  'git stash list',
  'find . -name x',
  "sed -n 'p' a.txt",
  "sed 's/[[:space:]]*$//; s/^[^[:alpha:]]//' a.txt",
  "awk '{print}' a.txt",
  'cat opt/a.*',
  'cd src && ls',
  'test -f a.txt',
  'command -v git',
  '! grep -q zzz a.txt',
  'ls && { ls; }',
  'if true; then ls; fi',
  'echo $((1+1))',
  'find src -type f -exec cat {} +',
  'find src -type f | xargs cat',
  'cat $(find src -type f)',
  'for f in $(ls src); do head "src/$f"; done',
  'ls src | while read f; do echo "$f"; done',
];

function unescaped(line: string): string {
  return line.replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
