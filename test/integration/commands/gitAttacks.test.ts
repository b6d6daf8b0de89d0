import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, copyFile, link, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createNodeCommandRunner } from '../../../src/workspace/node/commands/nodeCommandRunner';
import { isReadingProtected } from '../../../src/workspace/paths/protectedPaths';
import { assessCommand } from '../../../src/workspace/shell/assessCommand';
import type { CommandAssessment } from '../../../src/workspace/shell/commandAssessment';
import { parseRule, type CommandRule } from '../../../src/workspace/shell/commandRules';
import type { FlagTable } from '../../../src/workspace/shell/allowedUnasked/flags';
import { gitProfile, gitTables } from '../../../src/workspace/shell/allowedUnasked/gitProfile';
import { commandPlan, commandWorld } from '../../support/commands/commandWorld';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

/** Each repository writes a file `p` into the workspace when git runs in it without protection. */
describe('a git repository that attacks', () => {
  let folder: TemporaryFolder;
  let repository: string;

  beforeEach(async () => {
    folder = await createTemporaryFolder({ 'home/.gitconfig': '[user]\n\tname = a\n\temail = a@b\n' });
    repository = path.join(folder.path, 'w');
    await mkdir(repository);
    git('init', '-q');
    await write('a.txt', 'one\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    await write('a.txt', 'two\n');
  });
  afterEach(() => folder.dispose());

  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    HOME: path.join(folder.path, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
  });

  function git(...args: readonly string[]): string {
    return execFileSync('git', args, {
      cwd: repository,
      env: environment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  async function write(file: string, text: string): Promise<string> {
    const absolute = path.join(repository, file);
    await mkdir(path.dirname(absolute), { recursive: true });
    await writeFile(absolute, text);
    return absolute;
  }

  /** A program that creates `p` and passes on its input. */
  async function payload(file = '.git/payload'): Promise<string> {
    const program = await write(file, `#!/bin/sh\ntouch ${path.join(folder.path, 'p')}\ncat\n`);
    await chmod(program, 0o755);
    return program;
  }

  async function isHit(): Promise<boolean> {
    return (await readdir(folder.path)).includes('p');
  }

  function assess(command: string, rules: readonly CommandRule[] = [], cwd = repository): Promise<CommandAssessment> {
    return assessCommand(commandPlan(command, cwd), rules, commandWorld(repository, environment()));
  }

  /** Runs an allowed command and returns its output. */
  async function run(command: string, assessment: CommandAssessment, cwd = repository): Promise<string> {
    const runner = createNodeCommandRunner({ environment: environment() });
    const outcome = await runner.run(
      { command, cwd, timeoutMs: 60_000, environment: assessment.environment },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
    return outcome.output;
  }

  function allow(text: string): CommandRule {
    const parsed = parseRule(text, { effect: 'allow', origin: 'user' });
    return parsed.ok ? parsed.rule : assert.fail(parsed.error);
  }

  const READING = ['git status', 'git diff', 'git log -p', 'git show', 'git blame a.txt'];

  it('asks about a rule for git in another folder, where the configuration names a program', async () => {
    await write('sub/a.txt', 'one\n');
    execFileSync('git', ['init', '-q'], { cwd: path.join(repository, 'sub') });
    const commands = [
      'git -C sub commit -qm x',
      'git --no-pager -C sub commit -qm x',
      'git -C . -C sub commit -qm x',
      'timeout 5 git -C sub commit -qm x',
    ];
    const actions = async (): Promise<readonly string[]> =>
      Promise.all(commands.map(async (command) => (await assess(command, [allow(command)])).action));
    assert.deepEqual(await actions(), ['allow', 'allow', 'allow', 'allow']);
    git('-C', 'sub', 'config', 'core.editor', await payload());
    assert.deepEqual(await actions(), ['ask', 'ask', 'ask', 'ask']);
  });

  it('asks about a rule for git with a repository that cannot be looked at', async () => {
    await mkdir(path.join(repository, 'sub'));
    for (const command of [
      'git --git-dir=x/.git commit -qm x',
      'git --git-dir x/.git --work-tree . commit -qm x',
      'git --exec-path=bin commit -qm x',
      'git -C sub/../x commit -qm x',
      'git -C none commit -qm x',
    ])
      assert.equal((await assess(command, [allow(command)])).action, 'ask', command);
  });

  it('asks before it shows a reflog that names an address with a password', async () => {
    const commands = ['git reflog', 'git reflog -5', 'git log -g --oneline', 'git show -g', 'git stash list'];
    for (const command of commands) assert.equal((await assess(command)).action, 'allow', command);
    const head = git('rev-parse', 'HEAD').trim();
    git('update-ref', '--create-reflog', '-m', 'pull https://u:secret@example.com/x.git: ff', 'refs/heads/other', head);
    for (const command of commands) assert.equal((await assess(command)).action, 'ask', command);
    assert.equal((await assess('git log --oneline')).action, 'allow');
  });

  it('does not include an ordinary repository, which is read without a question', async () => {
    for (const command of [...READING, 'git branch', 'git rev-parse HEAD', 'git ls-files']) {
      const assessment = await assess(command);
      assert.equal(assessment.action, 'allow', `${command}: ${assessment.reason}`);
      assert.equal(assessment.runsWorkspaceCode, false);
      assert.notEqual(await run(command, assessment), '');
    }
  });

  const settings: readonly [string, (program: string) => readonly (readonly string[])[]][] = [
    ['a file-system monitor', (program) => [['core.fsmonitor', program]]],
    ['a hooks folder', (program) => [['core.hooksPath', path.dirname(program)]]],
    ['a pager', (program) => [['core.pager', program]]],
    ['a pager for one command', (program) => [['pager.status', program]]],
    ['an external diff', (program) => [['diff.external', program]]],
    ['a diff driver', (program) => [['diff.x.command', program]]],
    ['a text conversion', (program) => [['diff.x.textconv', program]]],
    ['a clean filter', (program) => [['filter.x.clean', program]]],
    ['a process filter', (program) => [['filter.x.process', program]]],
    ['a merge driver', (program) => [['merge.x.driver', program]]],
    ['an alias', (program) => [['alias.st', `!${program}`]]],
    [
      'a signature program',
      (program) => [
        ['gpg.program', program],
        ['log.showSignature', 'true'],
      ],
    ],
    ['an ssh command', (program) => [['core.sshCommand', program]]],
    ['a credential helper', (program) => [['credential.helper', `!${program}`]]],
    ['a credential helper for one host', (program) => [['credential.https://a.helper', `!${program}`]]],
    ['an editor', (program) => [['core.editor', program]]],
    ['an included file', () => [['include.path', '../evil.inc']]],
    ['a conditionally included file', () => [['includeIf.gitdir:/.path', '../evil.inc']]],
    ['another work tree', () => [['core.worktree', '/']]],
    ['a lazily filled repository', () => [['remote.origin.promisor', 'true']]],
    ['a remote that is a program', (program) => [['remote.origin.url', `ext::${program}`]]],
    ['an upload program', (program) => [['remote.origin.uploadpack', program]]],
    ['a program that names objects', (program) => [['gc.recentObjectsHook', program]]],
    ['an address with a password in the place of a remote', () => [['branch.main.remote', 'https://a:b@c/d']]],
    ['an attributes file', () => [['core.attributesFile', '/x']]],
    ['a setting nobody knows yet', () => [['core.somethingNew', 'x']]],
  ];
  for (const [name, entries] of settings) {
    it(`asks because of ${name}, and runs nothing before`, async () => {
      const program = await payload();
      await write('.gitattributes', '* diff=x filter=x merge=x\n');
      for (const [key = '', value = ''] of entries(program)) git('config', key, value);
      await write('evil.inc', `[core]\n\tfsmonitor = ${program}\n`);
      await write('a.txt', 'three\n');
      for (const command of READING) {
        const assessment = await assess(command);
        assert.equal(assessment.action, 'ask', command);
        assert.match(assessment.reason, /the repository's configuration sets/);
        assert.equal(assessment.remember.ok, false);
      }
      assert.equal((await assess('git fetch origin', [allow('git fetch origin')])).action, 'ask');
      // Inspecting the repository ran nothing.
      assert.equal(await isHit(), false);
    });
  }

  it('runs no hook', async () => {
    for (const hook of ['post-index-change', 'pre-commit', 'post-commit', 'reference-transaction', 'pre-auto-gc']) {
      await payload(`.git/hooks/${hook}`);
    }
    const commit = "git commit -am 'second'";
    for (const command of [...READING, commit]) {
      const assessment = await assess(command, [allow(commit)]);
      assert.equal(assessment.action, 'allow', assessment.reason);
      assert.equal(assessment.runsWorkspaceCode, command === commit);
      await run(command, assessment);
    }
    assert.equal(git('log', '--format=%s').trim(), 'second\nfirst');
    assert.equal(await isHit(), false);
    // The payloads work: without protection they run.
    git('commit', '--allow-empty', '-qm', 'third');
    assert.equal(await isHit(), true);
  });

  it('does not run a file-system monitor of the user’s configuration', async () => {
    const program = await payload();
    await writeFile(path.join(folder.path, 'home/.gitconfig'), `[core]\n\tfsmonitor = ${program}\n`);
    const assessment = await assess('git status');
    assert.equal(assessment.action, 'allow', assessment.reason);
    assert.match(await run('git status', assessment), /modified/);
    assert.equal(await isHit(), false);
    git('status');
    assert.equal(await isHit(), true);
  });

  it('cannot hide its configuration in the workspace as if it were the user’s', async () => {
    const program = await payload();
    const config = await write('home.gitconfig', `[diff]\n\texternal = ${program}\n`);
    await writeFile(path.join(folder.path, 'home/.gitconfig'), `[include]\n\tpath = ${config}\n`);
    const assessment = await assess('git diff');
    assert.deepEqual([assessment.action, await isHit()], ['ask', false]);
  });

  it('asks in an embedded bare repository', async () => {
    const bare = path.join(repository, 'sub');
    execFileSync('git', ['init', '-q', '--bare', bare], { env: environment() });
    const program = await payload('sub/payload');
    execFileSync('git', ['config', '--file', path.join(bare, 'config'), 'core.worktree', repository]);
    execFileSync('git', ['config', '--file', path.join(bare, 'config'), 'core.bare', 'false']);
    execFileSync('git', ['config', '--file', path.join(bare, 'config'), 'core.fsmonitor', program]);
    const assessment = await assess('git status', [], bare);
    assert.equal(assessment.action, 'ask');
    assert.equal(await isHit(), false);
  });

  it('asks about submodules', async () => {
    const inner = path.join(repository, 'inner');
    execFileSync('git', ['init', '-q', inner], { env: environment() });
    execFileSync('git', ['commit', '--allow-empty', '-qm', 'x'], { cwd: inner, env: environment() });
    execFileSync('git', ['config', 'core.fsmonitor', await payload()], { cwd: inner });
    git('add', 'inner');
    const assessment = await assess('git status');
    assert.equal(assessment.action, 'ask');
    assert.match(assessment.reason, /submodules/);
    assert.equal(await isHit(), false);
  });

  it('asks without a repository, and in a repository that is larger than the workspace', async () => {
    await rm(path.join(repository, '.git'), { recursive: true });
    assert.equal((await assess('git status')).action, 'ask');
    execFileSync('git', ['init', '-q', folder.path], { env: environment() });
    assert.equal((await assess('git diff')).action, 'ask');
    assert.equal((await assess('git status')).action, 'allow');
  });

  it('does not show a protected file that is tracked', async () => {
    await write('.env', 'KEY=1\n');
    git('add', '-f', '.env');
    assert.equal((await assess('git diff')).action, 'ask');
    assert.match((await assess('git show HEAD:a.txt')).reason, /\.env, which is protected/);
    assert.equal((await assess('git status')).action, 'allow');
  });

  it('shows no line of a protected file with any of its options', async () => {
    await write('.env', 'SECRET=1  \n');
    git('add', '-f', '.env');
    git('commit', '-qm', 'second');
    await write('.env', 'SECRET=2  \n');
    let count = 0;
    for (const [name, operand] of [
      ['log', 'HEAD'],
      ['diff-files', '.'],
      ['diff-tree', 'HEAD'],
      ['rev-list', 'HEAD'],
      ['shortlog', 'HEAD'],
    ] as const) {
      for (const option of [[], ...optionsOf(gitTables[name]!)]) {
        const words = [name, ...option, operand];
        const call = gitProfile(words);
        assert.ok(typeof call !== 'string', words.join(' '));
        if (call.git?.showsContent === true) continue;
        count += 1;
        const { stdout } = spawnSync('git', words, { cwd: repository, env: environment(), encoding: 'utf8' });
        assert.doesNotMatch(stdout, /SECRET/, words.join(' '));
      }
    }
    console.log(`      ${count} calls`);
    assert.ok(count > 100);
  });

  describe('shows nothing of another repository', () => {
    let other: string;

    beforeEach(async () => {
      other = path.join(folder.path, 'other');
      await mkdir(other);
      const there = (...args: readonly string[]): string =>
        execFileSync('git', args, {
          cwd: other,
          env: environment(),
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        });
      there('init', '-q');
      await writeFile(path.join(other, 'plan.txt'), 'SECRET PLAN\n');
      there('add', '.');
      there('commit', '-qm', 'their first');
      const head = there('rev-parse', 'HEAD').trim();
      await write('.git/refs/heads/theirs', `${head}\n`);
    });

    const WAYS: Readonly<Record<string, (theirs: string, ours: string) => Promise<unknown>>> = {
      'that a file named .git leads to': async (theirs, ours) => {
        await rm(ours, { recursive: true });
        await writeFile(ours, `gitdir: ${theirs}\n`);
      },
      'that a link named .git leads to': async (theirs, ours) => {
        await rm(ours, { recursive: true });
        await symlink(theirs, ours);
      },
      'whose objects its list of alternates names': (theirs, ours) =>
        writeFile(path.join(ours, 'objects/info/alternates'), `${theirs}/objects\n`),
      'that is named as its common folder': async (theirs, ours) => {
        await writeFile(path.join(ours, 'commondir'), `${theirs}\n`);
      },
      'whose objects a link leads to': async (theirs, ours) => {
        await rm(path.join(ours, 'objects'), { recursive: true });
        await symlink(path.join(theirs, 'objects'), path.join(ours, 'objects'));
        const heads = path.join(ours, 'refs/heads');
        for (const name of await readdir(heads))
          if (name !== 'theirs') await copyFile(path.join(heads, 'theirs'), path.join(heads, name));
      },
      'whose single objects links lead to': async (theirs, ours) => {
        for (const name of await readdir(path.join(theirs, 'objects'))) {
          const link = path.join(ours, 'objects', name);
          if (name.length === 2) await symlink(path.join(theirs, 'objects', name), link).catch(() => {});
        }
      },
    };

    for (const [name, arrange] of Object.entries(WAYS)) {
      it(name, async () => {
        await arrange(path.join(other, '.git'), path.join(repository, '.git'));
        // It would be shown.
        assert.match(git('log', '-p', '--all'), /SECRET PLAN/);
        assert.equal((await assess('git log -p --all')).action, 'ask');
      });
    }

    it('but all of its own, from a work tree that it knows', async () => {
      git('worktree', 'add', '-q', '../tree', 'HEAD');
      const tree = path.join(folder.path, 'tree');
      const world = commandWorld(tree, environment());
      const assessment = await assessCommand(commandPlan('git log -p', tree), [], world);
      assert.equal(assessment.action, 'allow', assessment.reason);
      // Another folder with the same file is not the work tree that the repository knows.
      const copy = path.join(folder.path, 'copy');
      await mkdir(copy);
      await copyFile(path.join(tree, '.git'), path.join(copy, '.git'));
      const copied = await assessCommand(commandPlan('git log -p', copy), [], commandWorld(copy, environment()));
      assert.equal(copied.action, 'ask');
    });
  });

  it('does not show a secret under another name as a change', async () => {
    await write('b.txt', 'one\n');
    git('add', '.');
    git('commit', '-qm', 'second');
    const world = { ...commandWorld(repository, environment()), isProtected: isReadingProtected };
    const decide = async (command: string): Promise<string> =>
      (await assessCommand(commandPlan(command, repository), [], world)).action;
    const secret = await write('.env', 'SECRET=1\n');
    const commands = ['git diff', 'git diff HEAD', 'git -C . diff', 'git diff-files -p', 'git diff-index -p HEAD'];
    for (const command of commands) assert.equal(await decide(command), 'allow', command);
    await rm(path.join(repository, 'b.txt'));
    for (const command of commands) assert.equal(await decide(command), 'allow', command);
    await link(secret, path.join(repository, 'b.txt'));
    assert.match(git('diff'), /SECRET/);
    for (const command of commands) assert.equal(await decide(command), 'ask', command);
    assert.equal(await decide('git diff-files'), 'allow');
  });

  it('does not show lines of a file outside as patterns to ignore', async () => {
    const outside = path.join(folder.path, 'outside.txt');
    await writeFile(outside, 'SECRET*\n');
    await rm(path.join(repository, '.git/info/exclude'), { force: true });
    await mkdir(path.join(repository, '.git/info'), { recursive: true });
    await symlink(outside, path.join(repository, '.git/info/exclude'));
    assert.match(git('check-ignore', '-v', 'SECRETS'), /SECRET\*/);
    assert.equal((await assess('git check-ignore -v SECRETS')).action, 'ask');
  });

  describe('a repository in another place', () => {
    const decide = async (place: string): Promise<readonly string[]> => {
      const { action, reason } = await assessCommand(
        commandPlan('git log', place),
        [],
        commandWorld(place, environment()),
      );
      return action === 'allow' ? ['allow'] : [action, reason];
    };

    it('is used where a work tree is known by a relative path', async () => {
      git('worktree', 'add', '-q', '../relative', 'HEAD');
      const tree = path.join(folder.path, 'relative');
      const own = path.join(repository, '.git/worktrees/relative');
      await writeFile(path.join(tree, '.git'), `gitdir: ${path.relative(tree, own)}\n`);
      await writeFile(path.join(own, 'gitdir'), `${path.relative(own, path.join(tree, '.git'))}\n`);
      git('config', 'extensions.relativeWorktrees', 'true');
      assert.deepEqual(await decide(tree), ['allow']);
    });

    it('is used where its configuration, out of reach of the workspace, names the work tree', async () => {
      const real = path.join(folder.path, 'real');
      const tree = path.join(folder.path, 'separate');
      execFileSync('git', ['init', '-q', '--separate-git-dir', real, tree], { env: environment() });
      assert.match((await decide(tree))[1] ?? '', /in another place/);
      execFileSync('git', ['config', '--file', path.join(real, 'config'), 'core.worktree', '../separate']);
      assert.deepEqual(await decide(tree), ['allow']);
      // A folder that a hostile `.git` file leads there is not the one that is named.
      const copy = path.join(folder.path, 'stolen');
      await mkdir(copy);
      await copyFile(path.join(tree, '.git'), path.join(copy, '.git'));
      assert.equal((await decide(copy))[0], 'ask');
      execFileSync('git', ['config', '--file', path.join(real, 'config'), 'core.worktree', folder.path]);
      assert.equal((await decide(tree))[0], 'ask');
    });
  });

  it('searches its work tree with git grep, but not through a link in the place of a folder, nor another name of a secret', async () => {
    await write('src/notes.txt', 'ordinary words\n');
    await write('src/more.txt', 'more words\n');
    git('add', '.');
    const world = { ...commandWorld(repository, environment()), isProtected: isReadingProtected };
    const decide = async (): Promise<string> =>
      (await assessCommand(commandPlan('git grep -n words', repository), [], world)).action;
    assert.equal(await decide(), 'allow');
    await write('.env', 'SECRET words\n');
    await rm(path.join(repository, 'src/more.txt'));
    await link(path.join(repository, '.env'), path.join(repository, 'src/more.txt'));
    assert.match(git('grep', 'words'), /SECRET/);
    assert.equal(await decide(), 'ask');
    await rm(path.join(repository, 'src/more.txt'));
    await symlink('../.env', path.join(repository, 'src/more.txt'));
    assert.doesNotMatch(git('grep', 'words'), /SECRET/);
    assert.equal(await decide(), 'allow');
    await rm(path.join(repository, 'src'), { recursive: true });
    await mkdir(path.join(folder.path, 'elsewhere'));
    await writeFile(path.join(folder.path, 'elsewhere/notes.txt'), 'SECRET words\n');
    await symlink('../elsewhere', path.join(repository, 'src'));
    assert.match(git('grep', 'words'), /SECRET/);
    assert.equal(await decide(), 'ask');
  });

  it('ignores repositories that the environment names', async () => {
    const assessment = await assessCommand(
      commandPlan('git rev-parse --absolute-git-dir', repository),
      [],
      commandWorld(repository, { ...environment(), GIT_DIR: '/evil', GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='x'" }),
    );
    assert.equal(assessment.action, 'allow', assessment.reason);
    const runner = createNodeCommandRunner({ environment: { ...environment(), GIT_DIR: '/evil' } });
    const outcome = await runner.run(
      {
        command: 'git rev-parse --absolute-git-dir',
        cwd: repository,
        timeoutMs: 60_000,
        environment: assessment.environment,
      },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
    assert.equal(outcome.output.trim(), path.join(repository, '.git'));
  });
});

/** Each option of a table once, with a value where it needs one. */
function optionsOf({ short = '', long = '', values = {}, optional = {} }: FlagTable): readonly (readonly string[])[] {
  const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);
  const names = (table: object): readonly string[] => Object.keys(table).flatMap((key) => key.split(' '));
  return [
    ...[...short, ...long.split(' ').filter(Boolean), ...names(optional)].map((name) => [dashed(name)]),
    ...names(values).map((name) => (name.length === 1 ? [dashed(name), '1'] : [`${dashed(name)}=1`])),
  ];
}
