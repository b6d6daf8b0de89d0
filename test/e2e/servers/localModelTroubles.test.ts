import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readKeeperFile } from '../../../src/localModel/run/keeperFile';
import { delay } from '../../../src/util/async/delay';
import { text, uint32, writeGguf } from '../../live/models/gguf';
import { isRunning } from '../../support/commands/processes';
import type { TemporaryFolder } from '../../support/files/temporaryFolder';
import type { FakeStart } from '../../support/localModel/fakeLlamaServer';
import { sendFile, type FileHost } from '../../support/localModel/fileHost';
import { lmsPieces, ollamaPieces, printing } from '../../support/localModel/pullPrograms';
import { keepFailureScreenshots } from '../../support/window/failureScreenshots';
import type { Workbench } from '../../support/window/workbench';
import { extensionHostsOf } from '../support/extensionHosts';
import { openSetUpWindow } from '../support/setUpWindow';

/** A model file of some kB, or one that other programs' folders are searched for. */
function model(numbers = 50_000): Buffer {
  const fields = { block_count: 4, embedding_length: 256, 'attention.head_count': 4, context_length: 32_768 };
  const numbersOf = Object.entries(fields).map(([name, value]) => [`llama.${name}`, uint32(value)] as const);
  const metadata = new Map([['general.architecture', text('llama')] as const, ...numbersOf]);
  return writeGguf(metadata, [{ name: 't', shape: [numbers], values: new Float32Array(numbers) }]);
}

