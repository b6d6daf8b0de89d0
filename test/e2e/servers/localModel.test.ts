import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { takeExistingLease } from '../../../src/localModel/run/keeperClient';
import { readKeeperFile } from '../../../src/localModel/run/keeperFile';
import { delay } from '../../../src/util/async/delay';
import { installLlamaServer } from '../../live/install/installLlamaServer';
import { installTrainedModel } from '../../live/install/installModels';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { startFileHost, type FileHost } from '../../support/localModel/fileHost';
import { installSecondExtension } from '../../support/window/secondExtension';
import { keepFailureScreenshots } from '../../support/window/failureScreenshots';
import { Workbench } from '../../support/window/workbench';

/** llama-server as a release: with its libraries, started by a script that finds them beside itself. */
function release(args: readonly string[], env: NodeJS.ProcessEnv, folder: string): Buffer {
  const [, libraries = '', server = ''] = args;
  const root = server.slice(0, server.indexOf('/usr/bin/'));
  const build = path.join(folder, 'build');
  mkdirSync(build);
  const backend = path.relative(root, env['GGML_BACKEND_PATH'] ?? '');
  const paths = libraries.split(':').map((one) => `$d/${path.relative(root, one)}`);
  const script = [
    '#!/bin/sh',
    'd="$(dirname "$0")"',
    `GGML_BACKEND_PATH="$d/${backend}"; export GGML_BACKEND_PATH`,
    `exec "$d/usr/lib64/ld-linux-x86-64.so.2" --library-path "${paths.join(':')}" "$d/usr/bin/server" "$@"`,
  ];
  // Copies stand for the links of Debian's packages, which lead to other folders.
  execFileSync('cp', ['-rL', path.join(root, 'usr'), build]);
  copyFileSync(path.join(build, 'usr/bin/llama-server'), path.join(build, 'usr/bin/server'));
  execFileSync('sh', ['-c', 'rm -rf usr/share usr/bin/llama-*', 'sh'], { cwd: build });
  writeFileSync(path.join(build, 'llama-server'), `${script.join('\n')}\n`, { mode: 0o755 });
  execFileSync('tar', ['-czf', '../release.tar.gz', '.'], { cwd: build });
  return readFileSync(path.join(folder, 'release.tar.gz'));
}

