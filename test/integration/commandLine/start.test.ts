import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, watch } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { ModelServer } from '../../support/servers/modelServer';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';
import type { TemporaryFolder } from '../../support/files/temporaryFolder';

/**
 * A fake launcher of a desktop editor. Like the real one, it starts the editor outside its own process group,
 * the editor leaves its process id in the profile, and `--wait` keeps the launcher until the editor is gone.
 */
const launcher = `#!/usr/bin/env node
const { spawn } = require('node:child_process');
const { renameSync, writeFileSync } = require('node:fs');
const profile = process.argv.find((arg) => arg.startsWith('--user-data-dir=')).slice('--user-data-dir='.length);
const write = (name, text) => {
  writeFileSync(profile + '/new', text);
  renameSync(profile + '/new', profile + '/' + name);
};
if (process.argv.includes('--editor')) {
  process.on('SIGTERM', () => {
    write('ended', '');
    process.exit();
  });
  process.send('ready');
  if (!process.env.FAKE_EDITOR_CLOSES) setInterval(() => {}, 1000);
  else process.disconnect();
} else {
  const args = [__filename, '--editor', '--user-data-dir=' + profile];
  const editor = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  editor.on('message', () => {
    write('code.lock', String(editor.pid));
    write('arguments.json', JSON.stringify(process.argv.slice(2)));
  });
  editor.on('exit', () => process.exit(0));
}
`;

/** Resolves when a file of this name appears in a folder. Starts to watch at once. */
async function appears(folder: string, name: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename === name) return;
}

describe('npm start with a desktop editor', () => {
  let server: ModelServer;
  let folder: TemporaryFolder;
  let profile: string;

  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  beforeEach(async () => {
    server = await ModelServer.start();
    folder = await createTemporaryFolder({ 'bin/code': launcher, 'start/desktop/.keep': '' });
    await chmod(path.join(folder.path, 'bin', 'code'), 0o755);
    profile = path.join(folder.path, 'start', 'desktop');
  });

  afterEach(async () => {
    await server.dispose();
    await folder.dispose();
  });

  function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(
      process.execPath,
      ['scripts/bootstrap.mjs', 'scripts/start.ts', '--no-build', '--base-url', server.baseUrl, ...args],
      {
        cwd: projectRoot,
        env: {
          ...process.env,
          PATH: `${path.join(folder.path, 'bin')}${path.delimiter}${process.env['PATH']}`,
          DISPLAY: ':0',
          OPEN_AGENT_START_FOLDER: path.join(folder.path, 'start'),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
  }

  function printed(child: ChildProcess, text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      let output = '';
      child.stdout?.on('data', (chunk) => {
        output += String(chunk);
        if (output.includes(text)) resolve();
      });
      child.stdout?.on('end', () => reject(new Error(`It ended without "${text}":\n${output}`)));
    });
  }

  it('opens a fresh copy of the sample with a separate profile, and ends the editor when it ends', async () => {
    const opened = appears(profile, 'arguments.json');
    const child = start([]);
    const exit = once(child, 'exit');
    await printed(child, 'Ctrl+C ends');
    await opened;
    const sample = path.join(folder.path, 'start', 'corner-shop');
    assert.deepEqual(JSON.parse(await readFile(path.join(profile, 'arguments.json'), 'utf8')), [
      '--new-window',
      '--wait',
      `--extensionDevelopmentPath=${projectRoot}`,
      `--user-data-dir=${profile}`,
      `--extensions-dir=${path.join(folder.path, 'start', 'desktop-extensions')}`,
      '--disable-workspace-trust',
      sample,
    ]);
    const settings = JSON.parse(await readFile(path.join(profile, 'User', 'settings.json'), 'utf8')) as object;
    assert.equal((settings as Record<string, unknown>)['openAgent.baseUrl'], server.baseUrl);
    assert.equal(
      await readFile(path.join(sample, 'src', 'cart.js'), 'utf8'),
      await readFile(path.join(projectRoot, 'examples', 'sample-workspace', 'src', 'cart.js'), 'utf8'),
    );

    const ended = appears(profile, 'ended');
    child.kill('SIGTERM');
    assert.deepEqual(await exit, [143, null]);
    await ended;
  });

  it('ends with 0 when the person closes the editor', async () => {
    const [code] = (await once(start([], { FAKE_EDITOR_CLOSES: '1' }), 'exit')) as [number];
    assert.equal(code, 0);
  });

  it("asks about trust for the person's folder, and reports a missing folder", async () => {
    const child = start(['--workspace', folder.path], { FAKE_EDITOR_CLOSES: '1' });
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    const args = JSON.parse(await readFile(path.join(profile, 'arguments.json'), 'utf8')) as string[];
    assert.equal(args.includes('--disable-workspace-trust'), false);
    assert.equal(args.at(-1), folder.path);

    const missing = start(['--workspace', path.join(folder.path, 'none')]);
    missing.stdout?.resume();
    let errors = '';
    missing.stderr?.on('data', (chunk) => (errors += String(chunk)));
    assert.deepEqual(await once(missing, 'close'), [1, null]);
    assert.match(errors, /--workspace names ".*none", and there is no such folder\./);
  });
});
