import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RUN_VARIABLE } from '../../../../../src/workspace/node/processes/processTree';
import { createCommandRecords } from '../../../../../src/workspace/node/commands/commandRecords';
import { isRunning } from '../../../../support/commands/processes';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

const runId = '11111111-2222-3333-4444-555555555555';

describe('createCommandRecords', () => {
  let folder: TemporaryFolder;
  const children: ChildProcess[] = [];

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
    await folder?.dispose();
  });

  /** A process that runs until it is ended. */
  async function startProcess(env: Readonly<Record<string, string>> = {}): Promise<number> {
    const child = spawn('sleep', ['1000'], { detached: true, env: { ...process.env, ...env }, stdio: 'ignore' });
    children.push(child);
    await once(child, 'spawn');
    return child.pid ?? 0;
  }

  /** A window that runs a command and is gone. */
  async function crash(): Promise<{ readonly pid: number }> {
    const window = spawn('sleep', ['1000'], { stdio: 'ignore' });
    await once(window, 'spawn');
    const pid = await startProcess({ [RUN_VARIABLE]: runId });
    createCommandRecords(folder.path, window.pid).started({ runId, pid, command: 'npm start', cwd: '/w' });
    const exit = once(window, 'exit');
    window.kill('SIGKILL');
    await exit;
    return { pid };
  }

  it('exist while a command runs, and report no orphans of a living window', async () => {
    const records = createCommandRecords(folder.path);
    const ended = records.started({ runId, pid: await startProcess(), command: 'npm start', cwd: '/w' });
    assert.deepEqual(await readdir(folder.path), [`${runId}.json`]);
    assert.deepEqual(await createCommandRecords(folder.path).findOrphans(), []);
    ended();
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('find the commands of a crashed window, until they are ended', async () => {
    const { pid } = await crash();
    const records = createCommandRecords(folder.path);
    const [orphan, ...more] = await records.findOrphans();
    assert.deepEqual([orphan?.command, orphan?.cwd, more], ['npm start', '/w', []]);
    // Not answered yet: it is found again.
    assert.equal((await records.findOrphans()).length, 1);
    assert.equal(await isRunning(pid), true);
    assert.deepEqual(await orphan?.end(), []);
    assert.equal(await isRunning(pid), false);
    assert.deepEqual([await records.findOrphans(), await readdir(folder.path)], [[], []]);
  });

  it('forget a command that should stay running', async () => {
    const { pid } = await crash();
    const records = createCommandRecords(folder.path);
    (await records.findOrphans())[0]?.forget();
    assert.deepEqual([await records.findOrphans(), await isRunning(pid)], [[], true]);
  });

  it('find a process by its variable when the first process has ended', async () => {
    await crash();
    const file = path.join(folder.path, `${runId}.json`);
    const record: { leader: { pid: number } } = JSON.parse(await readFile(file, 'utf8'));
    record.leader.pid = 4_000_000;
    await writeFile(file, JSON.stringify(record));
    assert.equal((await createCommandRecords(folder.path).findOrphans()).length, 1);
  });

  it('do not report another process that reuses a recorded pid', async () => {
    await crash();
    const stranger = await startProcess();
    const file = path.join(folder.path, `${runId}.json`);
    const record: { runId: string; leader: unknown } = JSON.parse(await readFile(file, 'utf8'));
    record.leader = { pid: stranger, startedAt: '1' };
    record.runId = 'another-run';
    await writeFile(file, JSON.stringify(record));
    assert.deepEqual(await createCommandRecords(folder.path).findOrphans(), []);
    assert.equal(await isRunning(stranger), true);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('skip damaged records', async () => {
    await writeFile(path.join(folder.path, 'torn.json'), '{"version":1,"runId":"');
    assert.deepEqual(await createCommandRecords(folder.path).findOrphans(), []);
    assert.deepEqual(await readdir(folder.path), []);
  });
});
