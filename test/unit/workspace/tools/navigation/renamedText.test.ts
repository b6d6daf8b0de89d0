import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CodeChange } from '../../../../../src/workspace/codeNavigation';
import { renamedText } from '../../../../../src/workspace/tools/navigation/renamedText';

const at = (line: number, start: number, end: number, text: string): CodeChange => ({
  startLine: line,
  startCharacter: start,
  endLine: line,
  endCharacter: end,
  text,
});

const word = fc.constantFrom('total', 'tax', ' ', '.', '(', ')', 'é', '😀', '\t', '"', 'subtotal', '#');
const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(''));
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const file = fc.record({
  lines: fc.array(fc.tuple(line, lineEnd), { maxLength: 8 }),
  last: line,
  hasMark: fc.boolean(),
});
const textOf = ({ lines, last, hasMark }: { lines: [string, string][]; last: string; hasMark: boolean }) =>
  `${hasMark ? '\uFEFF' : ''}${lines.map(([text, end]) => text + end).join('')}${last}`;

/** The text as an editor holds it: without the mark, with one kind of line end. */
const seenOf = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll(/\r\n|\r/g, '\n');

const placesOf = (text: string, name: string): readonly CodeChange[] =>
  seenOf(text)
    .split('\n')
    .flatMap((content, index) =>
      [...content.matchAll(new RegExp(name, 'g'))].map((match) =>
        at(index + 1, match.index, match.index + name.length, 'sum'),
      ),
    );

describe('renamedText', () => {
  it('changes exactly the named places, whatever the line ends, the mark and the order', () => {
    fc.assert(
      fc.property(file, fc.boolean(), (parts, isReversed) => {
        const text = textOf(parts);
        const changes = placesOf(text, 'total');
        const result = renamedText(
          text,
          { text: seenOf(text), changes: isReversed ? changes.toReversed() : changes },
          'total',
        );
        assert.deepEqual(result, { ok: true, text: text.replaceAll('total', 'sum') });
      }),
    );
  });

  it('for any answer of a server, refuses or keeps every character that no change covers', () => {
    const small = fc.integer({ min: -1, max: 1 });
    const any = fc.record({
      place: fc.nat(9),
      start: small,
      end: fc.constantFrom(-5, -1, 0, 0, 1),
      lines: fc.constantFrom(0, 0, 0, 1, -1),
      text: fc.constantFrom('sum', '', 'total: sum', 'a\nb', '; evil()'),
    });
    let made = 0;
    fc.assert(
      fc.property(file, fc.array(any, { minLength: 1, maxLength: 4 }), (parts, answers) => {
        const text = textOf({ ...parts, lines: [['total', '\n'], ...parts.lines] });
        const places = placesOf(text, 'total');
        const changes = answers.map(({ place, start, end, lines, text: given }): CodeChange => {
          const near = places[place % places.length]!;
          const startCharacter = near.startCharacter + start;
          const endCharacter = near.endCharacter + end;
          return { ...near, startCharacter, endCharacter, endLine: near.endLine + lines, text: given };
        });
        const result = renamedText(text, { text: seenOf(text), changes }, 'total');
        if (!result.ok) return;
        made += 1;
        const ends = (some: string): unknown => some.match(/\r\n|\r|\n/g);
        assert.deepEqual(ends(result.text), ends(text));
        assert.equal(result.text.startsWith('\uFEFF'), text.startsWith('\uFEFF'));
        // Each line is put together of pieces of the old one and of new words.
        const [old, now] = [text, result.text].map((some) => some.split(/\r\n|\r|\n/));
        old!.forEach((content, index) => {
          const isTouched = changes.some(({ startLine }) => startLine === index + 1);
          if (!isTouched) assert.equal(now![index], content);
          else assert.ok(content.includes('total') || now![index] === content, content);
        });
      }),
      { numRuns: 3000 },
    );
    assert.ok(made > 0);
  });

  it('makes an identical change once', () => {
    const changes = [at(1, 0, 5, 'sum'), at(1, 0, 5, 'sum')];
    assert.deepEqual(renamedText('total', { text: 'total', changes }, 'total'), { ok: true, text: 'sum' });
  });

  it('keeps words that the server adds beside the name', () => {
    const result = renamedText(
      'x = { total };',
      { text: 'x = { total };', changes: [at(1, 6, 11, 'total: sum')] },
      'total',
    );
    assert.deepEqual(result, { ok: true, text: 'x = { total: sum };' });
  });

  const refusals: readonly [string, string, string, readonly CodeChange[]][] = [
    ['overlapping changes', 'total', 'total', [at(1, 0, 5, 'sum'), at(1, 2, 5, 'sum')]],
    ['two insertions at one place', 'total', 'total', [at(1, 0, 0, 'a'), at(1, 0, 0, 'b')]],
    ['a text that has changed since', 'total ', 'total', [at(1, 0, 5, 'sum')]],
    ['other words than the name', 'const tax', 'const tax', [at(1, 6, 9, 'sum')]],
    ['a place after the end of its line', 'total\nx', 'total\nx', [at(1, 0, 7, 'sum')]],
    ['a line that is not there', 'total', 'total', [at(2, 0, 0, 'sum')]],
    ['several lines', 'total', 'total', [at(1, 0, 5, 'sum\nevil()')]],
    ['line ends that become one', '\rtotal\n', '\ntotal\n', [at(2, 0, 5, '')]],
    ['an end before its start', 'total', 'total', [at(1, 5, 0, 'sum')]],
  ];
  for (const [name, text, seen, changes] of refusals) {
    it(`refuses ${name}`, () => assert.equal(renamedText(text, { text: seen, changes }, 'total').ok, false));
  }
});
