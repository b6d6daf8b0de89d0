import { createWriteStream } from 'node:fs';
import { lstat, mkdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SetUpError } from '../download/setUpError';
import { ArchiveLimits, entryPath, isPlainName } from './safeEntry';

/** Writes the entries of one archive into a folder, and refuses those that are not safe. */
export class Unpacking {
  readonly #folder: string;
  readonly #limits = new ArchiveLimits();
  /** Made last, so that no entry is written through one. */
  readonly #links: { readonly file: string; readonly target: string }[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  async addFolder(name: string): Promise<void> {
    this.#limits.addEntry();
    if (/^(?:\.\/?)+$/.test(name)) return;
    await mkdir(entryPath(this.#folder, name), { recursive: true, mode: 0o755 });
  }

  async addFile(name: string, content: Readable, isProgram: boolean): Promise<void> {
    this.#limits.addEntry();
    const file = entryPath(this.#folder, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o755 });
    const count = new Transform({
      transform: (piece: Buffer, _encoding, done) => {
        try {
          this.#limits.addBytes(piece.length);
          done(null, piece);
        } catch (error) {
          done(error as Error);
        }
      },
    });
    // Never through something that is there already.
    const target = createWriteStream(file, { flags: 'wx', mode: isProgram ? 0o755 : 0o644 });
    try {
      await pipeline(content, count, target);
    } catch (error) {
      // A file that is still being opened would appear after the draft was removed.
      if (!target.closed) await new Promise<void>((resolve) => target.once('close', () => resolve()));
      throw error;
    }
  }

  addLink(name: string, target: string): void {
    this.#limits.addEntry();
    if (!isPlainName(target)) {
      throw new SetUpError('archive', `The archive holds a link that leads elsewhere: ${name.slice(0, 200)}`);
    }
    this.#links.push({ file: entryPath(this.#folder, name), target });
  }

  async finish(): Promise<void> {
    for (const { file, target } of this.#links) await symlink(target, file);
    for (const { file } of this.#links) {
      const { isFile } = await describe(file);
      if (!isFile) throw new SetUpError('archive', `The archive holds a link to nothing: ${path.basename(file)}`);
    }
  }
}

/** Follows links within one folder to their end. */
async function describe(file: string): Promise<{ readonly isFile: boolean }> {
  const found = await stat(file).catch(() => undefined);
  return { isFile: found?.isFile() === true && (await lstat(file)).isSymbolicLink() };
}
