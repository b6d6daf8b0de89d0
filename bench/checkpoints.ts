import { lstatSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createBlobFolder } from '../src/workspace/node/checkpoints/blobFolder';
import { createWorkspaceScanner } from '../src/workspace/node/checkpoints/workspaceScanner';
import { longestBlock } from './support/longestBlock';

const FOLDERS = 400;
const FILES_PER_FOLDER = 24;
const ROUNDS = 20;
/** Of CPU, for the two scans that a command needs. */
const MAX_MS = 50;

/** What checkpoints add to a command, in a workspace at the limit and in one above it. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const folder = await fs.mkdtemp(path.join(tmpdir(), 'open-agent-bench-'));
  const store = await fs.mkdtemp(path.join(tmpdir(), 'open-agent-bench-'));
  try {
    const files = await writeFiles(folder);
    const roots = [{ name: 'w', path: folder }];
    const blobs = createBlobFolder(store);
    const limits = { maxFiles: files.length - 1, maxFileBytes: 1_000_000, maxTotalBytes: 100_000_000 };
    const scanners = {
      'within the limits': createWorkspaceScanner({ roots: () => roots, blobs }),
      'above the limits': createWorkspaceScanner({ roots: () => roots, blobs, limits }),
    };
    const { signal } = new AbortController();
    // Files that were just written are read again.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    for (const scanner of Object.values(scanners)) await scanner.scan(signal);
    print(`${files.length} files; the best of ${ROUNDS} alternating rounds, CPU:`);
    const best = { reference: Infinity, 'within the limits': Infinity, 'above the limits': Infinity };
    let longest = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      const reference = await cpuOf(() => {
        for (const file of [...files, ...files]) lstatSync(file);
        return Promise.resolve();
      });
      best.reference = Math.min(best.reference, reference);
      for (const name of ['within the limits', 'above the limits'] as const) {
        const scanner = scanners[name];
        const scan = async (): Promise<void> => {
          if ((await scanner.scan(signal)).isComplete) await scanner.scan(signal);
        };
        best[name] = Math.min(best[name], await cpuOf(scan));
        longest = Math.min(longest, await longestBlock(scan));
      }
    }
    let holds = true;
    for (const name of ['within the limits', 'above the limits'] as const) {
      const ratio = best[name] / best.reference;
      print(`  ${name}: ${best[name].toFixed(0)} ms for a command, ${ratio.toFixed(2)} times bare lstat`);
      holds &&= best[name] <= MAX_MS;
    }
    print(`  bare lstat of each file, twice: ${best.reference.toFixed(0)} ms; longest block ${longest.toFixed(0)} ms`);
    print(`Limit: ${MAX_MS} ms`);
    return holds;
  } finally {
    for (const made of [folder, store]) await fs.rm(made, { recursive: true, force: true });
  }
}

async function writeFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  await fs.writeFile(path.join(folder, '.gitignore'), 'dist/\n*.log\n!keep.log\n/out\n');
  for (let index = 0; index < FOLDERS; index++) {
    const below = path.join(folder, `package${index % 20}`, `module${index}`);
    await fs.mkdir(below, { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      const name = path.join(below, `file${file}.ts`);
      await fs.writeFile(name, `export const value = ${index * file};\n`.repeat(50));
      files.push(name);
    }
  }
  return files;
}

/** Milliseconds of this process' CPU. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The longest time that a timer had to wait, in milliseconds. */
