import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RUN_VARIABLE } from '../../../../../src/workspace/node/processes/processTree';
import { draftName } from '../../../../../src/workspace/node/files/drafts';
import { createCommandRecords } from '../../../../../src/workspace/node/commands/commandRecords';
import { isRunning } from '../../../../support/commands/processes';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

const runId = '11111111-2222-3333-4444-555555555555';
const command = { runId, command: 'npm start', cwd: '/w' };

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

  /** A window that runs a command and is gone. `isEarly`: before it could record the process. */
  async function crash(isEarly = false): Promise<{ readonly pid: number }> {
    const window = spawn('sleep', ['1000'], { stdio: 'ignore' });
    await once(window, 'spawn');
    const record = await createCommandRecords(folder.path, window.pid).starting(command);
    const pid = await startProcess({ [RUN_VARIABLE]: runId });
    if (!isEarly) record.started(pid);
    const exit = once(window, 'exit');
    window.kill('SIGKILL');
    await exit;
    return { pid };
  }

  it('exist while a command runs, and report no orphans of a living window', async () => {
    const records = createCommandRecords(folder.path);
    const record = await records.starting(command);
    record.started(await startProcess());
    assert.deepEqual(await readdir(folder.path), [`${runId}.json`]);
    assert.deepEqual(await createCommandRecords(folder.path).findOrphans(), []);
    record.ended();
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

  it('find a command whose window was gone before it could record the process', async () => {
    const { pid } = await crash(true);
    const [orphan] = await createCommandRecords(folder.path).findOrphans();
    assert.equal(orphan?.command, 'npm start');
    assert.deepEqual(await orphan?.end(), []);
    assert.equal(await isRunning(pid), false);
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

  it('are never seen half written, and leave nothing when a window dies while it writes one', async () => {
    const records = createCommandRecords(folder.path);
    const watcher = createCommandRecords(folder.path);
    // Another window looks at any time between two steps of this one.
    for (let round = 0; round < 200; round += 1) {
      const [record] = await Promise.all([records.starting(command), watcher.findOrphans()]);
      record.started(process.pid);
      assert.deepEqual(await readdir(folder.path), [`${runId}.json`]);
      record.ended();
    }
    const draft = await draftName(path.join(folder.path, `${runId}.json`));
    // Of an earlier process with the same id.
    const ofDead = draft.replace(/\.(\d+)-\w+-/, '.$1-1-');
    for (const file of [draft, ofDead]) await writeFile(file, '{"ver');
    await watcher.findOrphans();
    assert.deepEqual(await readdir(folder.path), [path.basename(draft)]);
  });

  it('skip damaged records', async () => {
    await writeFile(path.join(folder.path, 'torn.json'), '{"version":1,"runId":"');
    assert.deepEqual(await createCommandRecords(folder.path).findOrphans(), []);
    assert.deepEqual(await readdir(folder.path), []);
  });
});
