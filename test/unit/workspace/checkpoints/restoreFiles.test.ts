import assert from 'node:assert/strict';
import type { Checkpoint, FileChange, FileState } from '../../../../src/workspace/checkpoints/fileChange';
import { stateOf } from '../../../../src/workspace/checkpoints/fileState';
import { planRestore } from '../../../../src/workspace/checkpoints/planRestore';
import type { BlobStore, FileContent, FileContents } from '../../../../src/workspace/checkpoints/ports';
import { restoreFiles, type RestoreOutcome } from '../../../../src/workspace/checkpoints/restoreFiles';
import { StaleFileError } from '../../../../src/workspace/ports';

const content = (text: string): FileContent => ({ bytes: Buffer.from(text), isExecutable: false });

/** Files as Windows and macOS keep them: a name in another case is the same file, and keeps its case when it is written. */
class CaselessFiles implements FileContents {
  readonly #files = new Map<string, { readonly path: string; readonly content: FileContent }>();
  readonly steps: string[] = [];

  get names(): readonly string[] {
    return [...this.#files.values()].map(({ path }) => path).toSorted();
  }

  async read(path: string): Promise<FileContent | undefined> {
    const file = this.#files.get(path.toLowerCase());
    return file?.path === path ? file.content : undefined;
  }

  async write(path: string, written: FileContent, expected: FileContent | undefined): Promise<void> {
    this.steps.push(`write ${path}`);
    const there = this.#files.get(path.toLowerCase());
    if ((there === undefined) !== (expected === undefined)) throw new StaleFileError(`${path} exists by now.`);
    this.#files.set(path.toLowerCase(), { path: there?.path ?? path, content: written });
  }

  async remove(path: string): Promise<void> {
    this.steps.push(`remove ${path}`);
    if (!this.#files.delete(path.toLowerCase())) throw new StaleFileError(`${path} is gone.`);
  }
}

class MemoryBlobs implements BlobStore {
  readonly #blobs = new Map<string, Uint8Array>();

  async put(bytes: Uint8Array): Promise<string> {
    const { hash } = stateOf({ bytes, isExecutable: false }) ?? { hash: '' };
    this.#blobs.set(hash, bytes);
    return hash;
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    return this.#blobs.get(hash);
  }
}

describe('restoreFiles', () => {
  const blobs = new MemoryBlobs();
  let recorded: Checkpoint[];
  let emptied: string[];
  beforeEach(() => ([recorded, emptied] = [[], []]));

  async function restore(files: FileContents, changes: readonly FileChange[]): Promise<RestoreOutcome> {
    const current = new Map<string, FileState>();
    for (const { path } of changes) current.set(path, stateOf(await files.read(path)));
    return restoreFiles(planRestore(changes, current), 'before', {
      blobs,
      contents: files,
      findMove: async () => undefined,
      record: async (checkpoint) => void recorded.push(checkpoint),
      removeEmptyFolders: async (path) => void emptied.push(path),
    });
  }

  /** The file was called `from` and is called `to` now. */
  async function renamed(from: string, to: string): Promise<{ files: CaselessFiles; changes: readonly FileChange[] }> {
    const files = new CaselessFiles();
    await files.write(to, content('text'), undefined);
    await blobs.put(Buffer.from('text'));
    const state = stateOf(content('text'));
    const changes = [
      { path: from, before: state, after: null },
      { path: to, before: null, after: state },
    ];
    return { files, changes };
  }

  for (const [from, to] of [
    ['/w/readme.md', '/w/README.md'],
    ['/w/README.md', '/w/readme.md'],
  ] as const) {
    it(`gives ${from} its case back where case does not count, and keeps the file, there and back`, async () => {
      const { files, changes } = await renamed(from, to);
      assert.deepEqual((await restore(files, changes)).failed, []);
      assert.deepEqual([files.names, (await files.read(from))?.bytes.toString()], [[from], 'text']);
      assert.deepEqual(
        (
          await restore(
            files,
            recorded.flatMap((checkpoint) => checkpoint.changes),
          )
        ).failed,
        [],
      );
      assert.deepEqual([files.names, (await files.read(to))?.bytes.toString()], [[to], 'text']);
    });
  }

  it('restores a moved file before it deletes the other', async () => {
    const { files, changes } = await renamed('/w/z.txt', '/w/a.txt');
    files.steps.length = 0;
    await restore(files, changes);
    assert.deepEqual(files.steps, ['write /w/z.txt', 'remove /w/a.txt']);
    assert.deepEqual(emptied, ['/w/a.txt']);
  });
});
