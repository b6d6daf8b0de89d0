import { TextDecodeError } from './ports';

/**
 * The text of UTF-8 bytes. Keeps a byte order mark as `\uFEFF`, so encoding gives the same bytes again. Throws
 * `TextDecodeError` for other bytes, and for NUL bytes, which mean a binary file.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  if (bytes.includes(0)) throw new TextDecodeError(`${name} is a binary file.`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new TextDecodeError(`${name} is not UTF-8 text.`, { cause: error });
  }
}

/** As `decodeText`, but `undefined` for other bytes. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    return decodeText(bytes, '');
  } catch (error) {
    if (error instanceof TextDecodeError) return undefined;
    throw error;
  }
}

/** The probable kind of a file that is not UTF-8 text, by its first bytes: `a PNG image`. */
export function describeBinary(head: Uint8Array): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  for (const [offset, magic, name] of SIGNATURES) {
    if (bytes.subarray(offset, offset + magic.length).equals(Buffer.from(magic, 'latin1'))) return name;
  }
  return bytes.includes(0) ? 'a binary file' : 'text in another encoding than UTF-8';
}

const SIGNATURES: readonly (readonly [offset: number, magic: string, name: string])[] = [
  [0, '\x89PNG', 'a PNG image'],
  [0, '\xff\xd8\xff', 'a JPEG image'],
  [0, 'GIF8', 'a GIF image'],
  [8, 'WEBP', 'a WebP image'],
  [0, '\0\0\x01\0', 'an icon'],
  [0, '%PDF', 'a PDF document'],
  [0, 'PK\x03\x04', 'a ZIP archive or office document'],
  [0, '\x1f\x8b', 'a gzip archive'],
  [0, '7z\xbc\xaf', 'a 7-Zip archive'],
  [257, 'ustar', 'a tar archive'],
  [0, '\x7fELF', 'a Linux executable or library'],
  [0, 'MZ', 'a Windows executable or library'],
  [0, '\xcf\xfa\xed\xfe', 'a macOS executable or library'],
  [0, '\0asm', 'a WebAssembly module'],
  [0, '\xca\xfe\xba\xbe', 'a Java class or macOS library'],
  [0, 'SQLite format 3', 'an SQLite database'],
  [0, 'wOFF', 'a font'],
  [0, 'wOF2', 'a font'],
  [4, 'ftyp', 'a video or audio file'],
  [0, 'ID3', 'an MP3 file'],
  [0, 'OggS', 'an Ogg audio or video file'],
  [0, 'GGUF', 'a GGUF model'],
  [0, '\xff\xfe', 'text in UTF-16'],
  [0, '\xfe\xff', 'text in UTF-16'],
];
