import assert from 'node:assert/strict';
import { repairJson } from '../../../src/util/repairJson';

const filler = '"x",'.repeat(30_000);

describe('repairJson', () => {
  it('repairs a long text with some flaws', () => {
    for (const [flaw, value] of [
      ['{"a":1,}', { a: 1 }],
      ['{a:1}', { a: 1 }],
      ["{'a':True}", { a: true }],
    ] as const) {
      const parsed = JSON.parse(repairJson(`[${`${flaw},`.repeat(20)}${filler}1]`)) as readonly unknown[];
      assert.deepEqual([parsed[0], parsed.at(-1)], [value, 1]);
    }
  });

  it('repairs a short text with many flaws, and a long one with many comments', () => {
    assert.equal((JSON.parse(repairJson(`[${'"a" "b" '.repeat(100)}]`)) as readonly unknown[]).length, 200);
    assert.deepEqual(JSON.parse(repairJson(`[${'a,'.repeat(500)}1]`)), [...Array.from({ length: 500 }, () => 'a'), 1]);
    const commented = `[${'1, // One, and then "another"\n/* a * b */'.repeat(3_000)}2,]`;
    assert.equal((JSON.parse(repairJson(commented)) as readonly unknown[]).length, 3_001);
  });

  it('repairs quotation marks within a string, but not in a long one', () => {
    const page = (length: number): string => `{"a": "${'<p>word word</p>\n'.repeat(length)}<a href="b">c</a>"}`;
    assert.equal(typeof JSON.parse(repairJson(page(100))), 'object');
    assert.throws(() => repairJson(page(4_000)), /too many flaws/);
  });

  it('refuses a long text whose quotation marks hide flaws', () => {
    for (const start of ['["a\n', '[\u201C"\u201D', "[don't "])
      assert.throws(() => repairJson(`${start}${'{}'.repeat(20_000)} " b 'c]`), /too many flaws/, start);
    assert.throws(() => repairJson(`[http://a${'{}'.repeat(20_000)}]`), /too many flaws/);
  });

  it('refuses a long text with many flaws', () => {
    for (const flaw of ['{}', 'a ', '"a"b,', '{"a":1,},', "'a'"]) {
      assert.throws(() => repairJson(`[${flaw.repeat(20_000)}]`), /too many flaws/, flaw);
    }
  });
});
