import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  MAX_IMAGE_BYTES,
  MAX_IMAGE_PIXELS,
  MAX_IMAGE_SIDE,
  readImageHeader,
} from '../../../../src/util/images/imageHeader';
import { estimateImageTokens } from '../../../../src/util/images/imageTokens';
import { cpuMsOf } from '../../../support/boundedWork';
import { gifStart, jpegStart, pngOf, pngStart, webpStart } from '../../../support/images/sampleImages';

const side = fc.integer({ min: 1, max: 4_000 });
const segments = fc.array(fc.integer({ min: 2, max: 65_535 }), { maxLength: 4 });

const KINDS: readonly (readonly [string, string, (width: number, height: number) => Buffer])[] = [
  ['PNG', 'image/png', pngStart],
  ['JPEG', 'image/jpeg', (width, height) => jpegStart(width, height, fc.sample(segments, 1)[0])],
  ['GIF', 'image/gif', gifStart],
  ['WebP, lossy', 'image/webp', (width, height) => webpStart('VP8 ', width, height)],
  ['WebP, lossless', 'image/webp', (width, height) => webpStart('VP8L', width, height)],
  ['WebP, extended', 'image/webp', (width, height) => webpStart('VP8X', width, height)],
];

describe('the header of an image', () => {
  for (const [name, mediaType, make] of KINDS) {
    it(`names kind and size: ${name}`, () => {
      fc.assert(
        fc.property(side, side, (width, height) => {
          const read = readImageHeader(make(width, height));
          assert.deepEqual(read, { ok: true, header: { mediaType, width, height } });
        }),
      );
    });

    it(`is refused, or says the same, wherever the file is cut off: ${name}`, () => {
      const whole = name === 'JPEG' ? jpegStart(300, 200, [40]) : make(300, 200);
      for (let length = 0; length < whole.length; length += 1) {
        const read = readImageHeader(whole.subarray(0, length));
        if (read.ok) assert.deepEqual(read.header, { mediaType, width: 300, height: 200 });
      }
    });
  }

  it('of any bytes never throws, and never lets a size through that is too large', () => {
    const starts = KINDS.map(([, , make]) => make(10, 10));
    const hostile = fc
      .tuple(fc.constantFrom(...starts), fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 20 }))
      .map(([start, changes]) => {
        const bytes = Buffer.from(start);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(hostile, fc.uint8Array({ maxLength: 200 })), (bytes) => {
        const read = readImageHeader(bytes);
        if (!read.ok) return assert.notEqual(read.error, '');
        const { width, height } = read.header;
        assert.ok(width >= 1 && height >= 1 && Math.max(width, height) <= MAX_IMAGE_SIDE);
        assert.ok(width * height <= MAX_IMAGE_PIXELS);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of a small file that declares a huge picture is refused', () => {
    for (const bytes of [pngStart(60_000, 60_000), pngStart(16_000, 16_000), webpStart('VP8X', 16_777_000, 3)]) {
      const read = readImageHeader(bytes);
      assert.match(read.ok ? '' : read.error, /pixels, which is too large$/);
    }
    assert.match(JSON.stringify(readImageHeader(pngStart(0, 5))), /damaged or cut off/);
  });

  it('is refused for other files, and for files with too many bytes', () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
    for (const bytes of [svg, Buffer.from('BM\0\0\0\0'), Buffer.from('%PDF-1.7')]) {
      assert.deepEqual(readImageHeader(bytes), { ok: false, error: 'it is no PNG, JPEG, WebP or GIF' });
    }
    const large = Buffer.concat([pngOf(1, 1), Buffer.alloc(MAX_IMAGE_BYTES)]);
    assert.match(JSON.stringify(readImageHeader(large)), /the file has 20\.0 MB, and 20 MB is the most/);
  });

  it('of a JPEG with as many segments as fit is read in no time', () => {
    const many = Buffer.alloc(MAX_IMAGE_BYTES, Buffer.from([0xff, 0xe1, 0, 2]));
    many.set([0xff, 0xd8, 0xff, 0xe1]);
    const fill = Buffer.alloc(MAX_IMAGE_BYTES, 0xff);
    fill.set([0xff, 0xd8]);
    for (const bytes of [many, fill]) {
      assert.equal(readImageHeader(bytes).ok, false);
      assert.ok(cpuMsOf(() => readImageHeader(bytes)) < 2_000);
    }
  });
});

describe('the tokens of an image', () => {
  it('grow with its size, within limits', () => {
    fc.assert(
      fc.property(side, side, fc.nat(500), (width, height, more) => {
        const tokens = estimateImageTokens({ width, height });
        assert.ok(tokens >= 64 && tokens <= 4_096);
        assert.ok(estimateImageTokens({ width: width + more, height }) >= tokens);
      }),
    );
    assert.equal(estimateImageTokens({ width: 1_280, height: 800 }), 1_307);
  });
});
