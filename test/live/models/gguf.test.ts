import assert from 'node:assert/strict';
import { float32, readMetadata, text, uint32, writeGguf, type GgufValue } from './gguf';

describe('a GGUF file', () => {
  it('is read as it was written', () => {
    const words = ['', 'a', 'ö'];
    const bytes = Buffer.concat([
      Buffer.from([8, 0, 0, 0, words.length, 0, 0, 0, 0, 0, 0, 0]),
      ...words.map((word) =>
        Buffer.concat([Buffer.from([Buffer.byteLength(word), 0, 0, 0, 0, 0, 0, 0]), Buffer.from(word)]),
      ),
    ]);
    const metadata = new Map<string, GgufValue>([
      ['general.name', text('A name with ü')],
      ['count', uint32(7)],
      ['half', float32(0.5)],
      ['is', { type: 'bool', value: true }],
      ['words', { type: 'array', bytes }],
      ['after', text('')],
    ]);
    const file = writeGguf(metadata, [{ name: 'a.weight', shape: [3], values: new Float32Array([1, 2, 3]) }]);
    assert.deepEqual(readMetadata(file), metadata);
    assert.equal(file.length % 32, 0);
    assert.throws(() => readMetadata(Buffer.from('no such file at all, of course')), /no GGUF/);
  });
});
