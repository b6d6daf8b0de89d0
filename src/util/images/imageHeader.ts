/** The kinds of images that are sent to models. No SVG: it can hold programs and addresses. */
export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** The facts that the start of an image file declares. Width and height are in pixels. */
export interface ImageHeader {
  readonly mediaType: ImageMediaType;
  readonly width: number;
  readonly height: number;
}

export type ReadImageHeader =
  { readonly ok: true; readonly header: ImageHeader } | { readonly ok: false; readonly error: string };

/** The most bytes of one image. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** The longest side of an image, in pixels. */
export const MAX_IMAGE_SIDE = 16_384;
/** The most pixels of an image: a small file can declare enough of them to fill the memory of its reader. */
export const MAX_IMAGE_PIXELS = 64_000_000;

/** Reads what kind of image this is and how large, from its first bytes. Decodes nothing. The file may be hostile. */
export function readImageHeader(bytes: Uint8Array): ReadImageHeader {
  if (bytes.length === 0) return refuse('the file is empty');
  if (bytes.length > MAX_IMAGE_BYTES) {
    return refuse(`the file has ${inMegabytes(bytes.length)} MB, and ${inMegabytes(MAX_IMAGE_BYTES)} MB is the most`);
  }
  const reader = READERS.find(({ matches }) => matches(bytes));
  if (!reader) return refuse('it is no PNG, JPEG, WebP or GIF');
  const size = reader.read(bytes);
  if (!size || size.width < 1 || size.height < 1)
    return refuse(`its header is damaged or cut off (${reader.mediaType})`);
  const { width, height } = size;
  if (Math.max(width, height) > MAX_IMAGE_SIDE || width * height > MAX_IMAGE_PIXELS) {
    return refuse(`it has ${width} × ${height} pixels, which is too large`);
  }
  return { ok: true, header: { mediaType: reader.mediaType, width, height } };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Reader {
  readonly mediaType: ImageMediaType;
  readonly matches: (bytes: Uint8Array) => boolean;
  /** `undefined`: damaged. */
  readonly read: (bytes: Uint8Array) => Size | undefined;
}

const READERS: readonly Reader[] = [
  { mediaType: 'image/png', matches: (bytes) => hasText(bytes, 0, '\x89PNG\r\n\x1a\n'), read: readPng },
  { mediaType: 'image/jpeg', matches: (bytes) => hasText(bytes, 0, '\xff\xd8\xff'), read: readJpeg },
  {
    mediaType: 'image/webp',
    matches: (bytes) => hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP'),
    read: readWebp,
  },
  {
    mediaType: 'image/gif',
    matches: (bytes) => hasText(bytes, 0, 'GIF87a') || hasText(bytes, 0, 'GIF89a'),
    read: (bytes) => (bytes.length < 13 ? undefined : { width: little16(bytes, 6), height: little16(bytes, 8) }),
  },
];

/** Source: the PNG specification, "IHDR Image header". It is the first chunk. */
function readPng(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 33 || !hasText(bytes, 12, 'IHDR')) return undefined;
  return { width: big32(bytes, 16), height: big32(bytes, 20) };
}

/** Source: ITU T.81, B.2.2. The segments before the frame header say how long they are. */
function readJpeg(bytes: Uint8Array): Size | undefined {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] as number;
    // Any number of these may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: big16(bytes, at + 5), width: big16(bytes, at + 7) };
    const isScanOrEnd = marker === 0xda || marker === 0xd9;
    const length = big16(bytes, at + 2);
    if (isScanOrEnd || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** Source: RFC 9649 for the container and VP8L, RFC 6386 for VP8. */
function readWebp(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 30) return undefined;
  if (hasText(bytes, 12, 'VP8 ') && hasText(bytes, 23, '\x9d\x01\x2a')) {
    return { width: little16(bytes, 26) & 0x3fff, height: little16(bytes, 28) & 0x3fff };
  }
  if (hasText(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const bits = little16(bytes, 21) + little16(bytes, 23) * 0x1_0000;
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (hasText(bytes, 12, 'VP8X')) return { width: little24(bytes, 24) + 1, height: little24(bytes, 27) + 1 };
  return undefined;
}

function hasText(bytes: Uint8Array, offset: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[offset + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

function at(bytes: Uint8Array, offset: number): number {
  return bytes[offset] ?? 0;
}

function big16(bytes: Uint8Array, offset: number): number {
  return at(bytes, offset) * 0x100 + at(bytes, offset + 1);
}

function big32(bytes: Uint8Array, offset: number): number {
  return big16(bytes, offset) * 0x1_0000 + big16(bytes, offset + 2);
}

function little16(bytes: Uint8Array, offset: number): number {
  return at(bytes, offset) + at(bytes, offset + 1) * 0x100;
}

function little24(bytes: Uint8Array, offset: number): number {
  return little16(bytes, offset) + at(bytes, offset + 2) * 0x1_0000;
}

function inMegabytes(count: number): string {
  return (count / (1024 * 1024)).toFixed(count % (1024 * 1024) === 0 ? 0 : 1);
}

function refuse(error: string): ReadImageHeader {
  return { ok: false, error };
}
