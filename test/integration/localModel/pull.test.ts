import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SetUpError } from '../../../src/localModel/download/setUpError';
import { pullConsent, pullModel, pulledFile, readPull, type Pull } from '../../../src/localModel/pull/pullModel';
import { PullOutput, type PullProgress } from '../../../src/localModel/pull/pullOutput';
import { lmsPieces, ollamaPieces, printing } from '../../support/localModel/pullPrograms';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

describe('a model that Ollama or LM Studio fetches', function () {
  this.timeout(60_000);
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(() => folder.dispose());

  /** A program that does what the script says. */
  const standIn = (script: string, kind: Pull['kind'] = 'ollama'): Pull => {
    const file = path.join(folder.path, kind);
    writeFileSync(file, `#!${process.execPath}\n${script}`);
    chmodSync(file, 0o755);
    return { kind, file, name: 'qwen3:8b' };
  };
  const failed = async (work: Promise<void>): Promise<SetUpError> =>
    work.then(
      () => assert.fail('It was pulled.'),
      (error: SetUpError) => error,
    );
  const { signal } = new AbortController();

  it('runs the program without a shell and without secrets', async () => {
    const script = `
      const { env, argv } = process;
      require('fs').writeFileSync(${JSON.stringify(path.join(folder.path, 'seen'))}, JSON.stringify([argv.slice(2), env.MY_TOKEN ?? '', env.LLAMA_API_KEY ?? '', env.HTTPS_PROXY]));`;
    const env = { ...process.env, MY_TOKEN: 'secret', LLAMA_API_KEY: 'k', HTTPS_PROXY: 'http://p.test:1' };
    for (const [kind, name, args] of [
      ['ollama', 'qwen3:8b', ['pull', 'qwen3:8b']],
      // Of names that are no artifacts, another format could be chosen.
      ['lms', 'qwen3-8b@q4_k_m', ['get', 'qwen3-8b@q4_k_m', '--gguf', '--yes']],
      ['lms', 'qwen/qwen3-8b', ['get', 'qwen/qwen3-8b', '--yes']],
    ] as const) {
      await pullModel({ ...standIn(script, kind), name }, { env, signal, onProgress: () => {} });
      const seen: unknown = JSON.parse(readFileSync(path.join(folder.path, 'seen'), 'utf8'));
      assert.deepEqual(seen, [args, '', '', 'http://p.test:1']);
    }
  });

  it('reads how far Ollama and LM Studio are, and their rates', () => {
    const told = (pieces: readonly string[]): readonly string[] => {
      const output = new PullOutput();
      const all = pieces.flatMap((piece) => output.add(piece) ?? []);
      return [...new Set(all.map(({ percent, text }) => `${percent}: ${text}`))];
    };
    assert.deepEqual(told(ollamaPieces), ['0: 0 %', '12: 612 MB of 5.2 GB, 45 MB/s, 1m42s left', '100: 100 %']);
    assert.deepEqual(told(lmsPieces), [
      '45: 45 %',
      '45: 1.20 GB of 2.65 GB, 35.20 MB/s, 00:41 left',
      // A line comes in pieces.
      '50: 1.20 GB of 2.65 GB, 35.20 MB/s, 00:41 left',
      '50: 1.33 GB of 2.65 GB, 35.20 MB/s, 00:37 left',
    ]);
  });

  it('tells how far the program is while it runs', async () => {
    for (const [kind, pieces, stream, last] of [
      ['ollama', ollamaPieces, 'stderr', 100],
      ['lms', lmsPieces, 'stdout', 50],
    ] as const) {
      const told: number[] = [];
      const options = { env: process.env, signal, onProgress: ({ percent }: PullProgress) => void told.push(percent) };
      await pullModel(standIn(printing(pieces, stream), kind), options);
      assert.equal(told.at(-1), last);
    }
  });

  it('names the program, its code and its last words when it fails', async () => {
    const pull = standIn(`console.error('\\u001b[1mError:\\u001b[0m\\u0007 file does not exist'); process.exit(1);`);
    const { code, message } = await failed(pullModel(pull, { env: process.env, signal, onProgress: () => {} }));
    assert.deepEqual([code, message], ['program', 'ollama ended with code 1. Error: file does not exist']);
    const missing = { ...pull, file: path.join(folder.path, 'none') };
    const error = await failed(pullModel(missing, { env: process.env, signal, onProgress: () => {} }));
    assert.match(error.message, /^ollama cannot be started: spawn .*ENOENT/);
  });

  it('stops the program when it is cancelled', async () => {
    const mark = path.join(folder.path, 'interrupted');
    const pull = standIn(`
      process.on('SIGINT', () => { require('fs').writeFileSync(${JSON.stringify(mark)}, ''); process.exit(130); });
      setInterval(() => {}, 1000);
      process.stderr.write('pulling 3291abe70f16: 40%');`);
    const stopping = new AbortController();
    const options = { env: process.env, signal: stopping.signal, onProgress: () => stopping.abort() };
    assert.equal((await failed(pullModel(pull, options))).code, 'paused');
    assert.equal(existsSync(mark), true);
  });

  it('stops LM Studio, which asks first whether to go on in the background', async () => {
    const mark = path.join(folder.path, 'interrupted');
    const pull = standIn(
      `let count = 0;
      process.on('SIGINT', () => {
        count += 1;
        require('fs').writeFileSync(${JSON.stringify(mark)}, String(count));
        if (count > 1) process.exit(1);
        process.stdout.write('\\nContinue to download in the background? (Y/N): ');
      });
      setInterval(() => {}, 1000);
      process.stdout.write('\\r⠋ [█] 5.00% | 1 MB / 2 MB | 1 MB/s | ETA 00:01');`,
      'lms',
    );
    const stopping = new AbortController();
    const options = { env: process.env, signal: stopping.signal, onProgress: () => stopping.abort() };
    assert.equal((await failed(pullModel(pull, options))).code, 'paused');
    assert.equal(readFileSync(mark, 'utf8'), '2');
  });

  it('takes only names of models, of programs that are here', () => {
    const programs = [{ kind: 'ollama', file: '/bin/ollama' }] as const;
    assert.equal(readPull('qwen3-8b', programs), undefined);
    assert.deepEqual(readPull('ollama:hf.co/a/b:Q4_K_M', programs), {
      ...{ kind: 'ollama', file: '/bin/ollama', name: 'hf.co/a/b:Q4_K_M' },
    });
    for (const name of ['', '--insecure', 'a b', 'a\nb', 'a;b', 'x'.repeat(300)]) {
      assert.throws(() => readPull(`ollama:${name}`, programs), /is not a name of a model/);
    }
    assert.throws(() => readPull('lms:qwen3', programs), /lms was not found on this machine/);
  });

  it('asks with command, host and the page of the model', () => {
    const pull = { kind: 'ollama', file: '/bin/ollama', name: 'qwen3:8b' } as const;
    assert.equal(
      pullConsent(pull),
      '• qwen3:8b from registry.ollama.ai, with the command: ollama pull qwen3:8b\n' +
        '• Size and licence are not known before: see https://ollama.com/library/qwen3.\n' +
        'Ollama keeps the model in its own folder.',
    );
    assert.match(pullConsent({ ...pull, name: 'hf.co/a/b:Q4' }), /from hf\.co, .*\n.*the page of the model at hf\.co/);
    assert.match(pullConsent({ ...pull, kind: 'lms', name: 'qwen/qwen3-8b' }), /from huggingface\.co, .*lms get qwen/);
  });

  it('finds the file afterwards', () => {
    const old = { file: '/m/old.gguf', name: 'old', bytes: 1, from: 'LM Studio' } as const;
    const made = { file: '/m/new.gguf', name: 'new', bytes: 1, from: 'LM Studio' } as const;
    const ollama = { file: '/o/1', name: 'qwen3:latest', bytes: 1, from: 'Ollama' } as const;
    const after = [old, made, ollama];
    assert.equal(pulledFile({ kind: 'lms', file: '', name: 'new' }, [old], after), made);
    assert.equal(pulledFile({ kind: 'ollama', file: '', name: 'qwen3' }, [old], after), ollama);
    assert.equal(pulledFile({ kind: 'ollama', file: '', name: 'qwen3:8b' }, [old], after), undefined);
  });
});
