import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { takeExistingLease } from '../../../src/localModel/run/keeperClient';
import { readKeeperFile } from '../../../src/localModel/run/keeperFile';
import { delay } from '../../../src/util/async/delay';
import { startCli, type CliEnded } from '../../support/commandLine/commandLine';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { ollamaPieces, printing } from '../../support/localModel/pullPrograms';
import { sendFile, startFileHost, type FileHost } from '../../support/localModel/fileHost';
import { text, uint32, writeGguf } from '../../live/models/gguf';
import { writeFakeLlamaServer } from '../../support/localModel/fakeLlamaServer';

/** A model file that the checks accept, of four bytes for each number. */
function smallModel(numbers = 50_000): Buffer {
  const metadata = new Map(
    Object.entries({
      'general.architecture': text('llama'),
      'llama.block_count': uint32(4),
      'llama.embedding_length': uint32(256),
      'llama.attention.head_count': uint32(4),
      'llama.context_length': uint32(32_768),
    }),
  );
  return writeGguf(metadata, [{ name: 't', shape: [numbers], values: new Float32Array(numbers) }]);
}

describe('open-agent setup', function () {
  this.timeout(120_000);
  let folder: TemporaryFolder;
  let host: FileHost;
  const model = smallModel();

  beforeEach(async () => {
    folder = await createTemporaryFolder({ 'work/a.txt': 'a' });
    const { program } = await writeFakeLlamaServer(folder.path);
    const archive = pack();
    archive.entry({ name: 'build/llama-server', mode: 0o755 }, readFileSync(program));
    archive.finalize();
    const parts: Buffer[] = [];
    for await (const part of archive) parts.push(part as Buffer);
    const release = gzipSync(Buffer.concat(parts));
    host = await startFileHost({ 'release.tar.gz': release, 'tiny.gguf': model });
    const checked = (bytes: Buffer, name: string) => ({
      url: host.url(name),
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      verifiedOn: '2026-11-23',
    });
    const architecture = { kind: 'llama', layers: 2, kvHeads: 1, keyLength: 64, valueLength: 64 };
    const catalogue = {
      models: [
        {
          id: 'tiny',
          name: 'Tiny',
          file: 'tiny.gguf',
          ...checked(model, 'tiny.gguf'),
          licence: { name: 'MIT' },
          architecture,
        },
        {
          id: 'unverified',
          name: 'Unverified',
          file: 'x.gguf',
          url: host.url('x.gguf'),
          licence: { name: 'MIT' },
          architecture,
        },
        {
          ...{ id: 'huge', name: 'Huge', file: 'huge.gguf', licence: { name: 'MIT' }, architecture },
          ...checked(model, 'huge.gguf'),
          bytes: 9e11,
        },
      ],
      programs: ['vulkan', 'processor'].map((device) => ({
        ...{ id: `test-${device}`, platform: process.platform, arch: process.arch, device, licence: { name: 'MIT' } },
        ...checked(release, 'release.tar.gz'),
      })),
    };
    writeFileSync(path.join(folder.path, 'catalogue.json'), JSON.stringify(catalogue));
  });

  afterEach(async () => {
    await host[Symbol.asyncDispose]();
    const kept = path.join(folder.path, 'home/.open-agent/local-models');
    for (let waited = 0; (await readKeeperFile(kept)) && waited < 30_000; waited += 100) await delay(100);
    assert.equal(await readKeeperFile(kept), undefined, 'the keeper has ended');
    await folder.dispose();
  });

  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliEnded> => {
    const home = path.join(folder.path, 'home');
    mkdirSync(home, { recursive: true });
    const started = startCli(args, { folder: path.join(folder.path, 'work'), home, env: { PATH: '/nothing', ...env } });
    started.child.stdin.end();
    return started.ended;
  };
  const setUp = (...args: readonly string[]): Promise<CliEnded> =>
    run(['setup', '--catalogue', path.join(folder.path, 'catalogue.json'), ...args]);

  it('lists what fits, and fetches nothing without a yes that names host, size and licence', async () => {
    const listed = await setUp();
    assert.match(listed.stdout, /^This machine has [\d.]+ GB of memory/);
    assert.match(
      listed.stdout,
      / 1 {2}Tiny {2}\[tiny\]\n {5}from 127\.0\.0\.1:\d+ · 201 kB · slow · on the processor · needs /,
    );
    assert.doesNotMatch(listed.stdout, /Unverified|Huge/);
    assert.match(listed.stdout, /1 more does not fit into this machine\./);
    const asked = await setUp('--model', 'tiny');
    assert.equal(asked.code, 3);
    assert.match(
      asked.stderr,
      /llama-server, the program that runs the model: \d+ kB from 127\.0\.0\.1:\d+, licence MIT/,
    );
    assert.match(asked.stderr, /• Tiny: 201 kB from 127\.0\.0\.1:\d+, licence MIT/);
    assert.match(asked.stderr, /Nothing was fetched: add --yes/);
    assert.match((await setUp('--model', 'huge', '--yes')).stderr, /There is no model huge in this list/);
    assert.deepEqual(host.requests, []);
  });

  it('fetches, unpacks, starts and checks a model with --yes, uses it afterwards, and removes it', async () => {
    const done = await setUp('--model', 'tiny', '--yes');
    assert.match(done.stdout, /OpenAI-compatible|llama/i, done.stderr);
    assert.match(done.stderr, /The model is set up/);
    assert.deepEqual(host.requests, ['GET /release.tar.gz', 'GET /tiny.gguf']);
    const checked = await run(['doctor']);
    assert.match(checked.stderr, /Loading Tiny on this machine/);
    assert.match(checked.stdout, /http:\/\/127\.0\.0\.1:\d+\/v1/);
    const answered = await run(['-p', 'Say hello.']);
    assert.match(answered.stdout, /Hello from Tiny/, answered.stderr);
    const again = await setUp();
    assert.match(again.stdout, / 1 {2}Tiny {2}\[file:tiny\]\n {5}in use · here already, from Open Agent · /);
    const listed = await setUp('--list');
    assert.match(
      listed.stdout,
      /model +201 kB {2}tiny\.gguf \(in use\)\nprogram +\d+ kB {2}test-\w+ \(in use\)\nTogether \d+ kB in .*local-models; [\d.]+ [MGT]?B are free\.\n$/,
    );
    assert.match((await setUp('--remove', 'tiny.gguf')).stdout, /Removed tiny\.gguf, 201 kB/);
    assert.doesNotMatch((await run(['doctor'])).stderr, /Loading Tiny/);
  });

  it('starts the model again for a request that is served, after it was stopped', async () => {
    await setUp('--model', 'tiny', '--yes');
    const places = { folder: path.join(folder.path, 'work'), home: path.join(folder.path, 'home') };
    const { child, ended } = startCli(['serve', '--port', '0'], { ...places, env: { PATH: '/nothing' } });
    const said = await new Promise<string>((resolve, reject) => {
      ended.then(({ stderr }) => reject(new Error(stderr)), reject);
      let text = '';
      child.stdout.on('data', (part: string) => {
        text += part;
        if (text.includes('Token: ') && text.endsWith('\n')) resolve(text);
      });
    });
    const [, baseUrl = '', token = ''] = /at (http:\S+), model open-agent\.\nToken: (\S+)\n$/.exec(said) ?? [];
    const ask = async (): Promise<string> => {
      const answer = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ model: 'open-agent', messages: [{ role: 'user', content: 'Hello' }] }),
      });
      return answer.text();
    };
    const kept = path.join(places.home, '.open-agent/local-models');
    const onInternalError = (error: unknown): void => assert.fail(String(error));
    const stop = async (): Promise<void> => {
      const lease = (await takeExistingLease({ folder: kept, onInternalError }))!;
      const stopped = new Promise<void>((resolve) => {
        lease.onChange((status) => status?.kind === 'stopped' && resolve());
      });
      lease.send({ type: 'stop' });
      await stopped;
      lease.dispose();
    };
    assert.match(await ask(), /Hello from Tiny/);
    await stop();
    assert.match(await ask(), /Hello from Tiny/);
    await stop();
    assert.match(await ask(), /Hello from Tiny/);
    child.kill('SIGINT');
    assert.equal((await ended).code, 0);
  });

  it('updates the model and its program, and says what is newer', async () => {
    assert.match((await setUp('--model', 'tiny', '--yes')).stderr, /The model is set up/);
    const none = await setUp('--update');
    assert.deepEqual([none.code, /no newer version/.test(none.stdout)], [0, true]);
    const newer = smallModel(75_000);
    const file = path.join(folder.path, 'catalogue.json');
    const catalogue = JSON.parse(readFileSync(file, 'utf8')) as { models: { id: string }[] };
    const changed = { bytes: newer.length, sha256: createHash('sha256').update(newer).digest('hex') };
    const models = catalogue.models.map((entry) => (entry.id === 'tiny' ? { ...entry, ...changed } : entry));
    writeFileSync(file, JSON.stringify({ ...catalogue, models }));
    assert.match((await setUp()).stdout, /Update for Tiny: a newer version of the model\. Get it with --update\.\n/);
    const asked = await setUp('--update');
    assert.match(asked.stderr, /• Tiny: 301 kB from 127\.0\.0\.1:\d+, licence MIT/);
    assert.equal(asked.code, 3);
    host.requests.length = 0;
    host.act = (request, response) => {
      if (request.url !== '/tiny.gguf') return false;
      sendFile(newer, request.headers.range, response);
      return true;
    };
    assert.match((await setUp('--update', '--yes')).stderr, /The model is set up/);
    assert.deepEqual(host.requests, ['GET /tiny.gguf']);
    assert.match((await setUp('--list')).stdout, /model +301 kB {2}tiny\.gguf \(in use\)/);
  });

  it('says why a download waits, goes on by itself, and names what went wrong', async () => {
    let count = 0;
    host.act = (request, response) => {
      if (request.url !== '/tiny.gguf') return false;
      count += 1;
      if (count === 1) response.writeHead(429, { 'retry-after': '1' }).end();
      else if (count === 2) response.destroy();
      else return false;
      return true;
    };
    const done = await setUp('--model', 'tiny', '--yes');
    assert.match(done.stderr, /127\.0\.0\.1:\d+ answers with status 429\. Trying again in 1 s\.\n/);
    assert.match(done.stderr, /127\.0\.0\.1:\d+ cannot be reached: it broke the connection\. Trying again in \d s\.\n/);
    assert.match(done.stderr, /The model is set up/);
    assert.match((await setUp('--remove', 'tiny.gguf')).stdout, /Removed/);
    host.act = (request, response) => {
      if (request.url !== '/tiny.gguf') return false;
      response.writeHead(404).end();
      return true;
    };
    const gone = await setUp('--model', 'tiny', '--yes');
    assert.match(gone.stderr, /Error: 127\.0\.0\.1:\d+ does not have the file: http:.*tiny\.gguf/);
    assert.equal(gone.code, 1);
  });

  it('keeps everything in a folder of the person, and finds it there afterwards', async () => {
    const named = path.join(folder.path, 'work', 'my models');
    const wrong = await run(
      ['setup', '--catalogue', path.join(folder.path, 'catalogue.json'), '--model', 'https://model.test/a.gguf'],
      { HTTPS_PROXY: 'socks5://127.0.0.1:1' },
    );
    assert.match(wrong.stderr, /HTTPS_PROXY or ALL_PROXY holds no address of an http or https proxy/);
    const asked = await setUp('--model', 'tiny', '--folder', 'my models');
    assert.match(asked.stderr, /kept in .*work\/my models\./);
    assert.equal(existsSync(named), false, 'nothing is made before the yes');
    assert.match((await setUp('--model', 'tiny', '--yes', '--folder', 'my models')).stderr, /The model is set up/);
    assert.deepEqual(readdirSync(path.join(named, 'models')), ['tiny.gguf']);
    assert.equal(existsSync(path.join(folder.path, 'home/.open-agent/local-models')), false);
    assert.match((await run(['setup', '--list'])).stdout, /tiny\.gguf \(in use\)/);
    for (let waited = 0; (await readKeeperFile(named)) && waited < 30_000; waited += 100) await delay(100);
    assert.equal(await readKeeperFile(named), undefined, 'the keeper has ended');
  });

  it('has Ollama pull a model after a yes, and runs the file', async () => {
    const bin = path.join(folder.path, 'bin');
    const store = path.join(folder.path, 'ollama');
    const digest = 'a'.repeat(64);
    mkdirSync(bin);
    // Writes the model as Ollama does.
    const source = path.join(folder.path, 'pulled.gguf');
    writeFileSync(source, smallModel());
    const layers = [{ mediaType: 'application/vnd.ollama.image.model', digest: `sha256:${digest}` }];
    const script = `#!${process.execPath}
      const fs = require('node:fs');
      const store = ${JSON.stringify(store)};
      fs.mkdirSync(store + '/manifests/registry.ollama.ai/library/tiny', { recursive: true });
      fs.mkdirSync(store + '/blobs');
      ${printing(ollamaPieces, 'stderr')}
      fs.copyFileSync(${JSON.stringify(source)}, store + '/blobs/sha256-${digest}');
      fs.writeFileSync(store + '/manifests/registry.ollama.ai/library/tiny/1b', '${JSON.stringify({ layers })}');`;
    writeFileSync(path.join(bin, 'ollama'), script, { mode: 0o755 });
    const args = ['setup', '--catalogue', path.join(folder.path, 'catalogue.json'), '--model', 'ollama:tiny:1b'];
    const env = { PATH: bin, OLLAMA_MODELS: store };
    const asked = await run([...args, '--llama-server', path.join(folder.path, 'llama-server')], env);
    assert.match(asked.stderr, /tiny:1b from registry\.ollama\.ai, with the command: ollama pull tiny:1b/);
    assert.deepEqual([asked.code, existsSync(store)], [3, false]);
    const done = await run([...args, '--yes', '--llama-server', path.join(folder.path, 'llama-server')], env);
    assert.match(done.stderr, /100 %\n[^]*The model is set up/);
    assert.match(done.stdout, /tiny:1b/);
    assert.deepEqual(host.requests, []);
  });

  it('goes on after a kill at every tenth of the download, and the model starts only when it is whole', async () => {
    for (let tenth = 1; tenth < 10; tenth += 1) {
      const upTo = Math.floor((model.length * tenth) / 10);
      const started = new Promise<void>((resolve) => {
        host.act = (request, response) => {
          if (request.url !== '/tiny.gguf') return false;
          const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
          response.writeHead(from === 0 ? 200 : 206, {
            'content-length': model.length - from,
            ...(from > 0 && { 'content-range': `bytes ${from}-${model.length - 1}/${model.length}` }),
          });
          response.write(model.subarray(from, upTo), () => resolve());
          return true;
        };
      });
      const home = path.join(folder.path, 'home');
      mkdirSync(home, { recursive: true });
      const cli = startCli(
        ['setup', '--catalogue', path.join(folder.path, 'catalogue.json'), '--model', 'tiny', '--yes'],
        { folder: path.join(folder.path, 'work'), home, env: { PATH: '/nothing' } },
      );
      await started;
      const part = path.join(home, '.open-agent/local-models/models/tiny.gguf.part');
      for (let waited = 0; !existsSync(part) && waited < 5_000; waited += 20) await delay(20);
      cli.child.kill('SIGKILL');
      await cli.ended;
      assert.equal(existsSync(path.join(home, '.open-agent/local-models/models/tiny.gguf')), false);
    }
    host.act = (request, response) => {
      if (request.url !== '/tiny.gguf') return false;
      sendFile(model, request.headers.range, response);
      return true;
    };
    const done = await setUp('--model', 'tiny', '--yes');
    assert.match(done.stderr, /The model is set up/);
    assert.deepEqual(readdirSync(path.join(folder.path, 'home/.open-agent/local-models/models')), ['tiny.gguf']);
  });
});
