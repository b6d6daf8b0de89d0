import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assessCommand } from '../../../src/workspace/shell/assessCommand';
import type { CommandAssessment } from '../../../src/workspace/shell/commandAssessment';
import { parseRule, type CommandRule } from '../../../src/workspace/shell/commandRules';
import { findRipgrepOnPath } from '../../../src/workspace/node/search/ripgrep/findRipgrep';
import { commandPlan, commandWorld } from '../../support/commands/commandWorld';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

/** A shim as asdf writes it, in short: it runs what `.tool-versions` of the current folder names. */
const SHIM = `#!/bin/sh
program=$(basename "$0")
folder=$(sed -n "s/^$program path://p" .tool-versions)
exec "$folder/bin/$program" "$@"
`;

describe('programs that a version manager starts', () => {
  let outer: TemporaryFolder;
  let folder: string;
  let environment: NodeJS.ProcessEnv;

  const mark = (): string => path.join(outer.path, 'has-run');
  const assess = (command: string, ...rules: readonly CommandRule[]): Promise<CommandAssessment> =>
    assessCommand(commandPlan(command, folder), rules, commandWorld(folder, environment));
  const allow = (text: string): CommandRule => {
    const parsed = parseRule(text, { effect: 'allow', origin: 'user' });
    return parsed.ok ? parsed.rule : assert.fail(parsed.error);
  };

  before(async function () {
    if (process.platform === 'win32') this.skip();
    outer = await createTemporaryFolder({ 'w/a.txt': 'x', 'home/manager/mise': '#!/bin/sh\n' });
    folder = path.join(outer.path, 'w');
    const shims = path.join(outer.path, 'home/.asdf/shims');
    await mkdir(shims, { recursive: true });
    const lines: string[] = [];
    for (const program of ['node', 'python3', 'rg', 'git']) {
      await writeFile(path.join(shims, program), SHIM, { mode: 0o755 });
      await mkdir(path.join(folder, 'evil/bin'), { recursive: true });
      await writeFile(path.join(folder, 'evil/bin', program), `#!/bin/sh\ntouch ${mark()}\n`, { mode: 0o755 });
      lines.push(`${program} path:${folder}/evil`);
    }
    await writeFile(path.join(folder, '.tool-versions'), `${lines.join('\n')}\n`);
    environment = { ...process.env, PATH: `${shims}:${process.env['PATH'] ?? ''}` };
  });
  after(() => outer?.dispose());

  it('are a danger: the shim of this test runs code of the workspace', async () => {
    execFileSync('node', ['--version'], { cwd: folder, env: environment });
    assert.equal(existsSync(mark()), true);
    await rm(mark());
  });

  for (const command of [
    'node --version',
    'python3 --version',
    'rg x',
    'cat a.txt && node -v',
    'git status',
    'git log',
  ]) {
    it(`ask: ${command}`, async () => {
      const { action, reason, remember } = await assess(command);
      assert.equal(action, 'ask');
      assert.match(reason, /^Asks because a version manager starts `\w+`, so files of the folder decide what runs\.$/);
      assert.equal(remember.ok && remember.calls.length, 1);
      assert.equal(existsSync(mark()), false, 'nothing has run to find out');
    });
  }

  it('run when a rule names them, as code of the workspace', async () => {
    const assessment = await assess('node --version', allow('node --version'));
    assert.deepEqual([assessment.action, assessment.runsWorkspaceCode], ['allow', true]);
  });

  it('ask when a link leads to the manager', async () => {
    const bin = path.join(outer.path, 'bin');
    await mkdir(bin);
    await chmod(path.join(outer.path, 'home/manager/mise'), 0o755);
    await symlink(path.join(outer.path, 'home/manager/mise'), path.join(bin, 'node'));
    const world = commandWorld(folder, { ...environment, PATH: bin });
    assert.equal((await assessCommand(commandPlan('node -v', folder), [], world)).action, 'ask');
  });

  it('are not used for the search of files', async () => {
    const shims = path.join(outer.path, 'home/.asdf/shims');
    const world = commandWorld(folder, { ...environment, PATH: shims });
    assert.equal(await findRipgrepOnPath(world, [folder]), undefined);
  });

  describe('that only knows numbers', () => {
    const inside = async (versions: Readonly<Record<string, string>>, cwd: string): Promise<string> => {
      const made = await createTemporaryFolder({
        'home/.pyenv/shims/python3': SHIM,
        'w/sub/a.txt': 'x',
        ...versions,
      });
      try {
        await chmod(path.join(made.path, 'home/.pyenv/shims/python3'), 0o755);
        const world = commandWorld(path.join(made.path, 'w'), { PATH: path.join(made.path, 'home/.pyenv/shims') });
        return (await assessCommand(commandPlan('python3 --version', path.join(made.path, cwd)), [], world)).action;
      } finally {
        await made.dispose();
      }
    };

    it('run where the workspace names installed versions or none', async () => {
      assert.equal(await inside({}, 'w'), 'allow');
      assert.equal(await inside({ 'w/.python-version': '3.12.1\n3.11-dev\n' }, 'w/sub'), 'allow');
      assert.equal(await inside({ '.python-version': '../evil\n' }, 'w'), 'allow', 'the file of the person');
    });

    it('ask where it names a path, or something that cannot be read', async () => {
      for (const text of ['../evil\n', '/w/evil', '3.12/../../evil', '3.12\n..\n', 'x'.repeat(3_000), 'a\0b']) {
        assert.equal(await inside({ 'w/.python-version': text }, 'w'), 'ask', JSON.stringify(text));
        assert.equal(await inside({ 'w/.python-version': text }, 'w/sub'), 'ask');
      }
      assert.equal(await inside({ 'w/.node-version/a': 'x' }, 'w'), 'ask');
    });
  });

  it('leave other programs alone', async () => {
    assert.equal((await assess('cat a.txt')).action, 'allow');
  });
});
