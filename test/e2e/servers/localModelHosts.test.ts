import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { fixturePath } from '../../support/files/fixturePath';
import type { TemporaryFolder } from '../../support/files/temporaryFolder';
import type { FakeStart } from '../../support/localModel/fakeLlamaServer';
import { sendFile, type FileHost } from '../../support/localModel/fileHost';
import { keepFailureScreenshots } from '../../support/window/failureScreenshots';
import type { Workbench } from '../../support/window/workbench';
import { openSetUpWindow } from '../support/setUpWindow';

const certificates = fixturePath('certificates');
const pem = (name: string): string => readFileSync(path.join(certificates, name), 'utf8');

/** The hosts and llama-server are stand-ins here. */
describe('hosts, disks and settings around a model on this machine, in the VS Code window', () => {
  const tiny = randomBytes(300_000);
  const open: Server[] = [];
  let made: TemporaryFolder;
  let host: FileHost;
  let starts: () => Promise<readonly FakeStart[]>;
  let workbench: Workbench;
  const file = (name: string): string => path.join(made.path, name);
  const banner = () => workbench.panel().getByRole('note', { name: 'Set-up of a model' });
  const doctor = () => workbench.panel().locator('.doctor');
  const settings = () => JSON.parse(readFileSync(workbench.server.settingsFile, 'utf8')) as Record<string, unknown>;

  function writeCatalogue(id: string, url: string, content = tiny): void {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const entry = {
      ...{ id, name: id, file: `${id}.gguf`, url, bytes: content.length, sha256 },
      verifiedOn: '2026-11-23',
      licence: { name: 'MIT' },
      architecture: { kind: 'llama', layers: 4, kvHeads: 4, keyLength: 64, valueLength: 64 },
    };
    writeFileSync(file('catalogue.json'), JSON.stringify({ models: [entry], programs: [] }));
  }

  async function download(id: string): Promise<void> {
    await workbench.pick('Open Agent: Set Up a Model on This Machine…', id);
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Download and Start' }).click();
  }

  /** The check of server and model ends a set-up. */
  async function untilChecked(count: number): Promise<void> {
    await workbench.until('it is served', async () => (await starts()).length === count);
    await doctor().getByRole('button', { name: 'Check Again' }).waitFor();
    await doctor().getByRole('button', { name: 'Close Check' }).click();
  }

  async function listen(server: Server): Promise<number> {
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  before(async function () {
    this.timeout(600_000);
    ({ made, host, starts, workbench } = await openSetUpWindow({
      model: tiny,
      prepare: (folder, files) => {
        made = folder;
        writeCatalogue('silent', files.url('tiny.gguf'));
      },
      settings: { 'openAgent.certificateAuthority': path.join(certificates, 'authority.pem') },
    }));
  });

  keepFailureScreenshots(() => workbench);

  after(async function () {
    this.timeout(120_000);
    await workbench?.dispose();
    for (const server of open) server.close();
    await host?.[Symbol.asyncDispose]();
    await made?.dispose();
  });

  it('says that a host is silent, can be paused meanwhile, and goes on', async function () {
    this.timeout(180_000);
    // Accepts, and never answers.
    host.act = () => true;
    await download('silent');
    await banner()
      .getByText(`silent: ${new URL(host.origin).host} has sent nothing for 10 seconds.`)
      .waitFor();
    await workbench.screenshot('local-model-silent');
    await banner().getByRole('button', { name: 'Pause' }).click();
    await banner().getByText('silent: paused').waitFor();
    host.act = undefined;
    await banner().getByRole('button', { name: 'Continue' }).click();
    await untilChecked(1);
  });

  it('takes the answer to a pause in its notification or in the panel, and closes the notification', async function () {
    this.timeout(180_000);
    writeCatalogue('paused', host.url('tiny.gguf'));
    // Sends a part, and holds the rest back.
    host.act = (_request, response) => {
      response.writeHead(206, { 'content-length': tiny.length });
      response.write(tiny.subarray(0, 1_000));
      return true;
    };
    await download('paused');
    const pause = banner().getByRole('button', { name: 'Pause' });
    const told = () => workbench.notification('The set-up of paused is paused');
    await pause.click();
    const first = await told();
    await workbench.screenshot('local-model-pause');
    assert.deepEqual(await first.getByRole('link').allInnerTexts(), ['Continue', 'Remove']);
    await first.getByRole('link', { name: 'Continue' }).click();
    await first.waitFor({ state: 'detached' });
    await pause.click();
    const second = await told();
    await banner().getByRole('button', { name: 'Continue' }).click();
    await second.waitFor({ state: 'detached' });
    await pause.click();
    // When it is closed, the set-up waits in the panel.
    const third = await told();
    await third.getByRole('button', { name: 'Cancel' }).click();
    await third.waitFor({ state: 'detached' });
    await banner().getByRole('button', { name: 'Continue' }).click();
    await pause.click();
    const last = await told();
    await last.getByRole('link', { name: 'Remove' }).click();
    await last.waitFor({ state: 'detached' });
    await banner().waitFor({ state: 'detached' });
    assert.deepEqual(
      readdirSync(file('models/models')).filter((name) => name.startsWith('paused')),
      [],
    );
    assert.equal((await starts()).length, 1);
    host.act = undefined;
  });

  it("fetches through the proxy of VS Code's settings, and names a proxy that refuses", async function () {
    this.timeout(180_000);
    const tls = { key: pem('server.key'), cert: pem('server.pem') };
    const target = await listen(
      createSecureServer(tls, (request, response) => sendFile(tiny, request.headers.range, response)),
    );
    const asked: string[] = [];
    let refuses = true;
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      if (refuses) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      const through = connect(target, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      through.pipe(socket).pipe(through);
      for (const one of [socket, through]) one.on('error', () => through.destroy());
    });
    const address = `http://127.0.0.1:${await listen(proxy)}`;
    await workbench.updateSettings({ 'http.proxy': address });
    writeCatalogue('proxied', 'https://model.test/proxied.gguf');
    await workbench.showChat();
    await download('proxied');
    const refusal = await workbench.notification(/The proxy on the way to model\.test asks for a name and a password/);
    await workbench.screenshot('local-model-proxy-refuses');
    refuses = false;
    await refusal.getByRole('button', { name: 'Retry' }).click();
    await untilChecked(2);
    assert.deepEqual([...new Set(asked)], ['model.test:443']);
    assert.deepEqual(readFileSync(file('models/models/proxied.gguf')), tiny);
    await workbench.updateSettings({ 'http.proxy': '' });
    await workbench.showChat();
  });

  it('removes a server that is set, so that the model is used, and puts it back with Undo', async function () {
    this.timeout(180_000);
    await workbench.updateSettings({ 'openAgent.baseUrl': `${host.origin}/v1`, 'openAgent.model': 'elsewhere' });
    await workbench.showChat();
    writeCatalogue('undone', host.url('tiny.gguf'));
    await download('undone');
    const told = await workbench.notification(
      `openAgent.baseUrl (${host.origin}/v1) and openAgent.model (elsewhere) were removed from your settings`,
    );
    await untilChecked(3);
    await workbench.screenshot('local-model-undo');
    assert.deepEqual([settings()['openAgent.baseUrl'], settings()['openAgent.model']], [undefined, undefined]);
    await told.getByRole('button', { name: 'Undo' }).click();
    await workbench.until('they are back', async () => {
      const text = readFileSync(workbench.server.settingsFile, 'utf8');
      return ['"elsewhere"', `"${host.origin}/v1"`].every((value) => text.includes(value));
    });
    await workbench.updateSettings({ 'openAgent.baseUrl': '', 'openAgent.model': '' });
    await workbench.showChat();
  });

  it('says that the disk is full, keeps what is there, and goes on once there is room', async function () {
    this.timeout(180_000);
    const disk = file('disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=220m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      // Only root may mount a small disk.
      return this.skip();
    }
    try {
      await workbench.updateSettings({ 'openAgent.localModels.folder': disk });
      await workbench.showChat();
      writeCatalogue('full', host.url('tiny.gguf'));
      const filler = path.join(disk, 'filler');
      writeFileSync(filler, Buffer.alloc(100_000_000));
      await download('full');
      const noRoom = await workbench.notification(
        /There is not enough room on the disk: it needs 300 kB, and 200 MB to spare/,
      );
      await workbench.screenshot('local-model-no-room');
      rmSync(filler);
      // The disk fills up while the download runs.
      let rest = (): void => {};
      const half = new Promise<void>((resolve) => {
        host.act = (_request, response) => {
          response.writeHead(200, { 'content-length': tiny.length });
          response.write(tiny.subarray(0, 100_000), () => resolve());
          rest = () => void response.end(tiny.subarray(100_000));
          return true;
        };
      });
      await noRoom.getByRole('button', { name: 'Retry' }).click();
      await half;
      const part = path.join(disk, 'models/full.gguf.part');
      await workbench.until('the first piece is written', async () => readFileSync(part).length === 100_000);
      assert.throws(() => writeFileSync(filler, Buffer.alloc(300_000_000)), { code: 'ENOSPC' });
      rest();
      const full = await workbench.notification(/The disk is full\. What was downloaded stays/);
      await workbench.screenshot('local-model-disk-full');
      assert.deepEqual(await full.locator('.monaco-button').allInnerTexts(), ['Retry', 'Choose Another Folder…']);
      rmSync(filler);
      host.act = undefined;
      await full.getByRole('button', { name: 'Retry' }).click();
      await untilChecked(4);
      assert.deepEqual(readFileSync(path.join(disk, 'models/full.gguf')), tiny);
      assert.match(host.requests.at(-1) ?? '', /bytes=1\d\d\d\d\d-/);
    } finally {
      await workbench.updateSettings({ 'openAgent.localModels.folder': file('models') });
      execFileSync('umount', ['--lazy', disk]);
    }
  });

  it('says in the status bar how far a model has loaded, which can be stopped and removed then', async function () {
    this.timeout(180_000);
    const { page } = workbench;
    const count = (await starts()).length;
    // The stand-in loads this one until it is ended.
    const slow = Buffer.from('slow\n');
    writeCatalogue('loads', host.url('slow.gguf'), slow);
    host.act = (request, response) => {
      sendFile(slow, request.headers.range, response);
      return true;
    };
    await download('loads');
    const status = page.locator('.statusbar-item', { hasText: /\bloading \d+ %/ });
    await status.waitFor();
    await banner()
      .getByText(/^loads: loading \d+ %$/)
      .waitFor();
    await workbench.screenshot('local-model-loading');
    assert.equal((await starts()).length, count + 1);
    await workbench.pick('Open Agent: Set Up a Model on This Machine…', 'Stop the Model');
    await workbench.notification('The model cannot be started. It was stopped.');
    await workbench.hideNotifications();
    await status.waitFor({ state: 'detached' });
    const kept = file('models/models/loads.gguf');
    assert.deepEqual(readFileSync(kept), slow);
    await workbench.pick('Open Agent: Set Up a Model on This Machine…', 'Remove Models and Programs…');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'loads.gguf' }).getByRole('checkbox').click();
    await workbench.screenshot('local-model-remove');
    await page.locator('.quick-input-action').getByText('OK').click();
    await workbench.until('the file is gone', async () => !existsSync(kept));
    assert.equal((await starts()).length, count + 1);
    host.act = undefined;
  });
});
