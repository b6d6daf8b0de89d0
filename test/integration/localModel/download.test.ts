import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { discardPart, download, partOf, type DownloadOptions } from '../../../src/localModel/download/download';
import { downloadAddress, openDownload } from '../../../src/localModel/download/openDownload';
import type { SetUpError } from '../../../src/localModel/download/setUpError';
import { nodeProcesses } from '../../../src/workspace/node/processes/processIdentity';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { sendFile, startFileHost, type FileHost } from '../../support/localModel/fileHost';

describe('downloading a model', () => {
  const content = randomBytes(300_000);
  const sha256 = createHash('sha256').update(content).digest('hex');
  let folder: TemporaryFolder;
  let host: FileHost;
  let target: string;

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    host = await startFileHost({ 'model.gguf': content });
    target = path.join(folder.path, 'models', 'model.gguf');
  });

  afterEach(async () => {
    await host[Symbol.asyncDispose]();
    await folder.dispose();
  });

  const get = (more: Partial<DownloadOptions> = {}): Promise<void> =>
    download({
      url: host.url('model.gguf'),
      bytes: content.length,
      sha256,
      target,
      fetch: createFetch(),
      signal: new AbortController().signal,
      waitMs: () => 1,
      ...more,
    });
  const rejected = async (work: Promise<void>): Promise<SetUpError> =>
    work.then(
      () => assert.fail('It was downloaded.'),
      (error: SetUpError) => error,
    );
  const untouched = (): void => assert.equal(existsSync(target), false);

  it('writes the file under its name, and tells its progress', async () => {
    const told: number[] = [];
    await get({ onProgress: ({ doneBytes }) => told.push(doneBytes) });
    assert.deepEqual(readFileSync(target), content);
    assert.deepEqual([told[0], told.at(-1)], [0, content.length]);
    assert.equal(existsSync(partOf(target)), false);
    await get();
    assert.equal(host.requests.length, 1, 'a file that is there is not fetched again');
  });

  it('tells of an address nothing that may be a secret', async () => {
    const secrets = /hunter2|Signature|tok=/;
    const missing = await rejected(get({ url: `${host.url('none.gguf')}?X-Signature=abc&tok=1#tok=2` }));
    assert.match(missing.message, /does not have the file: http:\/\/[^?]*none\.gguf$/);
    const fetch = async (): Promise<Response> =>
      new Response(null, { status: 302, headers: { location: 'http://me:hunter2@cdn.example/x?Signature=abc' } });
    const redirected = await rejected(get({ fetch }));
    assert.match(redirected.message, /not safe: http:\/\/cdn\.example\/x$/);
    for (const address of [
      'http://me:hunter2@example.com/x.gguf',
      'https://me:hunter2@example.com/x?tok=1',
      'ftp://me:hunter2@h/x',
    ])
      assert.throws(
        () => downloadAddress(address),
        ({ message }: Error) => !secrets.test(message),
      );
  });

  it('goes on at any byte, with what a killed download has left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: content.length }), async (kept) => {
        await createPart(content.subarray(0, kept));
        host.requests.length = 0;
        await get();
        assert.deepEqual(readFileSync(target), content);
        const range = kept === 0 ? '' : ` bytes=${kept}-`;
        assert.deepEqual(host.requests, kept === content.length ? [] : [`GET /model.gguf${range}`]);
        truncateSync(target, 0);
      }),
      { numRuns: 25, seed: 18 },
    );
  });

  it('goes on with what it has when its process is killed at every tenth', async function () {
    this.timeout(120_000);
    const tenth = content.length / 10;
    for (let step = 1; step < 10; step += 1) {
      // Sends up to the tenth, and holds the rest back.
      host.act = (request, response) => {
        const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
        const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
        response.writeHead(from === 0 ? 200 : 206, { 'content-length': content.length - from, ...(from > 0 && range) });
        response.write(content.subarray(from, step * tenth));
        return true;
      };
      const parts = [host.url('model.gguf'), `${content.length}`, sha256, target];
      const child = spawn(process.execPath, ['-r', 'tsx/cjs', 'test/support/localModel/downloads.ts', ...parts], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const ended = once(child, 'exit');
      const size = (): number => (existsSync(partOf(target)) ? statSync(partOf(target)).size : 0);
      while (size() < step * tenth && child.exitCode === null) await delay(10);
      child.kill('SIGKILL');
      await ended;
      assert.equal(size(), step * tenth);
      untouched();
    }
    host.act = undefined;
    host.requests.length = 0;
    await get();
    assert.deepEqual(readFileSync(target), content);
    assert.deepEqual(host.requests, [`GET /model.gguf bytes=${9 * tenth}-`]);
  });

  it('gets the whole file again when the part is of another file', async () => {
    await createPart(randomBytes(1_000));
    await get();
    assert.deepEqual(readFileSync(target), content);
    assert.deepEqual(host.requests, ['GET /model.gguf bytes=1000-', 'GET /model.gguf']);
  });

  it('pauses at once, keeps what is there, and goes on', async () => {
    const pause = new AbortController();
    host.act = (request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 100_000));
      request.on('close', () => response.destroy());
      return true;
    };
    let ms = 0;
    const error = await rejected(
      get({
        signal: pause.signal,
        now: () => (ms += 1_000),
        onProgress: ({ doneBytes }) => void (doneBytes > 0 && pause.abort()),
      }),
    );
    assert.equal(error.code, 'paused');
    const kept = statSync(partOf(target)).size;
    assert.equal(kept > 0 && kept <= 100_000, true);
    host.act = undefined;
    await get();
    assert.equal(host.requests.at(-1), `GET /model.gguf bytes=${kept}-`);
    assert.deepEqual(readFileSync(target), content);
    await createPart(content.subarray(0, 10));
    await discardPart(target);
    assert.equal(existsSync(partOf(target)), false);
  });

  it('goes on by itself after cut connections, errors of the host and silence', async () => {
    host.act = (request, response, number) => {
      if (number === 1) response.writeHead(429, { 'retry-after': '0' }).end();
      else if (number === 2) response.writeHead(503).end();
      else if (number <= 5) {
        const start = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
        response.writeHead(start === 0 ? 200 : 206, {
          'content-length': content.length - start,
          ...(start > 0 && { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }),
        });
        // Cut, cut, silent.
        response.write(content.subarray(start, start + 50_000), () => number < 5 && response.destroy());
      } else return false;
      return true;
    };
    await get({ silenceMs: 200 });
    assert.deepEqual(readFileSync(target), content);
    assert.equal(host.requests.length, 6);
  });

  it('starts again where the host knows no ranges', async () => {
    await createPart(content.subarray(0, 5_000));
    host.act = (_request, response) => {
      sendFile(content, undefined, response);
      return true;
    };
    await get();
    assert.deepEqual(readFileSync(target), content);
  });

  for (const [name, wrong] of [
    ['another content', randomBytes(content.length)],
    ['one bit', Buffer.from(content).fill(content[7]! ^ 1, 7, 8)],
  ] as const) {
    it(`never keeps a file with a wrong checksum: ${name}`, async () => {
      host.act = (request, response) => {
        sendFile(wrong, request.headers.range, response);
        return true;
      };
      assert.equal((await rejected(get())).code, 'checksum');
      untouched();
      assert.equal(existsSync(partOf(target)), false);
    });
  }

  it('never writes more than the announced size', async () => {
    host.act = (_request, response) => {
      response.writeHead(200);
      response.write(content);
      response.end(randomBytes(1_000_000));
      return true;
    };
    assert.match((await rejected(get())).message, /sends more than the 300000 bytes/);
    untouched();
    assert.equal(statSync(partOf(target)).size, 0);
  });

  it('names host and status when the file is not there, without trying again', async () => {
    const error = await rejected(get({ url: host.url('gone.gguf') }));
    assert.match(error.message, /^127\.0\.0\.1:\d+ does not have the file: http/);
    assert.equal(host.requests.length, 1);
  });

  it('gives up when the host stays away', async () => {
    await host[Symbol.asyncDispose]();
    const error = await rejected(get());
    assert.deepEqual([error.code, /cannot be reached/.test(error.message)], ['host', true]);
  });

  it('says before the download that the disk is too small', async () => {
    const error = await rejected(get({ bytes: 9e15 }));
    assert.equal(error.code, 'disk_full');
    assert.match(error.message, /it needs 9000000\.0 GB, and 200 MB to spare, and has/);
    assert.deepEqual(host.requests, []);
  });

  it('lets only one process write a file, and takes over from a dead one', async () => {
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => {
      host.act = (_request, response) => {
        answer = () => sendFile(content, undefined, response);
        resolve();
        return true;
      };
    });
    const first = get();
    await asked;
    assert.equal((await rejected(get())).code, 'busy');
    host.act = undefined;
    answer?.();
    await first;
    truncateSync(target, 0);
    const dead = { ...(await nodeProcesses.self()), pid: 999_999_999 };
    writeFileSync(`${target}.lock`, JSON.stringify({ token: 'dead', process: dead }));
    await get();
    assert.deepEqual(readFileSync(target), content);
  });

  it('lets one of many write a file that begin at the same moment, also over the lock of a dead one', async () => {
    const self = await nodeProcesses.self();
    for (const owner of [undefined, { token: 'dead', process: { ...self, pid: 999_999_999 } }]) {
      await discardPart(target);
      rmSync(target, { force: true });
      if (owner) writeFileSync(`${target}.lock`, JSON.stringify(owner));
      host.requests.length = 0;
      const codes: string[] = [];
      // The host answers when all others were refused, so that none of them finds the finished file.
      await new Promise<void>((resolve, reject) => {
        let answer: (() => void) | undefined;
        const answerOnce = (): void => void (codes.length === 19 && answer?.());
        host.act = (_request, response) => {
          answer = () => sendFile(content, undefined, response);
          answerOnce();
          return true;
        };
        for (let count = 0; count < 20; count += 1) {
          get().then(resolve, (error: SetUpError) => {
            codes.push(error.code);
            if (codes.length === 20) reject(new Error('All were refused.'));
            answerOnce();
          });
        }
      });
      assert.deepEqual([...new Set(codes)], ['busy']);
      assert.deepEqual(host.requests, ['GET /model.gguf']);
      assert.deepEqual(readFileSync(target), content);
    }
  });

  it('follows redirects on this machine, and none that lead elsewhere', async () => {
    const to = (location: string): void => {
      host.act = (request, response) => {
        if (request.url !== '/model.gguf') return false;
        response.writeHead(302, { location }).end();
        return true;
      };
    };
    to('/other.gguf');
    assert.match((await rejected(get())).message, /does not have the file: http.*other\.gguf/);
    for (const location of [
      'http://example.com/x',
      'file:///etc/passwd',
      'ftp://127.0.0.1/x',
      'http://a:b@127.0.0.1/',
      'http://[',
    ]) {
      to(location);
      assert.equal((await rejected(get())).code, 'redirect', location);
    }
    to('/model.gguf');
    assert.match((await rejected(get())).message, /redirects too often/);
    untouched();
  });

  it('never leaves https, and takes http only from this machine', async () => {
    const from = (location: string) => async (): Promise<Response> =>
      new Response(null, { status: 302, headers: { location } });
    const open = (location: string) =>
      openDownload('https://models.example/a', { fetch: from(location), signal: new AbortController().signal });
    await assert.rejects(open('http://models.example/a'), /not safe/);
    await assert.rejects(open('http://127.0.0.1/a'), /not safe/);
    await assert.rejects(open('https://other.example/a'), /too often/);
    for (const address of ['http://models.example/a', 'file:///a', 'nonsense', 'https://me:secret@models.example/']) {
      assert.throws(() => downloadAddress(address), address);
    }
  });

  async function createPart(bytes: Buffer): Promise<void> {
    const { mkdir, writeFile } = await import('node:fs/promises');
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(partOf(target), bytes);
  }
});
