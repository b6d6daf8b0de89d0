import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { createBlobFolder } from '../../../../../src/workspace/node/checkpoints/blobFolder';
import {
  createWorkspaceScanner,
  type ScanLimits,
} from '../../../../../src/workspace/node/checkpoints/workspaceScanner';
import { listEntries } from '../../../../../src/workspace/node/files/listEntries';
import { walkFiles } from '../../../../../src/workspace/node/files/walkFiles';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

const { signal } = new AbortController();
const MAX_BYTES = 50;
const STEPS = { minLength: 2, maxLength: 8 };

interface ScannerOptions {
  readonly aheadMs?: number;
  readonly limits?: ScanLimits;
  readonly isCoarse?: boolean;
  /** The type of the file system; unless given, one that sets a folder's time with each change of its entries. */
  readonly type?: number;
  /** A folder on another device. */
  readonly mounted?: string;
}

const EXT4 = 0xef53;
const FAT = 0x4d44;

describe('the scanner of a workspace', () => {
  let store: TemporaryFolder;
  beforeEach(async () => (store = await createTemporaryFolder()));
  afterEach(() => store.dispose());

  /** Counts the system calls. `aheadMs`: how much later than now it is, so that files are not new any more. */
  function openScanner(
    folder: string,
    { aheadMs = 0, limits, isCoarse = false, type = EXT4, mounted }: ScannerOptions = {},
  ) {
    const read = isCoarse ? coarse : <T>(stats: T): T => stats;
    const count = { lstat: 0, readdir: 0, open: 0 };
    const scanner = createWorkspaceScanner({
      roots: () => [{ name: 'w', path: folder }],
      blobs: createBlobFolder(store.path),
      limits,
      now: () => Date.now() + aheadMs,
      calls: {
        lstatSync(file, options) {
          count.lstat += 1;
          const stats = read(lstatSync(file, options));
          return stats && file === mounted ? Object.assign(stats, { dev: stats.dev + 1 }) : stats;
        },
        list: (folder) => ((count.readdir += 1), listEntries(folder)),
        statfsSync: () => ({ type }),
        async open(...args) {
          count.open += 1;
          const handle = await fs.open(...args);
          const stats = read(await handle.stat());
          return Object.assign(handle, { stat: () => Promise.resolve(stats) });
        },
      },
    });
    const counted = async (): Promise<typeof count> => {
      Object.assign(count, { lstat: 0, readdir: 0, open: 0 });
      await scanner.scan(signal);
      return { ...count };
    };
    return { scanner, counted };
  }

  const FILES = { 'a.ts': 'a', 'b/c.ts': 'c', 'b/d.ts': 'd', '.gitignore': 'x/\n' };
  // The files, the folders, the ignore file, and the top for its device.
  const LSTATS = 8;

  it('opens each file and lists each folder once, then only those that changed', async () => {
    await using folder = await createTemporaryFolder(FILES);
    const { counted } = openScanner(folder.path, { aheadMs: 10_000 });
    assert.deepEqual(await counted(), { lstat: LSTATS, readdir: 2, open: 4 });
    assert.deepEqual(await counted(), { lstat: LSTATS, readdir: 0, open: 0 });
    await fs.writeFile(path.join(folder.path, 'b/c.ts'), 'C');
    assert.deepEqual(await counted(), { lstat: LSTATS, readdir: 0, open: 1 });
    await fs.writeFile(path.join(folder.path, 'b/e.ts'), 'e');
    assert.deepEqual(await counted(), { lstat: LSTATS + 1, readdir: 1, open: 1 });
    assert.deepEqual(await counted(), { lstat: LSTATS + 1, readdir: 0, open: 0 });
  });

  it('lists each folder again where its time may not tell of a change', async () => {
    await using folder = await createTemporaryFolder(FILES);
    const { counted } = openScanner(folder.path, { aheadMs: 10_000, type: FAT });
    await counted();
    assert.deepEqual(await counted(), { lstat: LSTATS - 1, readdir: 2, open: 0 });
    const mounted = path.join(folder.path, 'b');
    const { counted: withMount } = openScanner(folder.path, { aheadMs: 10_000, mounted });
    await withMount();
    assert.equal((await withMount()).readdir, 1);
    // Folders that were just changed: their next change can have the same time.
    const { counted: atOnce } = openScanner(folder.path);
    await atOnce();
    assert.equal((await atOnce()).readdir, 2);
  });

  it('opens no file that is too big, and none when there is too much', async () => {
    await using folder = await createTemporaryFolder({ 'a.ts': 'a', 'b.ts': 'b', 'big.ts': 'x'.repeat(99) });
    const limits = { maxFiles: 9, maxFileBytes: 50, maxTotalBytes: 1_000 };
    assert.equal((await openScanner(folder.path, { limits }).counted()).open, 2);
    const fewFiles = openScanner(folder.path, { limits: { ...limits, maxFiles: 2 } });
    assert.deepEqual(await fewFiles.counted(), { lstat: 2, readdir: 1, open: 0 });
    const fewBytes = openScanner(folder.path, { limits: { ...limits, maxTotalBytes: 1 } });
    assert.equal((await fewBytes.counted()).open, 0);
    assert.equal((await fewBytes.scanner.scan(signal)).isComplete, false);
  });

  it('sees every change, also one that keeps size and times or comes at once after another', async () => {
    const names = fc.constantFrom('a.ts', 'b.ts', 'lib/a.ts', 'lib/b.ts', 'out/a.ts', 'x.log');
    const contents = fc.constantFrom('one', 'two', 'six', '1', '', 'x'.repeat(MAX_BYTES + 1));
    const changes = fc.oneof(
      fc.record({
        kind: fc.constantFrom('write', 'keepTimes', 'replace', 'replaceKeepTimes'),
        name: names,
        content: contents,
      }),
      fc.record({ kind: fc.constantFrom('remove', 'chmod', 'folder', 'link'), name: names, content: fc.constant('') }),
      fc.record({
        kind: fc.constant('write'),
        name: fc.constantFrom('.gitignore', 'lib/.gitignore'),
        content: fc.constantFrom('*.log\n', 'out/\n', 'a.ts\n', '!a.ts\n', ''),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(fc.array(changes, { maxLength: 4 }), STEPS), async (isLater, steps) => {
        await using folder = await createTemporaryFolder({ 'a.ts': 'one', 'lib/a.ts': 'two' });
        const limits = { maxFiles: 100, maxFileBytes: MAX_BYTES, maxTotalBytes: 10_000 };
        const { scanner } = openScanner(
          folder.path,
          isLater ? { limits, aheadMs: 10_000 } : { limits, isCoarse: true },
        );
        const blobs = createBlobFolder(store.path);
        for (const step of steps) {
          if (isLater) await clockMovesOn(store.path);
          for (const { kind, name, content } of step) await change(path.join(folder.path, name), kind, content);
          const { files, isComplete } = await scanner.scan(signal);
          assert.equal(isComplete, true);
          const seen = new Map([...files].map(([file, state]) => [file, [state?.hash, state?.isExecutable]]));
          assert.deepEqual(seen, await truth(folder.path));
          for (const state of files.values()) assert.ok(state && (await blobs.get(state.hash)));
        }
      }),
      { numRuns: Number(process.env['SCAN_RUNS'] ?? 100) },
    );
  });
});

/** Waits until a change has another time than the last one. */
async function clockMovesOn(folder: string): Promise<void> {
  const probe = path.join(folder, 'probe');
  const touch = async (): Promise<number> => {
    await fs.writeFile(probe, '');
    return (await fs.stat(probe)).ctimeMs;
  };
  const before = await touch();
  while ((await touch()) <= before);
}

/** The times of a file system that counts in steps of two seconds, as FAT does. */
function coarse<T extends Stats | undefined>(stats: T): T {
  const step = (ms: number): number => Math.floor(ms / 2_000) * 2_000;
  return stats && Object.assign(stats, { mtimeMs: step(stats.mtimeMs), ctimeMs: step(stats.ctimeMs) });
}

async function change(file: string, kind: string, content: string): Promise<void> {
  try {
    const before = await fs.stat(file).catch(() => undefined);
    if (kind === 'remove' || kind === 'folder' || kind === 'link') await fs.rm(file, { recursive: true, force: true });
    if (kind === 'folder') await fs.mkdir(file, { recursive: true });
    if (kind === 'link') await fs.symlink('a.ts', file);
    if (kind === 'chmod') await fs.chmod(file, 0o755);
    if (kind === 'write' || kind === 'keepTimes') {
      await fs.mkdir(path.dirname(file), { recursive: true });
      await fs.writeFile(file, content);
    }
    if (kind.startsWith('replace')) {
      await fs.writeFile(`${file}.tmp`, content);
      await fs.rename(`${file}.tmp`, file);
    }
    if (kind.toLowerCase().endsWith('keeptimes') && before) await fs.utimes(file, before.atime, before.mtime);
  } catch {
    // The change is not possible here, for example because a folder stands in its place.
  }
}

/** The files as the scanner should see them, read anew. */
async function truth(folder: string): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const files = new Map<string, readonly unknown[]>();
  for await (const file of walkFiles(folder, signal)) {
    const { size, mode } = await fs.stat(file);
    if (size > MAX_BYTES) continue;
    const hash = createHash('sha256')
      .update(await fs.readFile(file))
      .digest('hex');
    files.set(file, [hash, (mode & 0o111) !== 0]);
  }
  return files;
}
