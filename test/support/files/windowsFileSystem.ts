import path from 'node:path';
import type { FileSystem } from '../../../src/workspace/ports';

/**
 * The part of a Windows file system that path lookups need: names in any case, short names, and a record of touched
 * paths. `files` are absolute paths with `\`; `shortNames` maps each short path to its long path.
 */
export class WindowsFileSystem {
  readonly touched: string[] = [];
  readonly #existing = new Map<string, string>();
  readonly #files: ReadonlySet<string>;
  readonly #shortNames: Readonly<Record<string, string>>;

  constructor(files: readonly string[], shortNames: Readonly<Record<string, string>> = {}) {
    this.#files = new Set(files);
    this.#shortNames = shortNames;
    for (const file of files) {
      for (let current = file; ; current = path.win32.dirname(current)) {
        this.#existing.set(current.toLowerCase(), current);
        if (current === path.win32.dirname(current)) break;
      }
    }
  }

  get port(): FileSystem {
    const unused = (): never => {
      throw new Error('Looking up a path only looks.');
    };
    return {
      realPath: async (file) => this.#find(file),
      stat: async (file) => {
        const found = this.#find(file);
        if (found === undefined) return undefined;
        return { kind: this.#files.has(found) ? 'file' : 'directory', size: 0, modifiedMs: 0 };
      },
      listDirectory: async (folder) => {
        this.touched.push(folder);
        return [];
      },
      readSlice: unused,
      openText: unused,
      writeText: unused,
    };
  }

  #find(file: string): string | undefined {
    this.touched.push(file);
    let long = file;
    for (const [short, name] of Object.entries(this.#shortNames)) long = long.replace(short, name);
    return this.#existing.get(long.toLowerCase());
  }
}
