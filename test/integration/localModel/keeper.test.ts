import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { open as openFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { readKeeperFile } from '../../../src/localModel/run/keeperFile';
import { takeExistingLease } from '../../../src/localModel/run/keeperClient';
import { LocalServer, type LocalServerParts } from '../../../src/localModel/run/localServer';
import { readState, updateState } from '../../../src/localModel/localState';
import { delay } from '../../../src/util/async/delay';
import { isRunning } from '../../support/commands/processes';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { buildInto } from '../../support/localModel/buildInto';
import { writeFakeLlamaServer, type FakeStart } from '../../support/localModel/fakeLlamaServer';

describe('the keeper of the model server', function () {
  this.timeout(60_000);
  let programs: TemporaryFolder;
  let keeperFile: string;
  let folder: TemporaryFolder;
  let fake: { readonly program: string; readonly starts: () => Promise<readonly FakeStart[]> };
  const servers: LocalServer[] = [];
  const windows: ChildProcess[] = [];

  before(async () => {
    programs = await createTemporaryFolder();
    keeperFile = await buildInto(programs.path, 'src/localModel/run/keeperProcess.ts');
    await buildInto(programs.path, 'test/support/localModel/leaseHolder.ts');
  });
  after(() => programs.dispose());

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    fake = await writeFakeLlamaServer(folder.path);
  });

  afterEach(async () => {
    for (const server of servers.splice(0)) server.dispose();
    for (const window of windows.splice(0)) window.kill('SIGKILL');
    await until('every process has ended', async () => {
      const keeper = await readKeeperFile(folder.path);
      const pids = [...(keeper ? [keeper.pid] : []), ...(await fake.starts()).map(({ pid }) => pid)];
      return (await Promise.all(pids.map(isRunning))).every((runs) => !runs);
    });
    assert.deepEqual(
      [existsSync(path.join(folder.path, 'keeper.json')), existsSync(path.join(folder.path, 'server.json'))],
      [false, false],
    );
    await folder.dispose();
  });

  const choose = (behaviour: string, name = 'tiny'): Promise<void> => {
    const modelFile = path.join(folder.path, `${name}.gguf`);
    writeFileSync(modelFile, behaviour);
    const chosen = {
      program: fake.program,
      modelFile,
      modelBytes: 1e9,
      name,
      context: 16_384,
      sampling: { temperature: 0.7 },
    };
    return updateState(folder.path, { chosen });
  };
  const open = (more: Partial<LocalServerParts> = {}): LocalServer => {
    const server = new LocalServer({
      folder: () => folder.path,
      program: { file: keeperFile, graceMs: 300, pollMs: 50 },
      idleMs: () => 0,
      onInternalError: (error) => assert.fail(String(error)),
      ...more,
    });
    servers.push(server);
    return server;
  };
  const soon = (): AbortSignal => AbortSignal.timeout(40_000);
  const ready = async (server: LocalServer): Promise<{ readonly baseUrl: string; readonly key: string }> => {
    const status = await server.start(soon(), { untilReady: true });
    if (status.kind !== 'ready') assert.fail(JSON.stringify(status));
    return status;
  };

  it('serves the model on loopback with a random key that is on no command line', async () => {
    await choose('ok');
    const { baseUrl, key } = await ready(open());
    const [start] = await fake.starts();
    const port = new URL(baseUrl).port;
    assert.deepEqual(start?.argv, [
      ...['--model', path.join(folder.path, 'tiny.gguf'), '--alias', 'tiny', '--host', '127.0.0.1', '--port', port],
      ...['--ctx-size', '16384', '--parallel', '1', '--slots', '--jinja', '--temp', '0.7'],
    ]);
    assert.equal(start?.key, key);
    assert.equal(key.length >= 40, true);
    assert.deepEqual(
      start?.env.filter((name) => /TOKEN|SECRET|^ELECTRON_RUN/.test(name)),
      [],
    );
    const answer = await fetch(`${baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(answer.status, 200);
    assert.equal((await fetch(`${baseUrl}/models`)).status, 401);
  });

  it('serves all windows with one server, also when they start at once', async () => {
    await choose('ok');
    const all = await Promise.all([open(), open(), open()].map(ready));
    assert.equal(new Set(all.map(({ baseUrl, key }) => `${baseUrl} ${key}`)).size, 1);
    assert.equal((await fake.starts()).length, 1);
    servers[0]?.dispose();
    servers[1]?.dispose();
    await delay(600);
    assert.equal(await isRunning((await fake.starts())[0]!.pid), true, 'the third window still holds its lease');
  });

  it('starts no server before it has ended the one of a keeper that was killed', async function () {
    if (process.platform === 'win32') this.skip();
    await choose('ok');
    const record = path.join(folder.path, 'server.json');
    // Whoever reads it waits until something is written.
    await promisify(execFile)('mkfifo', [record]);
    const starting = ready(open());
    const writer = await openFile(record, 'w');
    await delay(1_000);
    const starts = await fake.starts();
    await writer.writeFile('{}');
    await writer.close();
    await starting;
    assert.deepEqual(starts, []);
    const [server] = await fake.starts();
    assert.equal((JSON.parse(await readFile(record, 'utf8')) as { pid: number }).pid, server?.pid);
  });

  it('ends the server when every window was killed', async () => {
    await choose('ok');
    for (let count = 0; count < 2; count += 1) {
      const window = spawn(process.execPath, [path.join(programs.path, 'leaseHolder.js'), folder.path, keeperFile], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      windows.push(window);
      await new Promise((resolve) => window.stdout.once('data', resolve));
    }
    const { pid } = (await fake.starts())[0]!;
    assert.equal(await isRunning(pid), true);
    for (const window of windows) window.kill('SIGKILL');
    await until('the server has ended', async () => !(await isRunning(pid)));
  });

  it('gives the same address after a restart', async () => {
    await choose('ok');
    const first = await ready(open());
    servers.splice(0).forEach((server) => server.dispose());
    await until('the keeper has ended', async () => (await readKeeperFile(folder.path)) === undefined);
    const second = await ready(open());
    assert.equal(second.baseUrl, first.baseUrl);
    assert.notEqual(second.key, first.key);
  });

  it('starts the server once more after a crash, with its last words', async () => {
    await choose('crash once');
    const status = await open().start(soon(), { untilReady: true });
    assert.equal(status.kind === 'ready' && status.crashed, 'loading tiny\nerror: out of memory');
    const { pid } = (await fake.starts())[1]!;
    process.kill(pid, 'SIGKILL');
    const [server] = servers;
    await until('it has failed', async () => server?.status.kind === 'failed');
    assert.equal((await fake.starts()).length, 2, 'it was started again only once');
    await ready(server!);
  });

  it('starts a killed server once more', async () => {
    await choose('ok');
    const server = open();
    await ready(server);
    process.kill((await fake.starts())[0]!.pid, 'SIGKILL');
    await until('it runs again', async () => server.status.kind === 'ready' && server.status.crashed !== undefined);
    assert.match(server.status.kind === 'ready' ? (server.status.crashed ?? '') : '', /ended by SIGKILL/);
  });

  it('fails with the last words when the model cannot be loaded, and when the program is missing', async () => {
    await choose('crash');
    const status = await open().start(soon(), { untilReady: true });
    assert.deepEqual(status, {
      kind: 'failed',
      message: 'The model server ended with code 3.',
      lastWords: 'loading tiny\nerror: out of memory',
    });
    assert.equal((await fake.starts()).length, 2);
    await updateState(folder.path, {
      chosen: { program: path.join(folder.path, 'gone'), modelFile: 'x', modelBytes: 1, name: 'x', context: 16_384 },
    });
    const missing = await servers[0]!.start(soon(), { untilReady: true });
    assert.match(missing.kind === 'failed' ? missing.message : '', /cannot be started/);
  });

  it('stops a server that nobody uses, and starts it again on request', async () => {
    await choose('ok');
    const server = open({ idleMs: () => 500 });
    const { baseUrl, key } = await ready(server);
    for (let use = 0; use < 5; use += 1) {
      await delay(200);
      await fetch(`${baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } });
      assert.equal(server.status.kind, 'ready', 'it is in use');
    }
    await until('it was stopped', async () => server.status.kind === 'stopped');
    assert.deepEqual(server.status, { kind: 'stopped', reason: 'unused' });
    await ready(server);
  });

  it('stops a server that nobody uses, also when the limit is set while it runs', async () => {
    await choose('ok');
    let idleMs = 0;
    const server = open({ idleMs: () => idleMs });
    await ready(server);
    idleMs = 200;
    server.idleChanged();
    await until('it was stopped', async () => server.status.kind === 'stopped');
    assert.deepEqual(server.status, { kind: 'stopped', reason: 'unused' });
  });

  it('stops while the model still loads, and when another model is chosen', async () => {
    await choose('slow', 'large');
    const server = open();
    assert.equal((await server.start(soon())).kind, 'loading');
    server.stop();
    await until('it was stopped', async () => server.status.kind === 'stopped');
    assert.equal((await server.start(soon())).kind, 'loading');
    await choose('ok', 'small');
    const status = await server.start(soon(), { untilReady: true });
    assert.equal(status.kind === 'ready' && status.name, 'small');
    assert.equal((await fake.starts()).length, 3);
    await choose('ok', 'other');
    const other = await server.start(soon(), { untilReady: true });
    assert.equal(other.kind === 'ready' && other.name, 'other');
  });

  it('starts for a request right after a stop, and not for one before it', async () => {
    await choose('ok');
    const server = open();
    await ready(server);
    server.stop();
    assert.deepEqual(server.status, { kind: 'stopped', reason: 'asked' });
    await ready(server);
    assert.equal((await fake.starts()).length, 2);
    await choose('slow', 'large');
    const before = server.start(soon(), { untilReady: true });
    await until('it loads', async () => server.status.kind === 'loading');
    server.stop();
    assert.deepEqual(await before, { kind: 'stopped', reason: 'asked' });
    await choose('ok');
    await ready(server);
    assert.equal((await fake.starts()).length, 4);
  });

  it('stays stopped in windows that open later, until one needs it', async () => {
    await choose('ok');
    const first = open();
    await ready(first);
    first.stop();
    await until('the keeper knows', async () => (await open().join()).kind === 'stopped');
    servers.splice(0).forEach((server) => server.dispose());
    await until('the keeper has ended', async () => (await readKeeperFile(folder.path)) === undefined);
    const later = open();
    assert.deepEqual(await later.join(), { kind: 'idle' });
    assert.deepEqual(await later.start(soon(), { unlessStopped: true }), { kind: 'stopped', reason: 'asked' });
    assert.equal((await fake.starts()).length, 1);
    await ready(later);
  });

  it('serves the model of another folder once the settings name it, and ends the one before', async () => {
    await choose('ok');
    let used = folder.path;
    const server = open({ folder: () => used });
    await ready(server);
    const [first] = await fake.starts();
    const { chosen } = await readState(folder.path);
    const other = await createTemporaryFolder();
    try {
      await updateState(other.path, { chosen: { ...chosen!, name: 'other' } });
      used = other.path;
      const status = await server.start(soon(), { untilReady: true });
      assert.equal(status.kind === 'ready' && status.name, 'other');
      assert.equal(server.status, status);
      await until('nobody uses the one before', async () => !(await isRunning(first!.pid)));
      server.dispose();
      await until('the other has ended', async () => (await readKeeperFile(other.path)) === undefined);
    } finally {
      await other.dispose();
    }
  });

  it('ends the server of a keeper that was killed', async () => {
    await choose('ok');
    const server = open();
    await ready(server);
    const { pid } = (await fake.starts())[0]!;
    process.kill((await readKeeperFile(folder.path))!.pid, 'SIGKILL');
    await until('the window knows', async () => server.status.kind === 'failed');
    await ready(server);
    assert.equal(await isRunning(pid), false);
  });

  it('lets in nobody without its token', async () => {
    await choose('ok');
    await ready(open());
    const { port } = (await readKeeperFile(folder.path))!;
    const stranger = await createTemporaryFolder({
      'keeper.json': JSON.stringify({ pid: 1, port, token: 'x'.repeat(43) }),
    });
    assert.equal(await takeExistingLease({ folder: stranger.path, onInternalError: () => {} }), undefined);
    await stranger.dispose();
  });

  async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + 20_000; !(await isSo()); await delay(50)) {
      if (performance.now() > end) assert.fail(`Waited in vain until ${what}.`);
    }
  }
});
