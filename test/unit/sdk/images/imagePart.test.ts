import assert from 'node:assert/strict';
import { checkImage, checkUserContent, imageHeaderOf } from '../../../../src/sdk/images/imagePart';
import { dataUrl, gifStart, pngOf, pngStart } from '../../../support/images/sampleImages';

const png = pngOf(40, 30);

describe('an image part', () => {
  it('is the same data URL, whether given as bytes or as a data URL of another name', () => {
    const expected = { type: 'image', image: dataUrl(png) };
    assert.deepEqual(checkImage({ type: 'image', image: png }), expected);
    assert.deepEqual(checkImage({ type: 'image', image: new Uint8Array(png), mediaType: 'image/png' }), expected);
    assert.deepEqual(checkImage({ type: 'image', image: dataUrl(png, 'image/jpeg') }), expected);
    assert.deepEqual(imageHeaderOf(checkImage({ type: 'image', image: png })), {
      mediaType: 'image/png',
      width: 40,
      height: 30,
    });
  });

  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ['an address', 'https://example.org/a.png', /never fetched from an address/],
    ['an address without TLS', 'http://127.0.0.1/a.png', /never fetched/],
    ['a file', 'file:///etc/passwd', /never fetched/],
    ['an SVG', dataUrl(Buffer.from('<svg/>'), 'image/svg+xml'), /image\/svg\+xml is not sent to models/],
    ['an SVG that claims to be a PNG', dataUrl(Buffer.from('<svg/>')), /it is no PNG, JPEG, WebP or GIF/],
    ['other base64', 'data:image/png;base64,a b', /its base64 has other characters/],
    ['a text', 'hello', /it is no data URL/],
    ['a number', 5, /neither a data URL nor bytes/],
    ['a bomb', pngStart(50_000, 50_000), /50000 × 50000 pixels, which is too large/],
    ['a cut file', png.subarray(0, 20), /damaged or cut off/],
  ];
  for (const [name, image, message] of refused) {
    it(`is refused: ${name}`, () => {
      assert.throws(() => checkImage({ type: 'image', image: image as string }), { code: 'invalid_options', message });
    });
  }
});

describe('the content of a user message', () => {
  it('stays a text without images, and keeps parts that were checked', () => {
    assert.equal(checkUserContent('a'), 'a');
    assert.equal(
      checkUserContent([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
      'a\n\nb',
    );
    const content = checkUserContent([
      { type: 'image', image: gifStart(3, 4) },
      { type: 'text', text: 'what?' },
    ]);
    const again = checkUserContent(content);
    assert.ok(Array.isArray(content) && Array.isArray(again));
    assert.equal(again[0], content[0]);
  });

  it('is refused when it is neither', () => {
    for (const content of [5, null, [{ type: 'audio' }], [null], [{ type: 'image' }]]) {
      assert.throws(() => checkUserContent(content), { code: 'invalid_options' });
    }
  });
});
