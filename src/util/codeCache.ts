import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';

/**
 * Loads a program's own CommonJS files with V8's code cache, so that later starts need not compile them. Other modules come
 * from Node. The files that are loaded load each other the same way. `x.js.br` may be in the place of `x.js`: `esbuild.js`
 * compresses the large files of the extension.
 */
export class CodeCache {
  readonly #folder: string;
  readonly #version: string;
  readonly #uncached = new Map<string, Script>();

  /**
   * `folder` holds the cached code and may be absent. Whoever can write there can run code as this user. `version` is the
   * program's: package managers give files of every version the same time.
   */
  constructor(folder: string, version: string) {
    this.#folder = folder;
    this.#version = version;
  }

  /** Loads an absolute file once, also for Node's own `require`. Throws what the file throws. */
  load(file: string): unknown {
    // VS Code looks at the file that requires its API.
    const compressed = `${file}.br`;
    const onDisk = !existsSync(file) && existsSync(compressed) ? compressed : file;
    const fromNode = createRequire(onDisk);
    const known = fromNode.cache[file];
    if (known) return known.exports;
    const module = new Module(file);
    fromNode.cache[file] = module;
    try {
      const directory = path.dirname(file);
      const require = (id: string): unknown =>
        id.startsWith('./') ? this.load(path.join(directory, id)) : fromNode(id);
      const run = this.#compile(file, onDisk).runInThisContext() as (...values: unknown[]) => void;
      run.call(module.exports, module.exports, Object.assign(require, fromNode), module, file, directory);
      return module.exports;
    } catch (error) {
      delete fromNode.cache[file];
      throw error;
    }
  }

  /** Writes the code that was not cached yet. Call it late: functions that have run by then are compiled already. */
  save(): void {
    try {
      if (this.#uncached.size === 0) return;
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#removeOld();
      for (const [entry, script] of this.#uncached) writeEntry(entry, script.createCachedData());
    } catch {
      // The cache only saves time: a folder that cannot be written is no error.
    } finally {
      this.#uncached.clear();
    }
  }

  #compile(file: string, onDisk: string): Script {
    const source = onDisk === file ? readFileSync(file, 'utf8') : unpacked(readFileSync(onDisk));
    // On the first line, so that lines in stack traces stay right.
    const wrapped = `(function (exports, require, module, __filename, __dirname) { ${source}\n})`;
    if (source.length < MIN_SOURCE_LENGTH) return new Script(wrapped, { filename: file });
    const { size, mtimeMs } = statSync(onDisk);
    // V8 takes cached code only on the same version and processor.
    const key = [path.parse(file).name, this.#version, size, mtimeMs, process.versions.v8, process.arch].join('-');
    const entry = path.join(this.#folder, `${key}.bin`);
    const cachedData = readEntry(entry);
    const script = new Script(wrapped, { filename: file, ...(cachedData && { cachedData }) });
    if (!cachedData || script.cachedDataRejected) this.#uncached.set(entry, script);
    return script;
  }

  /** Each version of the program leaves entries that no later one uses. */
  #removeOld(): void {
    for (const name of readdirSync(this.#folder)) {
      const entry = path.join(this.#folder, name);
      if (Date.now() - statSync(entry).mtimeMs > MAX_AGE_MS) rmSync(entry, { force: true });
    }
  }
}

/** The command line has no compressed files, so it does not load zlib. */
function unpacked(bytes: Buffer): string {
  return process.getBuiltinModule('node:zlib').brotliDecompressSync(bytes).toString('utf8');
}

/** Compiling a shorter file takes less time than reading its entry. */
const MIN_SOURCE_LENGTH = 16_000;

const MAX_AGE_MS = 30 * 24 * 3_600_000;

/** At the end of an entry. A power failure can leave zeros or a part, and V8 checks only the beginning. */
const END = Buffer.from('the end of the code');

/** The cached code, or undefined if there is none or it is not whole. */
function readEntry(entry: string): Buffer | undefined {
  try {
    const bytes = readFileSync(entry);
    const length = bytes.length - END.length;
    return length > 0 && bytes.subarray(length).equals(END) ? bytes.subarray(0, length) : undefined;
  } catch {
    return undefined;
  }
}

/** Another process may write the same entry at the same time: each writes a file of its own, and the last rename counts. */
function writeEntry(entry: string, data: Buffer): void {
  const unfinished = `${entry}.${process.pid}`;
  try {
    const file = openSync(unfinished, 'wx', 0o600);
    try {
      writeSync(file, Buffer.concat([data, END]));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, entry);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
