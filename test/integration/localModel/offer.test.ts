import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseCatalogue, readCatalogue } from '../../../src/localModel/catalogue/catalogue';
import shipped from '../../../src/localModel/catalogue/catalogue.json';
import type { Hardware } from '../../../src/localModel/machine/hardware';
import { readState, updateState } from '../../../src/localModel/localState';
import { recordServer } from '../../../src/localModel/run/serverRecord';
import { fetchChoice } from '../../../src/localModel/setUp/fetchChoice';
import { listKept, removeKept } from '../../../src/localModel/setUp/kept';
import { findOffer } from '../../../src/localModel/setUp/offer';
import { choiceOfUrl } from '../../../src/localModel/setUp/ownModel';
import { choiceNeed, choiceOrigin, leftOutText } from '../../../src/localModel/setUp/setUpText';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { sendFile, startFileHost } from '../../support/localModel/fileHost';
import { text, uint32, writeGguf } from '../../live/models/gguf';

const GIB = 1024 ** 3;
const hardware: Hardware = {
  ...{ platform: 'linux', arch: 'x64', gpus: [], isUnified: false },
  ...{ memoryBytes: 16 * GIB, availableBytes: 12 * GIB },
};

/** A model file of 41 MB, whose tensors say nothing. */
function modelFile(layers = 4): Buffer {
  const metadata = new Map(
    Object.entries({
      'general.architecture': text('llama'),
      'general.license': text('mit'),
      'llama.block_count': uint32(layers),
      'llama.embedding_length': uint32(256),
      'llama.attention.head_count': uint32(4),
      'llama.context_length': uint32(32_768),
    }),
  );
  return writeGguf(metadata, [{ name: 't', shape: [10_250_000], values: new Float32Array(10_250_000) }]);
}

