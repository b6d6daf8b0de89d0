import { SetUpError } from '../download/setUpError';

export interface TarEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'link' | 'character-device' | 'block-device' | 'fifo' | 'thing';
  readonly mode: number;
  /** Where a link leads. */
  readonly target: string;
  /** The bytes of a file. What is not read of them is skipped with the next entry. */
  readonly content: AsyncIterable<Buffer>;
}

const BLOCK = 512;
/** A release has 100 entries, each with a header or two. */
const MAX_HEADERS = 20_000;
/** Long names and attributes of one entry. */
const MAX_ATTRIBUTE_BYTES = 64_000;
/** Writers fill the last 10 kB with zeros. */
const MAX_BYTES_AFTER_END = 1_000_000;

const types: Readonly<Record<string, TarEntry['type']>> = {
  ...{ '': 'file', '0': 'file', '7': 'file', '5': 'directory', '2': 'symlink' },
  ...{ '1': 'link', '3': 'character-device', '4': 'block-device', '6': 'fifo' },
};

/**
 * Reads the entries of a tar file, one after the other. The bytes may be an attacker's: names are as they are written, and
 * nothing is held in memory but a header and what it says of itself. Throws a `SetUpError` when it is damaged.
 *
 * Source of the format: POSIX.1-2024, pax, "ustar Interchange Format" and "pax Extended Header"; GNU tar's manual, "Basic Tar
 * Format", for its long names. The library `tar-stream` does the same, but adds 40 kB to the bundle.
 */
export async function* tarEntries(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const input = new TarInput(bytes);
  let attributes = new Map<string, string>();
  for (let headers = 0; ; headers += 1) {
    const header = await input.block();
    if (!header || header.every((byte) => byte === 0)) break;
    if (headers === MAX_HEADERS) throw damaged('it has too many entries');
    checkSum(header);
    const kind = text(header, 156, 1);
    const size = sizeOf(header);
    if (kind === 'x' || kind === 'g' || kind === 'L' || kind === 'K') {
      if (size > MAX_ATTRIBUTE_BYTES) throw damaged('a name is too long');
      const value = await input.whole(size);
      if (kind === 'x') for (const [key, said] of paxRecords(value)) attributes.set(key, said);
      if (kind === 'L') attributes.set('path', text(value, 0, value.length));
      if (kind === 'K') attributes.set('linkpath', text(value, 0, value.length));
      continue;
    }
    const name = attributes.get('path') ?? nameOf(header);
    const isOldFolder = name.endsWith('/') && (kind === '' || kind === '0');
    yield {
      name,
      type: isOldFolder ? 'directory' : (types[kind] ?? 'thing'),
      mode: octal(header, 100, 8),
      target: attributes.get('linkpath') ?? text(header, 157, 100),
      content: input.start(attributes.has('size') ? decimal(attributes.get('size')!) : size),
    };
    await input.skip();
    attributes = new Map();
  }
  await input.end();
}

/** Takes blocks from a stream, and the content of one entry at a time. */
class TarInput {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  /** Bytes of the content that were not taken yet, and the zeros after it. */
  #left = 0;
  #padding = 0;

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  /** The next 512 bytes. `undefined` at the end. */
  async block(): Promise<Buffer | undefined> {
    if (this.#held.length === 0 && !(await this.#more())) return undefined;
    return this.#exactly(BLOCK);
  }

  /** A short content as a whole. */
  async whole(size: number): Promise<Buffer> {
    const value = await this.#exactly(size);
    await this.#exactly(paddingOf(size));
    return value;
  }

  start(size: number): AsyncIterable<Buffer> {
    this.#left = size;
    this.#padding = paddingOf(size);
    return this.#content();
  }

  async skip(): Promise<void> {
    while ((await this.#piece()) !== undefined);
    await this.#exactly(this.#padding);
    this.#padding = 0;
  }

  /** Reads to the end, so that the checksum of what was packed is checked too. */
  async end(): Promise<void> {
    let bytes = 0;
    do {
      bytes += this.#held.length;
      this.#held = Buffer.alloc(0);
      if (bytes > MAX_BYTES_AFTER_END) throw damaged('something follows its end');
    } while (await this.#more());
  }

  async *#content(): AsyncGenerator<Buffer> {
    for (let piece = await this.#piece(); piece; piece = await this.#piece()) yield piece;
  }

  async #piece(): Promise<Buffer | undefined> {
    if (this.#left === 0) return undefined;
    if (this.#held.length === 0 && !(await this.#more())) throw damaged('its end is missing');
    const piece = this.#held.subarray(0, this.#left);
    this.#held = this.#held.subarray(piece.length);
    this.#left -= piece.length;
    return piece;
  }

  async #exactly(size: number): Promise<Buffer> {
    while (this.#held.length < size) if (!(await this.#more())) throw damaged('its end is missing');
    const taken = this.#held.subarray(0, size);
    this.#held = this.#held.subarray(size);
    return taken;
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done === true) return false;
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
    return true;
  }
}

/** Records of the form `length key=value`, each with a line end. */
function* paxRecords(bytes: Buffer): Generator<readonly [string, string]> {
  for (let at = 0; at < bytes.length;) {
    const length = /^\d{1,5} /.exec(bytes.toString('latin1', at, at + 6))?.[0];
    const end = at + Number(length ?? 0);
    if (length === undefined || end <= at + length.length || end > bytes.length) throw damaged('a name is damaged');
    const record = bytes.toString('utf8', at + length.length, end - 1);
    const equals = record.indexOf('=');
    if (equals > 0) yield [record.slice(0, equals), record.slice(equals + 1)];
    at = end;
  }
}

function nameOf(header: Buffer): string {
  const [prefix, name] = [text(header, 345, 155), text(header, 0, 100)];
  // GNU keeps other things in the place of the prefix.
  const isPosix = header.toString('latin1', 257, 263) === 'ustar\0';
  return isPosix && prefix !== '' ? `${prefix}/${name}` : name;
}

function checkSum(header: Buffer): void {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 32 : header[at]!;
  if (sum !== octal(header, 148, 8)) throw damaged('a header has a wrong checksum');
}

/** A size above 8 GB has another form. No release has such a file. */
function sizeOf(header: Buffer): number {
  if (header[124]! >= 0x80) throw new SetUpError('archive', 'The archive is too large.');
  return octal(header, 124, 12);
}

function octal(header: Buffer, at: number, length: number): number {
  const digits = text(header, at, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw damaged('a header is damaged');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

function decimal(digits: string): number {
  if (!/^\d{1,15}$/.test(digits)) throw damaged('a size is damaged');
  return Number(digits);
}

/** A text that a NUL ends. */
function text(bytes: Buffer, at: number, length: number): string {
  const end = bytes.subarray(at, at + length).indexOf(0);
  return bytes.toString('utf8', at, at + (end < 0 ? length : end));
}

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function damaged(why: string): SetUpError {
  return new SetUpError('archive', `The archive cannot be unpacked: ${why}.`);
}
