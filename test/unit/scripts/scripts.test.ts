import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findOnPath } from '../../../scripts/findOnPath';
import { projectRoot } from '../../../scripts/projectRoot';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

interface Outcome {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, [...args], { cwd: projectRoot, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

const runScript = (name: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome> =>
  run(process.execPath, ['--import', 'tsx', path.join(projectRoot, 'scripts', name), ...args], env);

describe('the scripts', () => {
  it('change nothing if an argument is unknown', async () => {
    const page = path.join(projectRoot, 'docs/settings.md');
    const before = await readFile(page, 'utf8');
    const docs = await runScript('settingsPage.ts', ['--help']);
    assert.deepEqual([docs.code, docs.stdout], [2, '']);
    assert.match(docs.stderr, /Usage: npm run docs/);
    assert.equal(await readFile(page, 'utf8'), before);
    const packed = await runScript('package.ts', ['--help']);
    assert.equal(packed.code, 2);
    assert.match(packed.stderr, /Usage: npm run package/);
  });

  it('end with a failure in the counts of npm test if it breaks off', async () => {
    // The runner cannot make its folder.
    const preload = `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      fs.mkdtempSync = () => { throw new Error('The disk is full.'); };
      syncBuiltinESMExports();`;
    const env = { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` };
    const { code, stdout, stderr } = await runScript('test.ts', ['--only', 'knip'], env);
    assert.match(stderr, /The disk is full\./);
    assert.deepEqual([code, stdout.trimEnd().split('\n').at(-1)], [1, '0 passed, 1 failed']);
  });
});

describe('.ci/run', () => {
  /** Runs it with fakes for all programs that it uses. `npm` is the text of a shell script. */
  async function runCi(npm: string, others: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    await using folder = await createTemporaryFolder();
    const fakes = {
      npm,
      uname: 'echo Linux',
      id: 'echo 0',
      'fc-list': 'echo font',
      ...Object.fromEntries(
        ['chromium', 'python3', 'make', 'g++', 'git', 'bwrap', 'busybox'].map((name) => [name, '']),
      ),
      ...others,
    };
    for (const [name, text] of Object.entries(fakes)) {
      if (text === 'missing') continue;
      await writeFile(path.join(folder.path, name), `#!/bin/sh\n${text}\n`);
      await chmod(path.join(folder.path, name), 0o755);
    }
    for (const name of ['dirname', 'mktemp', 'rm', 'tail', 'tee']) {
      await symlink(findOnPath(name) ?? assert.fail(name), path.join(folder.path, name));
    }
    const bash = findOnPath('bash') ?? assert.fail('bash');
    return await run(bash, [path.join(projectRoot, '.ci/run')], { PATH: folder.path, TMPDIR: folder.path });
  }

  const endOf = ({ code, stdout }: Outcome) => [code, stdout.trimEnd().split('\n').at(-1)];

  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  it('ends with the counts of npm test, and with its result', async () => {
    const skipped = '12 passed, 0 failed, 1 skipped';
    assert.deepEqual(endOf(await runCi(`echo "${skipped}"`)), [0, skipped]);
    assert.deepEqual(endOf(await runCi('echo "12 passed, 3 failed"; exit 1')), [1, '12 passed, 3 failed']);
  });

  it('ends with a failure if npm test broke off, or its code and its counts differ', async () => {
    for (const npm of [
      'echo "This project needs Node.js 20.19 or later." >&2; exit 1',
      'echo "npm ci failed"; exit 1',
      'echo "12 passed"; kill -9 $$',
      'echo "12 passed, 0 failed"; exit 1',
      'echo "0 passed, 0 failed"',
      'exit 0',
    ]) {
      assert.deepEqual(endOf(await runCi(npm)), [1, '0 passed, 1 failed'], npm);
    }
    assert.deepEqual(endOf(await runCi('echo "12 passed, 3 failed"')), [1, '12 passed, 3 failed']);
  });

  it('installs the browser without a user interface where the system has it', async () => {
    const npm = 'echo "1 passed, 0 failed"';
    for (const [aptCache, browser] of [
      ['', 'chromium-headless-shell'],
      ['exit 100', 'chromium'],
    ] as const) {
      const { stderr } = await runCi(npm, { chromium: 'missing', 'apt-cache': aptCache, 'apt-get': 'echo "$@" >&2' });
      assert.match(stderr, new RegExp(` ${browser}$`, 'm'));
    }
  });

  it('says when missing packages cannot be installed', async () => {
    const npm = 'echo "1 passed, 0 failed"';
    const failed = await runCi(npm, { bwrap: 'missing', 'apt-get': 'echo "No connection" >&2; exit 100' });
    assert.match(failed.stdout, /^Installing bubblewrap \.\.\.\napt-get failed, for the reason above\./);
    const noRoot = await runCi(npm, { bwrap: 'missing', 'apt-get': '', id: 'echo 1000' });
    assert.match(noRoot.stdout, /^Installing bubblewrap \.\.\.\nNot installed, because this needs root and apt-get\./);
  });
});