describe('the models that are offered', () => {
  let home: TemporaryFolder;
  const file = modelFile();

  beforeEach(async () => {
    home = await createTemporaryFolder();
    const bin = path.join(home.path, 'bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'llama-server'), '');
    await chmod(path.join(bin, 'llama-server'), 0o755);
  });
  afterEach(() => home.dispose());

  const put = async (name: string, content: Buffer | string = file): Promise<void> => {
    const full = path.join(home.path, name);
    await mkdir(path.dirname(full), { recursive: true });
    await writeFile(full, content);
  };
  const offer = (more: { readonly catalogue?: string; readonly PATH?: string; readonly hardware?: Hardware } = {}) =>
    findOffer({
      ...{ platform: 'linux', env: { PATH: more.PATH ?? path.join(home.path, 'bin') }, home: home.path },
      hardware: more.hardware ?? hardware,
      ...{ folder: path.join(home.path, 'own'), catalogue: more.catalogue ?? '' },
      run: async () => undefined,
    });

  it('finds models in the folders of other programs, each once, and leaves out what is no model of its own', async () => {
    await put('.cache/llama.cpp/one.gguf');
    await put('.lmstudio/models/maker/two/two.gguf');
    await put('.lmstudio/models/maker/two/mmproj-two.gguf');
    await put('.lmstudio/models/maker/big/big-00001-of-00002.gguf');
    await put('.cache/huggingface/hub/models--a--b/blobs/abc.gguf');
    await put('.cache/llama.cpp/broken.gguf', Buffer.alloc(50_000_000));
    await mkdir(path.join(home.path, '.cache/huggingface/hub/models--a--b/snapshots/1'), { recursive: true });
    await symlink(
      '../../blobs/abc.gguf',
      path.join(home.path, '.cache/huggingface/hub/models--a--b/snapshots/1/abc.gguf'),
    );
    const digest = 'a'.repeat(64);
    await put(`.ollama/models/blobs/sha256-${digest}`);
    const layers = [{ mediaType: 'application/vnd.ollama.image.model', digest: `sha256:${digest}` }];
    await put('.ollama/models/manifests/registry.ollama.ai/library/qwen3/8b', JSON.stringify({ layers }));
    await put('.ollama/models/manifests/registry.ollama.ai/library/evil/1', '{"layers":[{"digest":"../../x"}]}');
    const { choices, problems } = await offer();
    assert.deepEqual(
      choices.map(({ name, from }) => `${name}: ${from}`).toSorted((a, b) => (a < b ? -1 : 1)),
      [
        'abc: here already, from Hugging Face',
        'one: here already, from llama.cpp',
        'qwen3:8b: here already, from Ollama',
        'two: here already, from LM Studio',
      ],
    );
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /broken\.gguf: This is not a GGUF file/);
  });

  it('offers nothing without a program to run it', async () => {
    await put('.cache/llama.cpp/one.gguf');
    const { choices, program } = await offer({ PATH: 'bin:.' });
    assert.deepEqual([choices, program], [[], undefined]);
  });

  it('ships a catalogue that is well formed, and offers only verified entries of it', async () => {
    const all = parseCatalogue(shipped);
    assert.equal(all.models.length > 0 && all.programs.length > 0, true);
    const reading = await readCatalogue('', {});
    assert.equal(reading.ok, true);
    const verified = all.models.filter(({ sha256, bytes, verifiedOn }) => sha256 && bytes && verifiedOn);
    assert.equal(reading.ok && reading.catalogue.models.length, verified.length);
  });

  it('takes the mirror of the model host, and says what is wrong with a catalogue', async () => {
    const [entry] = parseCatalogue(shipped).models;
    const whole = { ...entry, bytes: 1_000_000, sha256: 'a'.repeat(64), verifiedOn: '2026-11-23', revision: 'abc' };
    await put('catalogue.json', JSON.stringify({ models: [whole], programs: [] }));
    const catalogue = path.join(home.path, 'catalogue.json');
    const reading = await readCatalogue(catalogue, { HF_ENDPOINT: 'https://mirror.example/hf/' });
    const url = `https://mirror.example/hf/${entry?.repository}/resolve/abc/${entry?.file}`;
    assert.equal(reading.ok && reading.catalogue.models[0]?.url, url);
    await put('catalogue.json', JSON.stringify({ models: [{ ...whole, sha256: 'short' }], programs: [] }));
    const bad = await readCatalogue(catalogue, {});
    assert.match(bad.ok ? '' : bad.message, /catalogue\.json is not a catalogue of models: models\.0\.sha256/);
    assert.match((await offer({ catalogue })).problems[0] ?? '', /not a catalogue/);
  });

  it("asks the host of the person's own address for the header and the checksum, and refuses what does not fit", async () => {
    await using host = await startFileHost({ 'own.gguf': file, 'huge.gguf': modelFile(4_000) });
    const sha256 = 'b'.repeat(64);
    host.act = (request, response) => {
      if (!request.url?.startsWith('/link/')) return false;
      response.writeHead(302, { location: request.url.slice(5), 'x-linked-etag': `"${sha256}"` }).end();
      return true;
    };
    const program = { kind: 'installed', file: '/llama-server' } as const;
    const options = { hardware, program, fetch: createFetch(), signal: AbortSignal.timeout(30_000) };
    const choice = await choiceOfUrl(`${host.origin}/link/own.gguf`, options);
    assert.deepEqual(choice.model, {
      ...{ kind: 'download', url: `${host.origin}/link/own.gguf`, fileName: 'own.gguf', licence: 'mit', sha256 },
    });
    assert.deepEqual([choice.bytes, choice.fit.context], [file.length, 32_768]);
    await assert.rejects(choiceOfUrl(host.url('huge.gguf'), options), /does not fit into this machine/);
    await assert.rejects(choiceOfUrl(host.url('gone.gguf'), options), /status 404/);
  });

  const licence = { name: 'MIT' };
  const architecture = { kind: 'llama', layers: 4, kvHeads: 4, keyLength: 64, valueLength: 64 };
  const own = (name: string): string => path.join(home.path, 'own', name);
  const entryOf = (bytes: Buffer, more: object = {}) => ({
    ...{ id: 'tiny', name: 'Tiny', file: 'tiny.gguf', url: 'https://models.example/tiny.gguf', licence, architecture },
    ...{ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), verifiedOn: '2026-11-23' },
    ...more,
  });
  const putCatalogue = async (models: readonly object[], programs: readonly object[] = []): Promise<string> => {
    await put('catalogue.json', JSON.stringify({ models, programs }));
    return path.join(home.path, 'catalogue.json');
  };
  const fetchOptions = (folder: string) => ({
    ...{ folder, fetch: createFetch(), signal: AbortSignal.timeout(60_000), onStep: () => {} },
  });

  it('keeps name, checksum and the sampling of the makers when a fetched model is chosen again', async () => {
    const sampling = { temperature: 0.6, topP: 0.95, topK: 20, minP: 0 };
    await using host = await startFileHost({ 'tiny.gguf': file });
    const catalogue = await putCatalogue([entryOf(file, { url: host.url('tiny.gguf'), sampling })]);
    const [first] = (await offer({ catalogue })).choices;
    const launch = await fetchChoice(first!, fetchOptions(own('')));
    const { choices } = await offer({ catalogue });
    assert.deepEqual(
      choices.map(({ id, name, isInUse, sampling: known }) => ({ id, name, isInUse, known })),
      [{ id: 'file:tiny', name: 'Tiny', isInUse: true, known: sampling }],
    );
    assert.deepEqual(await fetchChoice(choices[0]!, fetchOptions(own(''))), launch);
    assert.deepEqual([launch.sampling, launch.name], [sampling, 'Tiny']);
    // Also without the catalogue that it came from.
    const [kept] = (await offer()).choices;
    assert.deepEqual([kept?.name, kept?.sampling], ['Tiny', sampling]);
  });

  it('knows the sampling of files that other programs have fetched, by name and checksum', async () => {
    const sampling = { temperature: 0.7 };
    const { sha256 } = entryOf(file);
    // An entry that was never verified tells it too.
    const unverified = { ...entryOf(file, { sampling }), bytes: undefined, sha256: undefined, verifiedOn: undefined };
    await put('.cache/llama.cpp/maker_Tiny-GGUF_Tiny.gguf');
    const catalogue = await putCatalogue([unverified]);
    assert.deepEqual((await offer({ catalogue })).choices[0]?.sampling, sampling);
    await put(`.ollama/models/blobs/sha256-${sha256}`);
    const layers = [{ mediaType: 'application/vnd.ollama.image.model', digest: `sha256:${sha256}` }];
    await put('.ollama/models/manifests/registry.ollama.ai/library/tiny/1b', JSON.stringify({ layers }));
    await putCatalogue([entryOf(file, { file: 'other-name.gguf', sampling })]);
    const found = (await offer({ catalogue })).choices.find(({ name }) => name === 'tiny:1b');
    assert.deepEqual([found?.sampling, found?.from], [sampling, 'here already, from Ollama']);
  });

  it('offers a newer version of a model, and keeps the old one until the new one is whole', async () => {
    const newer = Buffer.concat([file, Buffer.alloc(16)]);
    await using host = await startFileHost({ 'tiny.gguf': file });
    const at = { url: host.url('tiny.gguf') };
    const catalogue = await putCatalogue([entryOf(file, at)]);
    const before = await fetchChoice((await offer({ catalogue })).choices[0]!, fetchOptions(own('')));
    assert.deepEqual((await offer({ catalogue })).updates, []);
    await putCatalogue([entryOf(newer, at)]);
    const { choices, updates } = await offer({ catalogue });
    assert.deepEqual(
      [choices, updates].map((list) => list.map(({ name, updates: what }) => [name, what])),
      [[['Tiny', undefined]], [['Tiny', 'a newer version of the model']]],
    );
    host.act = (_request, response) => {
      response.writeHead(200, { 'content-length': newer.length });
      response.write(newer.subarray(0, 1_000), () => response.destroy());
      return true;
    };
    const pause = new AbortController();
    const options = { ...fetchOptions(own('')), signal: pause.signal };
    const stopped = fetchChoice(updates[0]!, {
      ...options,
      onStep: ({ kind }) => void (kind === 'waiting' && pause.abort()),
    });
    await assert.rejects(stopped, /paused/);
    assert.equal((await readFile(own('models/tiny.gguf'))).length, file.length);
    host.act = (request, response) => {
      sendFile(newer, request.headers.range, response);
      return true;
    };
    const after = await fetchChoice(updates[0]!, fetchOptions(own('')));
    assert.equal(after.modelFile, before.modelFile);
    // So the keeper starts it anew.
    assert.notEqual(after.sha256, before.sha256);
    assert.deepEqual((await offer({ catalogue })).updates, []);
  });

  it('does not choose a model by updating it', async () => {
    const newer = Buffer.concat([file, Buffer.alloc(16)]);
    await using host = await startFileHost({ 'tiny.gguf': newer });
    await put('own/models/tiny.gguf');
    const chosen = {
      program: '/bin/llama-server',
      modelFile: '/elsewhere.gguf',
      modelBytes: 1,
      name: 'x',
      context: 16_384,
    };
    await updateState(own(''), {
      chosen,
      fetched: { 'tiny.gguf': { id: 'tiny', name: 'Tiny', sha256: 'a'.repeat(64) } },
    });
    const catalogue = await putCatalogue([entryOf(newer, { url: host.url('tiny.gguf') })]);
    const { updates } = await offer({ catalogue });
    assert.equal(updates.length, 1);
    await fetchChoice(updates[0]!, fetchOptions(own('')));
    assert.deepEqual((await readState(own(''))).chosen, chosen);
    assert.equal((await readFile(own('models/tiny.gguf'))).length, newer.length);
  });

  it('uses an older release of llama-server until the person updates it', async () => {
    const program = (release: string) => ({
      ...{
        id: 'build',
        platform: 'linux',
        arch: 'x64',
        device: 'processor',
        url: 'https://x.example/a.tar.gz',
        release,
      },
      ...{ licence, bytes: 1_000, sha256: 'a'.repeat(64), verifiedOn: '2026-11-23' },
    });
    const catalogue = await putCatalogue([], [program('b9000')]);
    await put('own/models/tiny.gguf');
    await put('own/programs/build-b990/bin/llama-server', '');
    await put('own/programs/build-b8000/bin/llama-server', '');
    await put('own/programs/build-b9000.tar.gz.part', '');
    const old = own('programs/build-b8000/bin/llama-server');
    const without = { catalogue, PATH: '/nothing' };
    const first = await offer(without);
    assert.deepEqual([first.program, first.updates], [{ kind: 'installed', file: old }, []]);
    const chosen = { program: old, modelFile: own('models/tiny.gguf'), modelBytes: 1, name: 'x', context: 16_384 };
    await updateState(own(''), { chosen });
    const { updates } = await offer(without);
    assert.deepEqual(
      updates.map(({ name, updates: what, program: { kind } }) => [name, what, kind]),
      [['tiny', 'llama-server b9000 in place of b8000', 'download']],
    );
    await put('own/programs/build-b9000/bin/llama-server', '');
    assert.deepEqual((await offer(without)).updates, []);
  });

  it('tells the model in use that does not fit or was trained for less than 16k, and why others are left out', async () => {
    const short = writeGguf(
      new Map(
        Object.entries({
          'general.architecture': text('llama'),
          'llama.block_count': uint32(4),
          'llama.embedding_length': uint32(256),
          'llama.attention.head_count': uint32(4),
          'llama.context_length': uint32(8_192),
        }),
      ),
      [{ name: 't', shape: [10_250_000], values: new Float32Array(10_250_000) }],
    );
    await put('own/models/short.gguf', short);
    await put('own/models/large.gguf', modelFile(4_000));
    const chosen = {
      program: '/bin/llama-server',
      modelFile: own('models/short.gguf'),
      modelBytes: 1,
      name: 'Short',
      context: 16_384,
    };
    await updateState(own(''), { chosen });
    const found = await offer();
    assert.deepEqual(
      [found.choices, found.inUse, leftOutText(found)],
      [
        [],
        { name: 'Short', modelFile: own('models/short.gguf') },
        '1 more does not fit into this machine; 1 more was trained for less than the 16k tokens of context that an agent needs',
      ],
    );
  });

  it('tells what a model needs with 16k and with 32k, and counts the memory of the running one as free', async () => {
    await put('own/models/tiny.gguf');
    const [choice] = (await offer()).choices;
    assert.deepEqual(
      [choiceOrigin(choice!), choiceNeed(choice!)],
      [
        'here already, from Open Agent · 41 MB',
        'slow · on the processor · needs 909 MB with 32k, 842 MB with 16k of context · 10.9 GB left',
      ],
    );
    const modelBytes = file.length;
    const chosen = {
      program: '/bin/llama-server',
      modelFile: own('models/tiny.gguf'),
      modelBytes,
      name: 'x',
      context: 32_768,
    };
    await updateState(own(''), { chosen });
    const gpu = { name: 'GPU', totalBytes: 2 * GIB, freeBytes: 0.55 * GIB };
    const full = { ...hardware, availableBytes: GIB, gpus: [gpu] };
    assert.deepEqual((await offer({ hardware: full })).choices, []);
    await recordServer(own(''), process.pid);
    const [again] = (await offer({ hardware: full })).choices;
    assert.deepEqual([again?.isInUse, again?.fit.placement], [true, 'gpu']);
  });

  it('lists what is kept with the room that it takes, and removes nothing else', async () => {
    const folder = path.join(home.path, 'own');
    await put('own/models/a.gguf', Buffer.alloc(2_000));
    await put('own/models/b.gguf.part', Buffer.alloc(300));
    await put('own/programs/release/build/llama-server', Buffer.alloc(40));
    const chosen = {
      program: path.join(folder, 'programs/release/build/llama-server'),
      modelFile: path.join(folder, 'models/a.gguf'),
    };
    await updateState(folder, { chosen: { ...chosen, modelBytes: 1, name: 'a', context: 16_384 } });
    const kept = await listKept(folder);
    assert.deepEqual(
      kept.map(({ kind, name, bytes, isInUse }) => [kind, name, bytes, isInUse]),
      [
        ['model', 'a.gguf', 2_000, true],
        ['unfinished', 'b.gguf.part', 300, false],
        ['program', 'release', 40, true],
      ],
    );
    for (const item of kept) await removeKept(folder, item);
    assert.deepEqual(await listKept(folder), []);
    await assert.rejects(removeKept(folder, { ...kept[0]!, path: path.join(home.path, 'bin') }), /not ours/);
  });
});
