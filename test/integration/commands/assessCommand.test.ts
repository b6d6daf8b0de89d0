import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCommandAssessor } from '../../../src/agent/approval/commandAssessor';
import { bundledGrammars } from '../../../src/workspace/shell/parse/bundledGrammars';
import { createNodeCommandWorld } from '../../../src/workspace/node/commands/nodeCommandWorld';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { assessCommand } from '../../../src/workspace/shell/assessCommand';
import type { CommandRule } from '../../../src/workspace/shell/commandRules';
import { parseRule } from '../../../src/workspace/shell/commandRules';
import { createNodeFileSystem } from '../../../src/workspace/node/files/nodeFileSystem';
import { findGitProblem, gitEnvironment } from '../../../src/workspace/shell/gitSafety';
import { commandPlan, commandWorld } from '../../support/commands/commandWorld';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

describe('assessCommand on a real folder', () => {
  let outer: TemporaryFolder;
  let folder: string;

  before(async () => {
    outer = await createTemporaryFolder({
      'outside.txt': 'x',
      'w/a.txt': 'x',
      'w/my dir/b.txt': 'x',
      'w/.env': 'KEY=1',
      'w/deep/er/c.txt': 'x',
    });
    folder = path.join(outer.path, 'w');
    await symlink('../outside.txt', path.join(folder, 'link'));
    await symlink('.env', path.join(folder, 'innocent.txt'));
    await symlink('..', path.join(folder, 'up'));
    await symlink('deep/er', path.join(folder, 'inner'));
  });
  after(() => outer.dispose());

  function allow(text: string): CommandRule {
    const parsed = parseRule(text, { effect: 'allow', origin: 'user' });
    return parsed.ok ? parsed.rule : assert.fail(parsed.error);
  }

  const allowed = [
    'ls',
    'ls .',
    'ls "my dir"',
    'cat a.txt',
    "cat './my dir/b.txt'",
    'cat no-such-file',
    'ls -la | head -5',
    'echo /etc/passwd',
    'grep x a.txt',
    'grep -rn x "my dir"',
    'diff "my dir" "my dir"',
    'ls\n',
    "cd 'my dir'",
    "cd 'my dir' && cat b.txt",
    "cd 'my dir' && cat ../a.txt | head -5",
    'cd inner && cat c.txt',
    'cat café.txt',
    'command -v node',
    'wc -l < a.txt',
    'LC_ALL=C sort < "my dir/b.txt"',
    'timeout 5 cat a.txt',
    'cat a.txt; echo "exit: $? in $PWD"',
  ];
  for (const command of allowed) {
    it(`allows ${command}`, async () => {
      const assessment = await assessCommand(commandPlan(command, folder), [], commandWorld(folder));
      assert.deepEqual([assessment.action, assessment.environment], ['allow', {}], assessment.reason);
    });
  }

  it('allows absolute paths inside the workspace', async () => {
    const assessment = await assessCommand(commandPlan(`cat ${folder}/a.txt`, folder), [], commandWorld(folder));
    assert.equal(assessment.action, 'allow', assessment.reason);
  });

  it('runs the commands of a loop and of a group in their place', async () => {
    const rows = [
      ['for f in a.txt inner/c.txt; do head -1 "$f"; done', '{ head -1 "a.txt"; head -1 "inner/c.txt"; }'],
      ['for f in *.txt deep/*; do echo $f; done', undefined],
      ['for f in a*; do wc -l < $f; done', 'wc -l < a.txt'],
      ['(cd deep/er && cat *.txt)', 'cd deep/er && cat c.txt'],
      ["cd 'my dir' && ls || cat b.txt; ls", "cd 'my dir' && { ls || cat b.txt; ls; }"],
      ['cd deep; ls', 'cd deep && { ls; }'],
    ] as const;
    for (const [command, expanded] of rows) {
      const assessment = await assessCommand(commandPlan(command, folder), [], commandWorld(folder));
      assert.equal(assessment.action, 'allow', assessment.reason);
      if (expanded !== undefined) assert.equal(assessment.expanded, expanded);
    }
    for (const command of ['for f in inn*; do cat $f; done', 'for f in .e*; do cat $f; done', '(cat link)'])
      assert.equal(
        (await assessCommand(commandPlan(command, folder), [], commandWorld(folder))).action,
        'ask',
        command,
      );
  });

  it('spells nothing out for the sake of a rule', async () => {
    for (const command of ['for f in a; do npm test; done', '(npm test)', 'if npm test; then ls; fi', '! npm test'])
      assert.equal(
        (await assessCommand(commandPlan(command, folder), [allow('npm test')], commandWorld(folder))).action,
        'ask',
      );
  });

  it('holds a restricting rule for what a loop or a group runs', async () => {
    for (const effect of ['deny', 'ask'] as const) {
      const parsed = parseRule('cat a.txt', { effect, origin: 'user' });
      const rules = [parsed.ok ? parsed.rule : assert.fail(parsed.error)];
      for (const command of ['for f in a*; do cat $f; done', 'for c in cat; do $c a.txt; done', '(cat a*)']) {
        const { action, rule } = await assessCommand(commandPlan(command, folder), rules, commandWorld(folder));
        assert.deepEqual([action, rule], [effect, rules[0]], command);
      }
    }
  });

  it('asks where `timeout` would start a program of the workspace', async () => {
    const bin = path.join(folder, 'bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'wc'), '#!/bin/sh\n');
    await chmod(path.join(bin, 'wc'), 0o755);
    const world = commandWorld(folder, { ...process.env, PATH: `${bin}:${process.env['PATH']}` });
    const { action, reason } = await assessCommand(commandPlan('timeout 5 wc -l a.txt', folder), [], world);
    assert.equal(action, 'ask');
    assert.match(reason, /in the workspace/);
  });

  const asking: readonly [string, RegExp][] = [
    ['wc -l < link', /outside the workspace/],
    ['wc -l < innocent.txt', /protected/],
    ['cat < .env', /protected/],
    ['git -C up status', /outside the workspace/],
    ['git -C .. status', /outside the workspace/],
    ['cat /etc/passwd', /outside the workspace/],
    ['cat ../outside.txt', /outside the workspace/],
    ['cat link', /outside the workspace/],
    ['ls ..', /outside the workspace/],
    ['ls up', /outside the workspace/],
    ['cat up/../w/a.txt', /goes into a folder and out again/],
    ['cat "my dir/../a.txt"', /goes into a folder and out again/],
    ['cat "~/x"', /starts with ~/],
    ['cat .env', /is protected/],
    ['cat innocent.txt', /is protected/],
    ['head -1 a.txt .env', /is protected/],
    ['ls && cat .env', /is protected/],
    ['cat /proc/self/environ', /not a file to work on/],
    ['cat /dev/stdin', /not a file to work on/],
    ['git status', /git/],
    ['grep -r x', /`\.` contains \.env, which is protected/],
    ['grep -rn x .', /`\.` contains \.env, which is protected/],
    ['diff . "my dir"', /`\.` contains \.env, which is protected/],
    ['cd /etc && ls', /outside the workspace/],
    ['cd up && ls', /outside the workspace/],
    ['cd nowhere && ls', /is not a folder/],
    ['cd a.txt && ls', /is not a folder/],
    ["cd 'my dir' && cat ../.env", /is protected/],
    ["cd 'my dir' && cat ../../outside.txt", /outside the workspace/],
    ['cd inner && cat ../../../outside.txt', /outside the workspace/],
    ["cd 'my dir' && ls || cat ../../outside.txt", /would also run if `cd` failed/],
    ["cd 'my dir' && ls; ls ../..", /would also run if `cd` failed/],
  ];
  for (const [command, reason] of asking) {
    it(`asks about ${command}, and remembers nothing`, async () => {
      const assessment = await assessCommand(commandPlan(command, folder), [], commandWorld(folder));
      assert.equal(assessment.action, 'ask');
      assert.match(assessment.reason, reason);
      assert.equal(assessment.remember.ok, false);
    });
  }

  it('asks about a protected file even if a rule allows the command', async () => {
    const assessment = await assessCommand(commandPlan('cat .env', folder), [allow('cat *')], commandWorld(folder));
    assert.equal(assessment.action, 'ask');
  });

  it('asks when PATH leads a known name into the workspace', async () => {
    const bin = path.join(folder, 'node_modules/.bin');
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, 'ls'), '#!/bin/sh\n');
    await chmod(path.join(bin, 'ls'), 0o755);
    for (const searchPath of [`${bin}:${process.env.PATH}`, `node_modules/.bin:${process.env.PATH}`]) {
      const world = commandWorld(folder, { ...process.env, PATH: searchPath });
      const assessment = await assessCommand(commandPlan('ls', folder), [allow('ls')], world);
      assert.equal(assessment.action, 'ask', searchPath);
      assert.equal(assessment.programs[0]?.kind, 'unsafe');
    }
  });

  it('names the programs of a command that asks', async () => {
    const assessment = await assessCommand(commandPlan('echo a | sh x', folder), [], commandWorld(folder));
    assert.equal(assessment.action, 'ask');
    assert.deepEqual(
      assessment.programs.map(({ kind }) => kind),
      ['builtin', 'program'],
    );
  });

  it('does not trust a git that ignores the variables', async () => {
    const problem = await findGitProblem(
      {
        program: '/usr/bin/git',
        cwd: folder,
        rootPaths: [folder],
        isProtected: () => false,
        fileSystem: createNodeFileSystem(),
        runGit: () => Promise.resolve({ exitCode: 0, stdout: 'local\0file:.git/config\0core.bare\nfalse\0' }),
      },
      { showsContent: false },
    );
    assert.equal(problem, 'this version of git could run programs that the repository names');
  });

  it('keeps the user’s credentials for commands allowed by a rule', () => {
    const values = (isReadOnly: boolean): boolean =>
      Object.values(gitEnvironment({ isReadOnly })).includes('credential.helper');
    assert.deepEqual([values(true), values(false)], [true, false]);
  });
});

describe('the assessor of commands', () => {
  it('finds protected files by their path in the workspace, wherever the workspace is', async () => {
    await using outer = await createTemporaryFolder({ '.aws/w/a.txt': 'a\n', '.aws/w/.env': 'KEY=1\n' });
    const folder = path.join(outer.path, '.aws', 'w');
    await symlink('.env', path.join(folder, 'innocent.txt'));
    const assess = createCommandAssessor({
      grammars: bundledGrammars(),
      machine: createNodeCommandWorld(),
      ports: createNodePorts(),
      roots: () => [{ name: 'w', path: folder }],
    });
    const actions: string[] = [];
    for (const command of ['cat a.txt', 'cat .env', 'cat innocent.txt']) {
      actions.push((await assess(commandPlan(command, folder), [])).action);
    }
    assert.deepEqual(actions, ['allow', 'ask', 'ask']);
  });
});
