import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createKeyFilter } from '../../../../src/util/text/keyFilter';

const KEY = 'sk-a/b"c\\d-aaaa-sk-a/b';

describe('createKeyFilter', () => {
  /** Feeds the bytes in pieces of these lengths, again and again. */
  function filtered(bytes: Uint8Array, lengths: readonly number[], key = KEY): Buffer {
    const filter = createKeyFilter(key);
    assert.ok(filter);
    const parts: Uint8Array[] = [];
    for (let at = 0, index = 0; at < bytes.length; index += 1) {
      const length = lengths[index % lengths.length]!;
      parts.push(filter.add(bytes.subarray(at, at + length)));
      at += length;
    }
    return Buffer.concat([...parts, filter.end()]);
  }

  it('leaves the key out, wherever pieces are cut and however JSON writes it', () => {
    const spelling = fc.constantFrom(
      KEY,
      JSON.stringify(KEY).slice(1, -1),
      JSON.stringify(KEY).slice(1, -1).replaceAll('/', '\\/'),
    );
    const other = fc.oneof(
      fc.string(),
      fc.nat(KEY.length - 1).map((length) => KEY.slice(0, length)),
    );
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(other, spelling)), other, lengths, (parts, last, cut) => {
        const text = parts.map(([before, key]) => `${before}${key}`).join('') + last;
        const told = filtered(Buffer.from(text), cut).toString();
        assert.equal(told.includes(KEY), false);
        for (const [, key] of parts) assert.equal(told.includes(key), false);
      }),
      { numRuns: 500 },
    );
  });

  it('gives all other bytes on, also those that are no text', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), lengths, (bytes, cut) => {
        assert.deepEqual(filtered(bytes, cut), Buffer.from(bytes));
      }),
    );
    assert.equal(filtered(Buffer.from(KEY.slice(0, -1)), [3]).toString(), KEY.slice(0, -1));
  });

  it('holds nothing back that cannot be the key', () => {
    const filter = createKeyFilter(KEY);
    assert.equal(Buffer.from(filter!.add(Buffer.from('data: {"a":1}\n\n'))).toString(), 'data: {"a":1}\n\n');
  });

  it('leaves words alone that people enter where no key is needed', () => {
    for (const key of [undefined, '', 'none', 'ollama', 'lm-studio']) assert.equal(createKeyFilter(key), undefined);
  });
});
