import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runProgram } from '../../../src/localModel/machine/runProgram';
import { pullModel } from '../../../src/localModel/pull/pullModel';
import { serverEnvironment } from '../../../src/localModel/run/launch';
import { ServerProcess } from '../../../src/localModel/run/serverProcess';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

const SECRETS = {
  DATABASE_URL: 'postgres://me:hunter2@db.example/x',
  MY_PAT: 'x1',
  SOME_ADDRESS: 'https://ghp_0123456789abcdefghijklmnop@example.com/',
};

/** The set-up may run in a folder that an attacker wrote, and the programs are foreign. */
describe('programs that run and fetch models', () => {
  let folder: TemporaryFolder;
  let bin: string;
  let hostile: string;
  const before = { cwd: process.cwd(), env: { ...process.env } };

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    [bin, hostile] = [path.join(folder.path, 'bin'), path.join(folder.path, 'hostile')];
    for (const place of [bin, hostile]) mkdirSync(place);
    process.chdir(hostile);
    Object.assign(process.env, SECRETS);
  });
  afterEach(async () => {
    process.chdir(before.cwd);
    for (const name of Object.keys(process.env)) if (!(name in before.env)) delete process.env[name];
    Object.assign(process.env, before.env);
    await folder.dispose();
  });

  /** A program that tells the folder that it runs in, and its variables. */
  function place(where: string, name: string): string {
    const file = path.join(where, name);
    const seen = JSON.stringify(path.join(folder.path, 'seen'));
    const tell = 'JSON.stringify({ cwd: process.cwd(), env: process.env, argv: process.argv.slice(2) })';
    writeFileSync(
      file,
      `#!${process.execPath}\nrequire('fs').writeFileSync(${seen}, ${tell});\nconsole.log('ran ${where}');`,
    );
    chmodSync(file, 0o755);
    return file;
  }

  function assertSafe(): void {
    const { cwd, env } = JSON.parse(readFileSync(path.join(folder.path, 'seen'), 'utf8')) as {
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
    };
    assert.equal(cwd, bin);
    for (const name of Object.keys(SECRETS)) assert.equal(env[name], undefined, name);
    assert.equal(typeof env['PATH'], 'string');
  }

  it('do not run in the current folder, from which llama.cpp loads libraries, and get no secrets', async () => {
    const server = place(bin, 'llama-server');
    assert.match((await runProgram(server, ['--list-devices'])) ?? '', /^ran /);
    assertSafe();
    const launch = { program: server, modelFile: '/x.gguf', modelBytes: 1, name: 'x', context: 16_384 };
    await (
      await ServerProcess.start(launch, 0)
    ).ended;
    assertSafe();
    const pull = { kind: 'ollama', file: place(bin, 'ollama'), name: 'x' } as const;
    await pullModel(pull, { env: process.env, signal: new AbortController().signal, onProgress: () => {} });
    assertSafe();
  });

  it('are not taken from a relative folder of PATH', async () => {
    place(hostile, 'nvidia-smi');
    process.env['PATH'] = ['.', '', bin].join(path.delimiter);
    assert.equal(await runProgram('nvidia-smi', []), undefined);
    place(bin, 'nvidia-smi');
    assert.equal((await runProgram('nvidia-smi', []))?.trim(), `ran ${bin}`);
    assertSafe();
  });

  it('get the key of the server, and no setting of llama.cpp', () => {
    const env = { PATH: '/bin', LLAMA_ARG_HOST: '0.0.0.0', MY_TOKEN: 'abc', MONKEY: 'x', ELECTRON_RUN_AS_NODE: '1' };
    assert.deepEqual(serverEnvironment(env, 'k'), { PATH: '/bin', MONKEY: 'x', LLAMA_API_KEY: 'k' });
  });
});