describe('a model on this machine, in the VS Code window', function () {
  let made: TemporaryFolder;
  let extensions: TemporaryFolder;
  let host: FileHost;
  let workbench: Workbench;
  let models: string;
  let archiveBytes: number;

  before(async function () {
    this.timeout(600_000);
    const say = (text: string): void => console.log(`      ${text}`);
    const server = await installLlamaServer(say);
    const trained = await installTrainedModel(say);
    if (!server.ok || !trained.ok) {
      console.log(`      ${server.ok ? '' : server.reason} ${trained.ok ? '' : trained.reason}`);
      this.skip();
    }
    made = await createTemporaryFolder({ 'work/a.txt': 'one\n' });
    const archive = release(server.args, server.env, made.path);
    archiveBytes = archive.length;
    const model = readFileSync(trained.file);
    host = await startFileHost({ 'release.tar.gz': archive, 'smol.gguf': model });
    const checked = (name: string, bytes: Buffer) => ({
      url: host.url(name),
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      verifiedOn: '2026-11-23',
    });
    const architecture = { kind: 'llama', layers: 30, kvHeads: 3, keyLength: 64, valueLength: 64 };
    const licence = { name: 'Apache-2.0' };
    const catalogue = {
      models: [
        { id: 'smol', name: 'SmolLM2 135M', file: 'smol.gguf', licence, architecture, ...checked('smol.gguf', model) },
      ],
      programs: ['vulkan', 'processor'].map((device) => ({
        ...{ id: `test-${device}`, platform: process.platform, arch: process.arch, device, licence: { name: 'MIT' } },
        ...checked('release.tar.gz', archive),
      })),
    };
    writeFileSync(path.join(made.path, 'catalogue.json'), JSON.stringify(catalogue));
    models = path.join(made.path, 'models');
    extensions = await installSecondExtension();
    workbench = await Workbench.open({
      extensionsDir: extensions.path,
      folder: path.join(made.path, 'work'),
      settings: {
        'openAgent.baseUrl': '',
        'openAgent.localModels.catalogue': path.join(made.path, 'catalogue.json'),
        'openAgent.localModels.folder': models,
      },
    });
  });

  keepFailureScreenshots(() => workbench);

  after(async function () {
    this.timeout(120_000);
    await workbench?.dispose();
    await host?.[Symbol.asyncDispose]();
    if (models) {
      for (let waited = 0; (await readKeeperFile(models)) && waited < 60_000; waited += 200) await delay(200);
      assert.equal(await readKeeperFile(models), undefined, 'the keeper has ended with the last window');
      assert.equal(existsSync(path.join(models, 'server.json')), false, 'so has the server');
    }
    await made?.dispose();
    await extensions?.dispose();
  });

  it('pauses, continues and removes a download from the panel', async function () {
    this.timeout(180_000);
    const { page } = workbench;
    // Sends some of the program, and holds the rest back.
    host.act = (request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
      const range = { 'content-range': `bytes ${from}-${archiveBytes - 1}/${archiveBytes}` };
      response.writeHead(from === 0 ? 200 : 206, { 'content-length': archiveBytes - from, ...(from > 0 && range) });
      response.write(Buffer.alloc(1_000_000));
      return true;
    };
    await workbench.runCommand('Open Agent: New Session');
    const panel = workbench.panel();
    await panel.locator('textarea:focus').waitFor();
    await panel.getByRole('button', { name: 'Set Up a Model on This Machine…' }).click();
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'SmolLM2 135M' }).first().click();
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Download and Start' }).click();
    const banner = panel.getByRole('note', { name: 'Set-up of a model' });
    await banner.getByText(/SmolLM2 135M: llama-server: .* of \d+ MB/).waitFor();
    const programs = path.join(models, 'programs');
    const parts = (): readonly string[] => readdirSync(programs).filter((name) => name.endsWith('.part'));
    const size = (): number => Math.max(0, ...parts().map((name) => statSync(path.join(programs, name)).size));
    while (size() === 0) await delay(50);
    await workbench.screenshot('local-model-downloading');
    await banner.getByRole('button', { name: 'Pause' }).click();
    await banner.getByText('SmolLM2 135M: paused').waitFor();
    await page.getByText('The set-up of SmolLM2 135M is paused').first().waitFor();
    await workbench.screenshot('local-model-paused');
    const kept = size();
    const paused = await workbench.notification('The set-up of SmolLM2 135M is paused');
    await workbench.screenshot('local-model-paused-notification');
    await banner.getByRole('button', { name: 'Continue' }).click();
    // It would do nothing any more.
    await paused.waitFor({ state: 'detached' });
    // Everything is held, so it is still downloading.
    await banner.getByRole('button', { name: 'Pause' }).waitFor();
    while (host.requests.length < 2) await delay(50);
    assert.deepEqual(host.requests, ['GET /release.tar.gz', `GET /release.tar.gz bytes=${kept}-`]);
    await banner.getByRole('button', { name: 'Remove' }).click();
    await banner.waitFor({ state: 'detached' });
    while (parts().length > 0) await delay(50);
    host.act = undefined;
    host.requests.length = 0;
  });

  it('leads from a clean machine to the first answer in three clicks', async function () {
    this.timeout(400_000);
    const { page } = workbench;
    await workbench.runCommand('Open Agent: New Session');
    const panel = workbench.panel();
    await panel.locator('textarea:focus').waitFor();
    await panel.getByText('No model server found').waitFor();
    await workbench.screenshot('local-model-empty');
    assert.deepEqual(host.requests, []);
    // One.
    await panel.getByRole('button', { name: 'Set Up a Model on This Machine…' }).click();
    const choice = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'SmolLM2 135M' }).first();
    await choice.waitFor();
    await workbench.screenshot('local-model-choices');
    // Two.
    await choice.click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText(/SmolLM2 135M: 98 MB from 127\.0\.0\.1:\d+, licence Apache-2\.0/).waitFor();
    await workbench.screenshot('local-model-consent');
    assert.deepEqual(host.requests, [], 'nothing is fetched before the yes');
    // Three.
    await dialog.getByRole('button', { name: 'Download and Start' }).click();
    // The check of server and model runs by itself.
    await panel.locator('.doctor-check').first().waitFor({ timeout: 180_000 });
    await panel
      .locator('.doctor')
      .getByText(/llama\.cpp at http:\/\/127\.0\.0\.1:\d+/)
      .first()
      .waitFor();
    await workbench.screenshot('local-model-checking');
    assert.deepEqual(host.requests, ['GET /release.tar.gz', 'GET /smol.gguf']);
    assert.equal(statSync(path.join(models, 'models/smol.gguf')).size, 98_362_432);
    const composer = panel.getByLabel('Message to Open Agent');
    const stop = panel.getByRole('button', { name: 'Stop', exact: true });
    if (await stop.isVisible()) await stop.click();
    await composer.fill('Say hello.');
    await composer.press('Enter');
    await panel.locator('.answer').first().waitFor({ timeout: 180_000 });
    assert.notEqual((await panel.locator('.answer').first().innerText()).trim(), '');
    await workbench.screenshot('local-model-answer');
  });

  it('stays stopped, by hand or unused, until a message or another extension needs it', async function () {
    this.timeout(400_000);
    const panel = workbench.panel();
    const composer = panel.getByLabel('Message to Open Agent');
    const answers = panel.locator('.answer');
    const kind = async (): Promise<string> => {
      const lease = await takeExistingLease({ folder: models, onInternalError: (error) => assert.fail(String(error)) });
      lease?.dispose();
      return lease?.status.kind ?? 'no keeper';
    };
    /** VS Code has listed the models by the time the other extension asks. */
    const listFromElsewhere = async (): Promise<void> => {
      await workbench.startCommand('Second: Ask Model');
      await workbench.page.locator('.quick-input-widget input').waitFor();
      assert.equal(await kind(), 'stopped');
    };
    /** The answer may also end by itself. */
    const endRun = (): Promise<void> =>
      workbench.until('nothing runs', async () => {
        const stop = panel.getByRole('button', { name: 'Stop', exact: true });
        if (!(await stop.isVisible())) return true;
        await stop.click({ timeout: 1_000 }).catch(() => {});
        return false;
      });
    await endRun();
    await workbench.pick('Open Agent: Set Up a Model on This Machine…', 'Stop the Model');
    await panel.getByText('The model does not run').waitFor();
    await panel.getByText('The model on this machine was stopped. Your next message starts it.').waitFor();
    await panel.getByRole('button', { name: 'Start the Model' }).waitFor();
    // The panel knows the model although it does not run.
    await panel.getByRole('button', { name: /^Model: .+ stopped$/ }).waitFor();
    assert.equal(await panel.getByRole('button', { name: 'Model: No model' }).count(), 0);
    await workbench.screenshot('local-model-stopped');
    await workbench.until('the server has ended', async () => (await kind()) === 'stopped');
    await listFromElsewhere();
    await workbench.page.keyboard.press('Escape');
    // The next start takes it over.
    await workbench.updateSettings({ 'openAgent.localModels.idleMinutes': 0.02 });
    await workbench.showChat();
    assert.equal(await kind(), 'stopped');
    const count = await answers.count();
    await composer.fill('Say hello again.');
    await composer.press('Enter');
    await workbench.until('the answer has begun', async () => (await answers.count()) > count);
    await workbench.screenshot('local-model-started-again');
    assert.notEqual((await answers.last().innerText()).trim(), '');
    await endRun();
    await panel.getByText('The model on this machine was not used for a while, so it was stopped.').waitFor();
    await listFromElsewhere();
    await workbench.page.keyboard.type('Hello');
    await workbench.page.keyboard.press('Enter');
    // How long the answer takes is the model's choice.
    await workbench.until('the request has started it', async () => (await kind()) === 'ready');
  });
});
