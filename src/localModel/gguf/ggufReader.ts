import * as l10n from '../../util/l10n';

/** Reads a part of a file or of an address. Shorter than asked at its end. */
export type ReadBytes = (offset: number, length: number) => Promise<Uint8Array>;

/** The simple values of a GGUF header. Long lists, such as the vocabulary, are left out. */
export type GgufFields = ReadonlyMap<string, string | number | boolean | readonly number[]>;

/** A header with a vocabulary of 260,000 words takes about 10 MB. */
const MAX_HEADER_BYTES = 64 * 1024 ** 2;
const CHUNK_BYTES = 1024 ** 2;
const MAX_FIELDS = 10_000;
const MAX_NAME_BYTES = 1_000;
/** Chat templates are longer, and not needed. */
const MAX_TEXT_BYTES = 10_000;
/** Lists of numbers by layer. Longer lists are skipped. */
const MAX_LIST = 1_000;
const MAX_ITEMS = 10_000_000;

/**
 * Reads the fields of a GGUF header, version 2 or 3. The file may be an attacker's: every length is checked, and no more than
 * 64 MB are read. Throws with a text for people when it is no GGUF file or is damaged.
 *
 * Source of the format: docs/gguf.md of ggml. The library `@huggingface/gguf` does the same, but adds 250 kB to the bundle.
 */
export async function readGgufFields(read: ReadBytes): Promise<GgufFields> {
  const input = new HeaderInput(read);
  const magic = await input.take(4);
  if (String.fromCharCode(...magic) !== 'GGUF') throw new Error(l10n.t('This is not a GGUF file.'));
  const version = await input.uint32();
  if (version !== 2 && version !== 3) throw new Error(`This GGUF file has version ${version}; 2 and 3 can be read.`);
  await input.length(Number.MAX_SAFE_INTEGER);
  const count = await input.length(MAX_FIELDS);
  const fields = new Map<string, string | number | boolean | readonly number[]>();
  for (let index = 0; index < count; index += 1) {
    const name = await input.text(MAX_NAME_BYTES);
    if (name === undefined) throw damaged();
    const value = await readValue(input, await input.uint32());
    if (value !== undefined) fields.set(name, value);
  }
  return fields;
}

const STRING = 8;
const ARRAY = 9;

type NumberReader = (view: DataView) => number | boolean;
/** By GGUF's codes of types: length in bytes, and how to read it. */
const simple: Readonly<Record<number, readonly [number, NumberReader]>> = {
  0: [1, (view) => view.getUint8(0)],
  1: [1, (view) => view.getInt8(0)],
  2: [2, (view) => view.getUint16(0, true)],
  3: [2, (view) => view.getInt16(0, true)],
  4: [4, (view) => view.getUint32(0, true)],
  5: [4, (view) => view.getInt32(0, true)],
  6: [4, (view) => view.getFloat32(0, true)],
  7: [1, (view) => view.getUint8(0) !== 0],
  10: [8, (view) => Number(view.getBigUint64(0, true))],
  11: [8, (view) => Number(view.getBigInt64(0, true))],
  12: [8, (view) => view.getFloat64(0, true)],
};

async function readValue(
  input: HeaderInput,
  code: number,
): Promise<string | number | boolean | readonly number[] | undefined> {
  if (code === STRING) return input.text(MAX_TEXT_BYTES);
  if (code !== ARRAY) return readSimple(input, code);
  const itemCode = await input.uint32();
  const length = await input.length(MAX_ITEMS);
  if (itemCode === STRING) {
    for (let item = 0; item < length; item += 1) await input.text(0);
    return undefined;
  }
  const kind = simple[itemCode];
  if (!kind) throw damaged();
  if (length > MAX_LIST) {
    await input.skip(length * kind[0]);
    return undefined;
  }
  const items: number[] = [];
  for (let item = 0; item < length; item += 1) items.push(Number(await readSimple(input, itemCode)));
  return items;
}

async function readSimple(input: HeaderInput, code: number): Promise<number | boolean> {
  const kind = simple[code];
  if (!kind) throw damaged();
  const [length, read] = kind;
  const bytes = await input.take(length);
  return read(new DataView(bytes.buffer, bytes.byteOffset, length));
}

/** Reads one after the other, in large pieces. */
class HeaderInput {
  readonly #read: ReadBytes;
  #chunk: Uint8Array = new Uint8Array();
  #chunkStart = 0;
  #at = 0;

  constructor(read: ReadBytes) {
    this.#read = read;
  }

  async take(length: number): Promise<Uint8Array> {
    const chunkEnd = this.#chunkStart + this.#chunk.length;
    if (this.#at < this.#chunkStart || this.#at + length > chunkEnd) {
      if (this.#at + length > MAX_HEADER_BYTES) throw new Error(l10n.t('The header of this GGUF file is too long.'));
      this.#chunk = await this.#read(this.#at, Math.max(length, CHUNK_BYTES));
      this.#chunkStart = this.#at;
      if (this.#chunk.length < length) throw damaged();
    }
    const start = this.#at - this.#chunkStart;
    this.#at += length;
    return this.#chunk.subarray(start, start + length);
  }

  async skip(length: number): Promise<void> {
    this.#at += length;
    if (this.#at > MAX_HEADER_BYTES) throw new Error(l10n.t('The header of this GGUF file is too long.'));
  }

  async uint32(): Promise<number> {
    const bytes = await this.take(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  }

  async length(limit: number): Promise<number> {
    const bytes = await this.take(8);
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true));
    if (length > limit) throw damaged();
    return length;
  }

  /** `undefined`: it is longer than `limit`, and was skipped. */
  async text(limit: number): Promise<string | undefined> {
    const length = await this.length(MAX_HEADER_BYTES);
    if (length > limit) {
      await this.skip(length);
      return undefined;
    }
    return new TextDecoder().decode(await this.take(length));
  }
}

function damaged(): Error {
  return new Error(l10n.t('This GGUF file is damaged or not complete.'));
}
