import path from 'node:path';
import type { DirectoryEntry, FileStat, FileSystem, OpenText } from '../../../src/workspace/ports';
import { StaleFileError } from '../../../src/workspace/ports';
import { decodeText } from '../../../src/workspace/textEncoding';

type Node =
  | { readonly kind: 'file'; bytes: Uint8Array; modifiedMs: number }
  | { readonly kind: 'directory' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'other' };

/** A file system in memory with POSIX paths: files, folders, links, pipes, and buffers with unsaved text. */
export class MemoryFileSystem implements FileSystem {
  readonly #nodes = new Map<string, Node>([['/', { kind: 'directory' }]]);
  readonly #unsaved = new Map<string, string>();
  #now = 0;

  /** Keys are absolute paths. */
  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [file, content] of Object.entries(files)) this.write(file, content);
  }

  write(file: string, content: string | Uint8Array): void {
    this.makeDirectory(path.posix.dirname(file));
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.#nodes.set(file, { kind: 'file', bytes, modifiedMs: ++this.#now });
  }

  makeDirectory(folder: string): void {
    if (this.#nodes.has(folder)) return;
    this.makeDirectory(path.posix.dirname(folder));
    this.#nodes.set(folder, { kind: 'directory' });
  }

  makeLink(link: string, target: string): void {
    this.makeDirectory(path.posix.dirname(link));
    this.#nodes.set(link, { kind: 'link', target });
  }

  /** A pipe, a socket, a device. */
  makeSpecial(file: string): void {
    this.makeDirectory(path.posix.dirname(file));
    this.#nodes.set(file, { kind: 'other' });
  }

  /** Like typing into an editor without saving. */
  setUnsaved(file: string, text: string): void {
    this.#unsaved.set(file, text);
  }

  remove(file: string): void {
    this.#nodes.delete(file);
  }

  /** The saved text; `undefined` if there is no such file. */
  textOf(file: string): string | undefined {
    const node = this.#nodes.get(file);
    return node?.kind === 'file' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(node.bytes) : undefined;
  }

  async stat(file: string): Promise<FileStat | undefined> {
    const found = this.#resolve(file);
    if (!found) return undefined;
    const { node } = found;
    return node.kind === 'file'
      ? { kind: 'file', size: node.bytes.byteLength, modifiedMs: node.modifiedMs }
      : { kind: node.kind, size: 0, modifiedMs: 0 };
  }

  async realPath(file: string): Promise<string | undefined> {
    return this.#resolve(file)?.realPath;
  }

  async readSlice(file: string, offset: number, maxBytes: number): Promise<Uint8Array> {
    return this.#file(file).bytes.slice(offset, offset + maxBytes);
  }

  async listDirectory(folder: string): Promise<readonly DirectoryEntry[]> {
    const found = this.#resolve(folder);
    if (found?.node.kind !== 'directory') throw new Error(`${folder} is not a folder.`);
    return [...this.#nodes]
      .filter(([name]) => name !== '/' && path.posix.dirname(name) === found.realPath)
      .map(([name, node]) => ({
        name: path.posix.basename(name),
        kind: node.kind === 'link' ? this.#kindOfLink(name) : node.kind,
        isSymbolicLink: node.kind === 'link',
      }));
  }

  async openText(file: string): Promise<OpenText> {
    const saved = decodeText(this.#file(file).bytes, file);
    const text = this.#unsaved.get(file) ?? saved;
    return { text, isDirty: text !== saved };
  }

  async writeText(file: string, text: string, expected: string | null): Promise<void> {
    const found = this.#resolve(file);
    const current = found ? (await this.openText(file)).text : null;
    if (current !== expected) throw new StaleFileError(`${file} has changed.`);
    this.#unsaved.delete(file);
    this.write(found?.realPath ?? file, text);
  }

  #file(file: string): Extract<Node, { kind: 'file' }> {
    const node = this.#resolve(file)?.node;
    if (!node) throw new Error(`${file} does not exist.`);
    if (node.kind !== 'file') throw new Error(`${file} is not a regular file.`);
    return node;
  }

  #kindOfLink(link: string): DirectoryEntry['kind'] {
    try {
      return this.#resolve(link)?.node.kind ?? 'other';
    } catch {
      // A loop of links has no target.
      return 'other';
    }
  }

  #resolve(file: string, hops = 0): { realPath: string; node: Exclude<Node, { kind: 'link' }> } | undefined {
    if (hops > 40) throw new Error(`ELOOP: too many symbolic links, '${file}'`);
    let current = '/';
    const segments = path.posix.resolve('/', file).split('/').filter(Boolean);
    for (const [index, segment] of segments.entries()) {
      const next = path.posix.join(current, segment);
      const node = this.#nodes.get(next);
      if (!node) return undefined;
      if (node.kind === 'link') {
        const target = path.posix.resolve(current, node.target, ...segments.slice(index + 1));
        return this.#resolve(target, hops + 1);
      }
      current = next;
    }
    const node = this.#nodes.get(current);
    return node && node.kind !== 'link' ? { realPath: current, node } : undefined;
  }
}
