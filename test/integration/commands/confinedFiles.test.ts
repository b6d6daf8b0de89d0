import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createConfinement, type NodeConfinement } from '../../../src/workspace/node/confinement/confinement';
import { createNodeCommandRunner } from '../../../src/workspace/node/commands/nodeCommandRunner';
import type { CommandOutcome } from '../../../src/workspace/ports';
import { delay } from '../../../src/util/async/delay';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

/** What a confined command leaves behind, with real bubblewrap and real git. Skipped where commands cannot be confined. */
describe('files that a confined command leaves', () => {
  let world: TemporaryFolder;
  let work: string;
  let mark: string;

  before(async function () {
    if ((await createConfinement().findProblem()) !== undefined) this.skip();
  });

  beforeEach(async () => {
    world = await createTemporaryFolder({
      'work/a.txt': 'a\n',
      'work/sub/b.txt': 'b\n',
      'work/sub/deep/c.txt': 'c\n',
      'work/lib/d.txt': 'd\n',
      'work/node_modules/e/package.json': '{}\n',
    });
    work = path.join(world.path, 'work');
    mark = path.join(world.path, 'mark');
  });
  afterEach(() => world.dispose());

  function run(command: string, isConfined = true, confinement = confine()): Promise<CommandOutcome> {
    return createNodeCommandRunner({ confinement }).run(
      {
        command: `${functions()}\n${command}`,
        cwd: work,
        timeoutMs: 60_000,
        ...(isConfined && { confinement: { allowsNetwork: false, writable: [work] } }),
      },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
  }

  const confine = (): NodeConfinement =>
    createConfinement({ home: path.join(world.path, 'home'), setAsideFolder: path.join(world.path, 'aside') });

  /**
   * `repository FOLDER` makes a folder that git takes for a repository. Its configuration names a program that leaves a
   * mark.
   */
  function functions(): string {
    return `
      repository() {
        mkdir -p "$1/objects" "$1/refs/heads"
        printf '[core]\\nbare = false\\nrepositoryformatversion = 0\\nfsmonitor = "touch ${mark} #"\\n%s\\n' "$2" > "$1/config"
        echo 'ref: refs/heads/main' > "$1/HEAD"
      }`;
  }

  /** What a person and the editor do: git in every folder, until the mark appears. */
  function useGit(): void {
    const folders = readdirSync(work, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((folder) => !/\/(?:objects|refs|hooks|info|logs|branches)(?:\/|$)/.test(folder));
    for (const cwd of [work, ...folders]) {
      for (const args of [['status'], ['log'], ['fetch', '--all']]) {
        spawnSync('git', args, { cwd, stdio: 'ignore', env: { PATH: process.env.PATH, HOME: world.path } });
        if (existsSync(mark)) return;
      }
    }
  }

  const inWork = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: work, stdio: 'ignore' });

  const traps: Readonly<Record<string, { readonly trap: string; readonly prepare?: () => void | Promise<void> }>> = {
    'a new .git at the top': { trap: 'repository .git' },
    'a new .git in a folder': { trap: 'repository sub/.git' },
    'a new .git in a new folder': { trap: 'mkdir -p x/y/z; repository x/y/z/.git' },
    'a new .git in dependencies': { trap: 'repository node_modules/e/.git' },
    'a .git that was made under another name': { trap: 'repository sub/x; mv sub/x sub/.git' },
    'a folder that was made elsewhere with its .git': {
      trap: 'mkdir /tmp/x; repository /tmp/x/.git; cp -r /tmp/x new',
    },
    'a .git file that leads to a folder': {
      trap: 'repository sub/meta "worktree = .."; echo "gitdir: meta" > sub/.git',
    },
    'a link named .git': { trap: 'repository x "worktree = ../sub"; ln -s ../x sub/.git' },
    'a bare repository': { trap: 'repository sub "worktree = ."' },
    'a bare repository with a common folder': {
      trap: 'repository lib "worktree = ."; mkdir sub/deep/g; echo "$PWD/lib" > sub/deep/commondir; mkdir -p sub/deep/refs sub/deep/objects; echo "ref: refs/heads/main" > sub/deep/HEAD',
    },
    'git init and git config': {
      trap: `cd sub && git init -q && git config core.fsmonitor "touch ${'$MARK'} #"`,
    },
    'many of them': { trap: 'for i in 1 2 3 4 5 6; do repository sub/$i/.git; done' },
    'many, again and again': { trap: 'for i in $(seq 60); do mkdir -p n$i; repository n$i/.git; sleep 0.01; done' },
    'a name with strange characters': { trap: `mkdir -p $'x\\ny'; repository $'x\\ny/.git'` },
    'commondir in the present .git': {
      prepare: () => inWork('init', '-q'),
      trap: 'repository x; echo "$PWD/x" > .git/commondir',
    },
    'the configuration of the present .git': {
      prepare: () => inWork('init', '-q'),
      trap: `git config core.fsmonitor "touch ${'$MARK'} #"; repository .git`,
    },
    'config.worktree of the present .git': {
      prepare: () => {
        inWork('init', '-q');
        inWork('config', 'extensions.worktreeConfig', 'true');
      },
      trap: `printf '[core]\\nfsmonitor = "touch %s #"\\n' "$MARK" > .git/config.worktree`,
    },
    'the present .git under a new name': {
      prepare: () => inWork('init', '-q'),
      trap: 'mv .git old; repository .git',
    },
    'a present .git in a folder that was renamed': {
      prepare: () => inWork('init', '-q', 'sub'),
      trap: 'mv sub old; mkdir sub; repository sub/.git; repository old/.git',
    },
    'a present .git in a folder, by its files': {
      prepare: () => inWork('init', '-q', 'sub/deep'),
      trap: 'repository sub/deep/.git; rm -rf sub/deep/.git; repository sub/deep/.git',
    },
    'the folder of a worktree': {
      prepare: () => {
        inWork('init', '-q');
        inWork('commit', '-q', '--allow-empty', '-m', 'x');
        inWork('worktree', 'add', '-q', 'tree');
      },
      trap: 'repository x "worktree = ../tree"; echo "$PWD/x" > .git/worktrees/tree/commondir; echo "gitdir: $PWD/x" > tree/.git',
    },
    'the folder of a separate .git': {
      prepare: () => inWork('init', '-q', '--separate-git-dir', 'meta', 'sub'),
      trap: 'repository meta',
    },
    'the folder of a submodule': {
      prepare: () => {
        inWork('init', '-q');
        inWork('init', '-q', 'sub');
        execFileSync(
          'sh',
          [
            '-c',
            'mkdir -p .git/modules && mv sub/.git .git/modules/sub && echo "gitdir: ../.git/modules/sub" > sub/.git',
          ],
          { cwd: work },
        );
      },
      trap: 'repository .git/modules/sub "worktree = ../../../sub"',
    },
    'a present bare repository': {
      prepare: () => inWork('init', '-q', '--bare', 'sub'),
      trap: 'repository sub "worktree = ."',
    },
    'a present link named .git': {
      prepare: async () => {
        inWork('init', '-q', 'lib');
        await symlink('../lib/.git', path.join(work, 'sub/.git'));
      },
      trap: 'repository x "worktree = ../sub"; rm sub/.git; ln -s ../x sub/.git',
    },
    'a half repository that is completed': {
      prepare: async () => {
        await mkdir(path.join(work, 'sub/objects'));
        await mkdir(path.join(work, 'sub/refs'));
      },
      trap: 'repository sub "worktree = ."',
    },
    'a process that was left behind': { trap: '(setsid sh -c "sleep 0.3; true" &); repository sub/.git; sleep 0.5' },
  };

  for (const [name, { trap, prepare }] of Object.entries(traps)) {
    it(`do not run in git: ${name}`, async () => {
      await prepare?.();
      await run(`MARK='${mark}'\n${trap}`);
      useGit();
      assert.equal(existsSync(mark), false, 'git outside ran the program');
    });

    it(`would run in git without the confinement: ${name}`, async () => {
      await prepare?.();
      await run(`MARK='${mark}'\n${trap}`, false);
      useGit();
      assert.equal(existsSync(mark), true);
    });
  }

  it('are set aside with their content, and named in the output', async () => {
    const { output } = await run('repository sub/.git; echo x > .npmrc; mkdir .husky; echo y > .husky/pre-commit');
    const places = [...output.matchAll(/Moved out of the workspace: (.*), to (.*)\]/g)];
    // A folder that is moved while the command still writes it is made again, and moved again.
    const names = new Set(places.map((match) => path.relative(work, match[1] ?? '')));
    assert.deepEqual([...names].toSorted(), ['.husky', '.npmrc', 'sub/.git']);
    const placeOf = (file: string): string =>
      places.find((match) => match[1] === path.join(work, file))?.[2] ?? assert.fail(file);
    assert.equal(await readFile(placeOf('.npmrc'), 'utf8'), 'x\n');
    assert.ok(existsSync(placeOf('sub/.git')));
    assert.deepEqual(await readdir(work), ['a.txt', 'lib', 'node_modules', 'sub']);
  });

  for (const name of [
    '.vscode',
    '.idea',
    '.devcontainer',
    '.husky',
    '.cargo',
    '.claude',
    '.bashrc',
    '.profile',
    '.zshrc',
    '.envrc',
    '.npmrc',
    '.yarnrc.yml',
    '.mise.toml',
    '.tool-versions',
    '.gitmodules',
    '.gitconfig',
    '.exrc',
    'x.code-workspace',
  ]) {
    it(`do not include a new or changed ${name}, in any folder`, async () => {
      const file = path.join(work, 'sub', name);
      await writeFile(file, 'ours\n');
      await run(
        `for f in '${name}' 'sub/${name}' 'lib/${name}'; do rm -rf "$f"; mv "$f" x; mkdir -p "$f"; echo evil > "$f"; echo evil > "$f/x"; done`,
      );
      assert.equal(await readFile(file, 'utf8'), 'ours\n');
      assert.deepEqual([existsSync(path.join(work, name)), existsSync(path.join(work, 'lib', name))], [false, false]);
    });
  }

  it('include everything else, also in packages', async () => {
    const { output } = await run(
      'mkdir -p node_modules/f/.vscode dist .yarn/cache; echo x | tee node_modules/f/.npmrc dist/a.js package.json .pnp.cjs .yarn/cache/a HEAD config',
    );
    assert.doesNotMatch(output, /Moved/);
    for (const file of [
      'node_modules/f/.npmrc',
      'dist/a.js',
      'package.json',
      '.pnp.cjs',
      '.yarn/cache/a',
      'HEAD',
      'config',
    ]) {
      assert.ok(existsSync(path.join(work, file)), file);
    }
  });

  it('do not include changed programs that the configuration of a present repository names', async () => {
    inWork('init', '-q');
    inWork('config', 'core.hooksPath', 'lib');
    inWork('config', 'filter.ours.clean', 'sh sub/b.txt');
    await run('echo evil > lib/pre-commit; mv lib x; echo evil > sub/b.txt; rm -f sub/b.txt; true');
    assert.deepEqual(await readdir(path.join(work, 'lib')), ['d.txt']);
    assert.equal(await readFile(path.join(work, 'sub/b.txt'), 'utf8'), 'b\n');
  });

  it('leave present repositories usable for reading', async () => {
    inWork('init', '-q');
    inWork('add', 'a.txt');
    inWork('commit', '-q', '-m', 'first');
    const { output } = await run(
      'echo b >> a.txt; git status --short; git log --format=%s; git diff --stat; git add a.txt; true',
    );
    assert.match(output, /^ M a\.txt$/m);
    assert.match(output, /^first$/m);
    assert.match(output, /1 file changed/);
    assert.match(output, /index\.lock.*Read-only file system/);
  });

  for (const [name, isSame] of [
    ['one process', true],
    ['several processes', false],
  ] as const) {
    it(`include no placeholder, and commands of ${name} do not remove those of each other`, async () => {
      const one = confine();
      const confinements = [one, ...[1, 2].map(() => (isSame ? one : confine()))];
      // The first command ends while the second runs, which then tries to use the place.
      const second = run(
        'echo up > up; while ! test -e down; do sleep 0.05; done; repository .git',
        true,
        confinements[0],
      );
      while (!existsSync(path.join(work, 'up'))) await delay(20);
      await run('true', true, confinements[1]);
      await run('true', true, confinements[2]);
      await writeFile(path.join(work, 'down'), '');
      await second;
      useGit();
      assert.equal(existsSync(mark), false);
      assert.deepEqual(await readdir(work), ['a.txt', 'down', 'lib', 'node_modules', 'sub', 'up']);
    });
  }

  it('include what somebody else put into a placeholder', async () => {
    const running = run('echo up > up; while ! test -e down; do sleep 0.05; done');
    while (!existsSync(path.join(work, 'up'))) await delay(20);
    inWork('init', '-q');
    await writeFile(path.join(work, 'down'), '');
    const { output } = await running;
    assert.equal(output, '');
    assert.ok(existsSync(path.join(work, '.git/HEAD')));
  });
});
