import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseCatalogue, readCatalogue } from '../../../src/localModel/catalogue/catalogue';
import shipped from '../../../src/localModel/catalogue/catalogue.json';
import type { Hardware } from '../../../src/localModel/machine/hardware';
import { updateState } from '../../../src/localModel/localState';
import { listKept, removeKept } from '../../../src/localModel/setUp/kept';
import { findOffer } from '../../../src/localModel/setUp/offer';
import { choiceOfUrl } from '../../../src/localModel/setUp/ownModel';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { startFileHost } from '../../support/localModel/fileHost';
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
  const offer = (more: { readonly catalogue?: string; readonly PATH?: string } = {}) =>
    findOffer({
      ...{ platform: 'linux', env: { PATH: more.PATH ?? path.join(home.path, 'bin') }, home: home.path, hardware },
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