/** Hosts, llama-server, Ollama and LM Studio are stand-ins here. */
describe('troubles and changes of a model on this machine, in the VS Code window', () => {
  const tiny = model();
  const newer = model(60_000);
  let made: TemporaryFolder;
  let host: FileHost;
  let starts: () => Promise<readonly FakeStart[]>;
  let workbench: Workbench;
  const file = (name: string): string => path.join(made.path, name);
  const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
  const dialog = () => workbench.page.locator('.monaco-dialog-box');

  function writeCatalogue(bytes: Buffer, more: object = {}): void {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const entry = {
      ...{ id: 'tiny', name: 'Tiny', file: 'tiny.gguf', url: host.url('tiny.gguf'), bytes: bytes.length, sha256 },
      ...{ verifiedOn: '2026-11-23', licence: { name: 'MIT' } },
      architecture: { kind: 'llama', layers: 4, kvHeads: 4, keyLength: 64, valueLength: 64 },
    };
    writeFileSync(file('catalogue.json'), JSON.stringify({ models: [{ ...entry, ...more }], programs: [] }));
  }

  /** Opens the list and chooses an entry. */
  async function choose(label: string): Promise<void> {
    await workbench.pick('Open Agent: Set Up a Model on This Machine…', label);
  }

  async function download(): Promise<void> {
    await choose('Tiny');
    await dialog().getByRole('button', { name: 'Download and Start' }).click();
  }

  async function name(text: string): Promise<void> {
    const input = workbench.page.locator('.quick-input-widget');
    await input.getByText('Nothing is fetched before you confirm').waitFor();
    await input.locator('input').fill(text);
  }

  /** The check of server and model ends a set-up, and takes the focus when it begins. */
  const doctor = () => workbench.panel().locator('.doctor');
  const closeCheck = (): Promise<void> => doctor().getByRole('button', { name: 'Close Check' }).click();
  const untilChecked = (): Promise<void> => doctor().getByRole('button', { name: 'Check Again' }).waitFor();

  /** Ollama and LM Studio. */
  function writePrograms(): void {
    const bin = file('home/.local/bin');
    const digest = 'a'.repeat(64);
    const layers = [{ mediaType: 'application/vnd.ollama.image.model', digest: `sha256:${digest}` }];
    writeFileSync(file('pulled.gguf'), model(11_000_000));
    const store = `const fs = require('node:fs');\nconst put = (name, from) => { fs.mkdirSync(require('node:path').dirname(name), { recursive: true }); fs.copyFileSync(from, name); };\n`;
    const ollama = `${store}${printing(ollamaPieces, 'stderr')}
      put(${JSON.stringify(file(`ollama/blobs/sha256-${digest}`))}, ${JSON.stringify(file('pulled.gguf'))});
      fs.mkdirSync(${JSON.stringify(file('ollama/manifests/registry.ollama.ai/library/qwen3'))}, { recursive: true });
      fs.writeFileSync(${JSON.stringify(file('ollama/manifests/registry.ollama.ai/library/qwen3/8b'))}, ${JSON.stringify(JSON.stringify({ layers }))});`;
    // Waits in the middle until a file is there, so that the window can show how far it is.
    const lms = `${store}${printing(lmsPieces.slice(0, 8), 'stdout')}
      process.on('SIGINT', () => process.exit(1));
      const timer = setInterval(() => {
        if (!fs.existsSync(${JSON.stringify(file('go on'))})) return;
        clearInterval(timer);
        put(${JSON.stringify(file('home/.lmstudio/models/maker/qwen/qwen.gguf'))}, ${JSON.stringify(file('pulled.gguf'))});
        ${printing(lmsPieces.slice(8), 'stdout')}
        process.exit(0);
      }, 50);`;
    for (const [name, script] of Object.entries({ ollama, lms })) {
      writeFileSync(path.join(bin, name), `#!${process.execPath}\n${script}`, { mode: 0o755 });
    }
  }

  before(async function () {
    this.timeout(600_000);
    ({ made, host, starts, workbench } = await openSetUpWindow({
      model: tiny,
      prepare: (folder, files) => {
        [made, host] = [folder, files];
        writePrograms();
        writeCatalogue(tiny, { sampling: { temperature: 0.6, topK: 20 } });
      },
      env: (folder) => ({ OLLAMA_MODELS: path.join(folder.path, 'ollama') }),
    }));
  });

  keepFailureScreenshots(() => workbench);

  after(async function () {
    this.timeout(120_000);
    await workbench?.dispose();
    await host?.[Symbol.asyncDispose]();
    await made?.dispose();
  });

  it('says what went wrong, and tries again', async function () {
    this.timeout(180_000);
    const banner = workbench.panel().getByRole('note', { name: 'Set-up of a model' });
    host.act = (_request, response) => {
      response.writeHead(404).end();
      return true;
    };
    await download();
    const gone = await workbench.notification(/does not have the file/);
    await workbench.screenshot('local-model-404');
    // A host that asks for patience: the panel says so.
    host.act = (_request, response) => {
      response.writeHead(429, { 'retry-after': '3' }).end();
      return true;
    };
    await gone.getByRole('button', { name: 'Retry' }).click();
    await banner.getByText(/answers with status 429\. Trying again in 3 s\./).waitFor();
    await workbench.screenshot('local-model-429');
    host.act = (request, response) => {
      sendFile(Buffer.from(tiny).fill(9, 500), request.headers.range, response);
      return true;
    };
    const wrong = await workbench.notification(/its checksum is wrong\. It was deleted\./);
    await workbench.setTheme('light');
    await workbench.screenshot('local-model-checksum-light');
    await workbench.setTheme('dark');
    assert.deepEqual(await starts(), [], 'a file with a wrong checksum never starts');
    assert.deepEqual(readdirSync(file('models/models')), []);
    host.act = undefined;
    await wrong.getByRole('button', { name: 'Retry' }).click();
    await workbench.panel().locator('.doctor-check').first().waitFor();
    const [start] = await starts();
    assert.deepEqual(start?.argv.slice(start.argv.indexOf('--temp')), ['--temp', '0.6', '--top-k', '20']);
  });

  it('tells that the server crashed, with its last output', async function () {
    this.timeout(120_000);
    process.kill((await starts()).at(-1)!.pid, 'SIGKILL');
    const told = await workbench.notification('The model on this machine crashed, and was started again.');
    await workbench.screenshot('local-model-crashed');
    await told.getByRole('button', { name: 'Show Last Output' }).click();
    await workbench.page
      .getByText(/The\smodel\sserver\sended\sby\sSIGKILL/)
      .first()
      .waitFor();
    assert.equal((await starts()).length, 2);
  });

  it('shows the model in use, updates it, and keeps its sampling', async function () {
    this.timeout(120_000);
    await untilChecked();
    await closeCheck();
    writeCatalogue(newer, { sampling: { temperature: 0.6, topK: 20 } });
    host.act = (request, response) => {
      sendFile(newer, request.headers.range, response);
      return true;
    };
    await workbench.startCommand('Open Agent: Set Up a Model on This Machine…');
    await rows().filter({ hasText: 'in use' }).first().waitFor();
    await rows().filter({ hasText: 'Remove Models and Programs…' }).first().waitFor();
    await workbench.screenshot('local-model-list');
    await workbench.page.keyboard.press('Escape');
    await workbench.setTheme('light');
    await choose('Update Tiny');
    await dialog()
      .getByText(/Tiny: 241 kB from 127\.0\.0\.1:\d+, licence MIT/)
      .waitFor();
    await workbench.screenshot('local-model-update-light');
    await dialog().getByRole('button', { name: 'Update and Start' }).click();
    await workbench.until('the new file is served', async () => (await starts()).length === 3);
    assert.deepEqual(readFileSync(file('models/models/tiny.gguf')), newer);
    await untilChecked();
    await closeCheck();
    const { argv } = (await starts()).at(-1)!;
    assert.deepEqual(argv.slice(argv.indexOf('--temp')), ['--temp', '0.6', '--top-k', '20']);
    await workbench.setTheme('dark');
  });

  it('has Ollama pull a model by name, and runs it', async function () {
    this.timeout(120_000);
    await choose('Have Ollama Fetch a Model…');
    await name('qwen3:8b');
    await workbench.screenshot('local-model-pull-name');
    await workbench.page.keyboard.press('Enter');
    await dialog()
      .getByText(/qwen3:8b from registry\.ollama\.ai, with the command: ollama pull qwen3:8b/)
      .waitFor();
    await workbench.screenshot('local-model-pull-consent');
    await dialog().getByRole('button', { name: 'Fetch and Start' }).click();
    await workbench.until('it is served', async () => (await starts()).at(-1)?.argv.includes('qwen3:8b') === true);
    await untilChecked();
    await workbench.screenshot('local-model-pulled');
    await closeCheck();
  });

  it('shows how far LM Studio is, pauses it and goes on', async function () {
    this.timeout(120_000);
    const banner = workbench.panel().getByRole('note', { name: 'Set-up of a model' });
    await choose('Have LM Studio Fetch a Model…');
    await name('qwen/qwen3-8b');
    await workbench.page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Fetch and Start' }).click();
    await banner.getByText(/LM Studio: 1\.20 GB of 2\.65 GB, 35\.20 MB\/s, 00:41 left/).waitFor();
    await workbench.screenshot('local-model-pull-progress');
    assert.equal(await banner.getByRole('button', { name: 'Stop' }).count(), 1, 'nothing can be removed here');
    await banner.getByRole('button', { name: 'Pause' }).click();
    await banner.getByText('qwen/qwen3-8b: paused').waitFor();
    writeFileSync(file('go on'), '');
    await banner.getByRole('button', { name: 'Continue' }).click();
    await workbench.until('it is served', async () => (await starts()).at(-1)?.argv.includes('qwen') === true);
  });

  it('leaves no process when every extension host is killed', async function () {
    this.timeout(120_000);
    const keeper = await readKeeperFile(file('models'));
    const pids = [keeper!.pid, (await starts()).at(-1)!.pid];
    assert.deepEqual(await Promise.all(pids.map(isRunning)), [true, true]);
    for (const pid of await extensionHostsOf(workbench.server.serverDataDir)) process.kill(pid, 'SIGKILL');
    // A window whose host was killed starts a new one, which would use the model again.
    await workbench.page.close();
    const areRunning = async (): Promise<boolean> => (await Promise.all(pids.map(isRunning))).includes(true);
    for (let waited = 0; (await areRunning()) && waited < 60_000; waited += 200) await delay(200);
    assert.equal(await areRunning(), false);
    assert.equal(await readKeeperFile(file('models')), undefined);
  });
});
