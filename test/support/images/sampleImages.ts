import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one colour, in which every reader finds a real picture. */
export function pngOf(width: number, height: number, [red, green, blue]: readonly number[] = [200, 30, 30]): Buffer {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) row.set([red ?? 0, green ?? 0, blue ?? 0], 1 + x * 3);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([pngStart(width, height), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** The start of a PNG that declares a size, without pixels. */
export function pngStart(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** The start of a JPEG with segments before its frame header, as cameras write them. */
export function jpegStart(width: number, height: number, segments: readonly number[] = [16]): Buffer {
  const before = segments.map((length) => {
    const segment = Buffer.alloc(length + 2);
    segment.set([0xff, 0xe1]);
    segment.writeUInt16BE(length, 2);
    return segment;
  });
  const frame = Buffer.alloc(19);
  frame.set([0xff, 0xff, 0xc2, 0, 17, 8]);
  frame.writeUInt16BE(height, 6);
  frame.writeUInt16BE(width, 8);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...before, frame]);
}

export function gifStart(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.write('GIF89a', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

/** The start of a WebP of each of its three kinds. */
export function webpStart(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write(`WEBP${kind}`, 8, 'latin1');
  if (kind === 'VP8 ') {
    bytes.set([0x9d, 0x01, 0x2a], 23);
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (kind === 'VP8L') {
    bytes[20] = 0x2f;
    bytes.writeUInt32LE(width - 1 + (height - 1) * 0x4000, 21);
  } else {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}

export function dataUrl(bytes: Buffer, mediaType = 'image/png'): string {
  return `data:${mediaType};base64,${bytes.toString('base64')}`;
}
