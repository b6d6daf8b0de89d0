import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readFrontMatter } from '../../../../src/agent/customization/frontMatter';

describe('the front matter of a file', () => {
  const fields = (...lines: readonly string[]) =>
    Object.fromEntries(readFrontMatter(['---', ...lines, '---', 'Body.'].join('\n')).fields);

  it('is read as texts: plain, quoted, over several lines and as blocks', () => {
    assert.deepEqual(
      fields(
        'name: pdf # a comment',
        "single: 'it''s: \"quoted\"'",
        'double: "a \\"b\\"\\nc"',
        'long: one',
        '  two',
        '  three',
        'folded: >-',
        '  four',
        '  five',
        'literal: |',
        '  six',
        '  seven',
      ),
      {
        name: 'pdf',
        single: 'it\'s: "quoted"',
        double: 'a "b"\nc',
        long: 'one two three',
        folded: 'four five',
        literal: 'six\nseven',
      },
    );
  });

  it('has no lists, maps, tags, anchors or fields inside others', () => {
    assert.deepEqual(
      fields(
        'tools: [a, b]',
        'more:',
        '  - x',
        'map:',
        '  name: y',
        'run: !!js/function x',
        'a: &b c',
        'd: *b',
        'e: {f: g}',
      ),
      {},
    );
  });

  it('is apart from the body, whatever the line ends and the byte order mark', () => {
    const { fields: found, body } = readFrontMatter('\uFEFF---\r\nname: a\r\n---\r\nBody.\r\n');
    assert.deepEqual([[...found], body], [[['name', 'a']], 'Body.\r\n']);
  });

  it('is none without an end, without a start, and when it is too long', () => {
    for (const text of [
      '---\nname: a\nBody.',
      'name: a\n---\nBody.',
      `---\n${'a: b\n'.repeat(9_000)}---\nBody.`,
      '----\na: b\n---\n',
    ]) {
      assert.deepEqual(readFrontMatter(text), { fields: new Map(), body: text });
    }
  });

  it('never throws, and takes no name from an object', () => {
    const piece = fc.constantFrom(
      '---\n',
      'name:',
      '__proto__: x\n',
      ' ',
      '\n',
      '"',
      "'",
      '>',
      '|',
      '\\',
      '#',
      'a',
      '\r\n',
      '- ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = `---\n${pieces.join('')}`;
        const { fields: found, body } = readFrontMatter(text);
        assert.ok(text.endsWith(body));
        for (const value of found.values()) assert.equal(typeof value, 'string');
      }),
      { seed: 1 },
    );
  });
});
