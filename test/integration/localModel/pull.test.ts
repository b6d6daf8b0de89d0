import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SetUpError } from '../../../src/localModel/download/setUpError';
import { pullConsent, pullModel, pulledFile, readPull, type Pull } from '../../../src/localModel/pull/pullModel';
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

  it('runs the program without a shell and without secrets, and reads its percentages', async () => {
    const script = `
      const { env, argv } = process;
      process.stderr.write('\\u001b[?25lpulling manifest\\r\\npulling 3291abe70f16:  12% 612 MB/5.2 GB\\u001b[K\\r');
      require('fs').writeFileSync(${JSON.stringify(path.join(folder.path, 'seen'))}, JSON.stringify([argv.slice(2), env.MY_TOKEN ?? '', env.LLAMA_API_KEY ?? '', env.HTTPS_PROXY]));
      process.stdout.write('100.0 %\\n');`;
    const env = { ...process.env, MY_TOKEN: 'secret', LLAMA_API_KEY: 'k', HTTPS_PROXY: 'http://p.test:1' };
    for (const [kind, args] of [
      ['ollama', ['pull', 'qwen3:8b']],
      ['lms', ['get', 'qwen3:8b', '--yes']],
    ] as const) {
      const told: number[] = [];
      await pullModel(standIn(script, kind), { env, signal, onProgress: (percent) => told.push(percent) });
      assert.deepEqual(told.toSorted((a, b) => a - b).at(-1), 100);
      const { readFileSync } = await import('node:fs');
      const seen: unknown = JSON.parse(readFileSync(path.join(folder.path, 'seen'), 'utf8'));
      assert.deepEqual(seen, [args, '', '', 'http://p.test:1']);
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
