import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyEdits } from '../../../../src/workspace/edits/applyEdits';
import { describeEditFailure } from '../../../../src/workspace/edits/describeEditFailure';

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 3, maxLength: 6 });
const depth = fc.constantFrom('', '  ', '    ', '\t');
/** Different lines, so that each is quoted without doubt. */
const block = fc
  .uniqueArray(name, { minLength: 4, maxLength: 9 })
  .chain((names) => fc.tuple(fc.constant(names), fc.array(depth, { minLength: names.length, maxLength: names.length })))
  .map(([names, depths]) => names.map((one, index) => `${depths[index]}${one}(${index});`));

const finish = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Each way changes how a text is written, not what it says. */
const ways: Readonly<Record<string, (text: string) => string>> = {
  'a final newline': (text) => `${text}\n`,
  'newline and blanks at the end': (text) => `${text.trimEnd()}\n    `,
  'trailing blanks': (text) => text.replaceAll(/(?<=\S)\n/g, '  \n'),
  'a code fence': (text) => `\`\`\`ts\n${text}\`\`\``,
  'a tag': (text) => `<search>\n${text}</search>`,
  CDATA: (text) => `<![CDATA[${text}]]>`,
  'a search marker': (text) => `<<<<<<< SEARCH\n${text}=======\n`,
  'diff signs': (text) => text.replaceAll(/^(?=.)/gm, '-'),
  'line numbers': (text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line, index) => `${index + 2}| ${line}`)
      .join('\n'),
  CRLF: (text) => text.replaceAll('\n', '\r\n'),
};

describe('a misquoted edit, for any lines', () => {
  for (const [way, write] of Object.entries(ways)) {
    it(`writes the new text as it is, if only the old text has ${way}`, () => {
      fc.assert(
        fc.property(block, (lines) => {
          const text = finish(lines);
          const oldText = write(finish(lines.slice(1, -1)));
          const newLines = [lines[1] ?? '', 'fresh();', ...lines.slice(3, -1)];
          const result = applyEdits(text, [{ oldText, newText: finish(newLines) }]);
          const expected = finish([lines[0] ?? '', ...newLines, lines.at(-1) ?? '']);
          assert.ok(!result.ok || result.text === expected, result.ok ? result.text : '');
        }),
      );
    });
  }

  it('keeps signs that a file has itself, if only the old text has diff signs', () => {
    const signed = fc.array(
      fc.tuple(fc.constantFrom('+', '-', '@@ ', ' ', '+++ ', '--- '), name).map(([sign, word]) => sign + word),
      { minLength: 2, maxLength: 5 },
    );
    fc.assert(
      fc.property(signed, signed, fc.constantFrom('-', '- '), (old, fresh, sign) => {
        // With a plus before each new line, both texts are one diff of a file without signs.
        fc.pre(old.some((line) => !line.startsWith(' ')) || !fresh.every((line) => line.startsWith('+')));
        const text = `first\n${finish(old)}last\n`;
        const oldText = finish(old.map((line) => sign + line));
        const result = applyEdits(text, [{ oldText, newText: finish(fresh) }]);
        assert.ok(!result.ok || result.text === text || result.text === `first\n${finish(fresh)}last\n`);
      }),
    );
  });

  it('keeps the line that a quote left out between two lines that stay', () => {
    fc.assert(
      fc.property(block, fc.nat(), fc.nat(), (lines, missing, changed) => {
        const at = 1 + (missing % (lines.length - 2));
        const others = lines.map((_, index) => index).filter((index) => Math.abs(index - at) > 1);
        const one = others[changed % others.length];
        if (one === undefined) return;
        const fresh = lines.with(one, 'e();');
        const write = (all: readonly string[]): string => finish(all.toSpliced(at, 1));
        const text = `first\n${finish(lines)}last\n`;
        const result = applyEdits(text, [{ oldText: write(lines), newText: write(fresh) }]);
        assert.deepEqual(result, { ok: true, text: `first\n${finish(fresh)}last\n`, match: 'missing_line' });
        // With the line in the new text alone, nobody knows what is meant.
        assert.equal(applyEdits(text, [{ oldText: write(lines), newText: finish(fresh) }]).ok, false);
      }),
    );
  });

  it('never guesses where a line belongs that a quote left out beside a changed line', () => {
    fc.assert(
      fc.property(block, fc.nat(), fc.constantFrom(-1, 1), (lines, missing, side) => {
        const at = 1 + (missing % (lines.length - 2));
        const write = (all: readonly string[]): string => finish(all.toSpliced(at, 1));
        const text = `first\n${finish(lines)}last\n`;
        const newText = write(lines.with(at + side, 'e();'));
        assert.equal(applyEdits(text, [{ oldText: write(lines), newText }]).ok, false);
      }),
    );
  });

  it('takes the blank line after each line out of both texts, if the file has none', () => {
    fc.assert(
      fc.property(block, fc.nat(), (lines, changed) => {
        const fresh = lines.with(changed % lines.length, 'e();').toSpliced(2, 0, 'f();');
        const write = (all: readonly string[]): string => `${all.join('\n\n')}\n`;
        const text = `first\n${finish(lines)}last\n`;
        const result = applyEdits(text, [{ oldText: write(lines), newText: write(fresh) }]);
        assert.ok(!result.ok || result.text === `first\n${finish(fresh)}last\n`);
        assert.equal(result.ok, true);
      }),
    );
  });

  it('never guesses a depth that two ways to indent explain differently', () => {
    const blanks = fc.integer({ min: 1, max: 8 }).map((width) => ' '.repeat(width * 2));
    fc.assert(
      fc.property(blanks, blanks, (first, second) => {
        // The model doubled every indentation, or moved the block: with one quoted depth, nobody can know.
        fc.pre(first.length < second.length);
        const text = `f {\n${first}one();\n}\n`;
        const oldText = `${first}${first}one();\n`;
        const newText = `${first}${first}two();\n${second}${second}three();\n`;
        assert.equal(applyEdits(text, [{ oldText, newText }]).ok, false);
      }),
    );
  });

  it('never takes blanks off the end of a new line, if the quote has blanks only on blank lines', () => {
    fc.assert(
      fc.property(block, fc.constantFrom(' ', '  ', '    ', '\t'), (lines, blanks) => {
        const [one = '', two = ''] = lines;
        const newText = `${one}\n\nfresh(); \n`;
        const result = applyEdits(finish([one, '', two, 'last();']), [
          { oldText: `${one}\n${blanks}\n${two}\n`, newText },
        ]);
        assert.ok(!result.ok || result.text === `${newText}last();\n`);
      }),
    );
  });

  it('reads a lone return at the end of both texts in one way', () => {
    fc.assert(
      fc.property(block, (lines) => {
        const [one = '', two = '', three = ''] = lines;
        const fresh = one.replace(/\S.*/, 'fresh();');
        const result = applyEdits(finish(lines), [{ oldText: `${one}\n${two}\r`, newText: `${fresh}\r` }]);
        assert.ok(result.ok);
        assert.equal(result.text, finish([fresh, three, ...lines.slice(3)]));
      }),
    );
  });

  it('never applies the same edit twice', () => {
    fc.assert(
      fc.property(block, (lines) => {
        const edit = { oldText: lines[1] ?? '', newText: `${lines[1]}\nfresh();` };
        assert.equal(applyEdits(finish(lines), [edit, edit]).ok, false);
      }),
    );
  });

  it('does not repeat the indentation before a quote', () => {
    const text = 'f {\n    one();\n    two();\n}\n';
    const result = applyEdits(text, [{ oldText: 'one();\n    two();', newText: '    one();\n    three();' }]);
    assert.ok(result.ok);
    assert.equal(result.text, 'f {\n    one();\n    three();\n}\n');
  });
});

describe('an edit with two meanings', () => {
  const cases: Readonly<Record<string, readonly [text: string, oldText: string, newText: string]>> = {
    'several lines that the file already has after the quote': [
      'use(one);\n// First.\n// Second.\nuse(two);\n',
      'use(one); \n',
      'use(uno);\n// First.\n// Second.\n',
    ],
    'outer lines at the depth of the file, and an inner line at that of the quote by chance': [
      'def f():\n    check = Is(\n        {\n            "type": 1,\n        }\n    )\n',
      'check = Is(\n    {\n        "type": 1,\n    }\n)\n',
      '    check = {\n        "type": 1,\n    }\n',
    ],
    'levels of the quote, and one line of the file by chance': [
      'def f():\n    check = [\n        1,\n    ]\n',
      'def f():\n  check = [\n    1,\n  ]\n',
      'def f():\n  check = snapshot(\n    [\n      1,\n    ]\n  )\n',
    ],
    'the quoted line below or beside a line that opens a block': [
      'on:\n  push:\n  dispatch:\n\njobs:\n',
      'dispatch:\n',
      'request:\n  dispatch:\n',
    ],
    'lines elsewhere at another depth, where lines at the quoted depth have a comment between them': [
      'f {\n  one();\n  // Why.\n  two();\n}\none();\ntwo();\n',
      '  one();\n  two();\n',
      '  one();\n  three();\n',
    ],
    'a line before a quote of several lines that begins within its indentation': [
      'use a::{\n    one,\n    two,\n};\n',
      '  two,\n};\n',
      '  new,\n  two,\n};\n',
    ],
    'blanks taken off a line, where the quote ends in a line of blanks': [
      'one(); \ntwo();\n   \nthree();\n',
      'one(); \ntwo();\n   ',
      'one();\ntwo();\n',
    ],
    'the same escape in a string of another kind': [
      'match(`^a\\.b$`)\n',
      'match(`^a\\\\.b$`)\n',
      'match("^a\\\\.b$")\n',
    ],
    'a later line at the depth of the quote, after a first line at that of the file': [
      'f(\n        one,\n    ) -> int:\n',
      '  ) -> int:\n',
      '    two,\n  ) -> int:\n',
    ],
    'a new blank line before a quote without its indentation': [
      'f {\n    one();\n    two();\n}\n',
      'two();',
      '\ntwo();',
    ],
    'a deeper line after a quote that begins nothing': [
      'links:\n  - name: a\n    about: b\n',
      'about: b',
      'about: b\n  - name: c\n    about: d',
    ],
    'blanks on a blank line that the quote lost': [
      'one();\n\ntwo();\nthree();\n',
      'one();\ntwo();\nthree();\n',
      'one();\n    \nfresh();\nthree();\n',
    ],
    'more blanks on a line of blanks than the file has': [
      'f {\n    \n}\n\na = 1\n',
      '  \n}\n\na = 1\n',
      '      \n}\n\na = 2\n',
    ],
    'several lines that the file already has before the quote': [
      '// First.\n// Second.\nuse(one);\n',
      'use(one); \n',
      '// First.\n// Second.\nuse(uno);\n',
    ],
    'a doubled blank where the quote doubled others': [
      'if: always\nuses: checkout@v3\n',
      'if:  always\nuses: checkout@v3\n',
      'if:  always\nuses:  checkout@v4\n',
    ],
    'a blank line before the quote that the new text has elsewhere': [
      'key\n\n## Script of the job\nscript:\n',
      '\n## Script of the job\n    ',
      '## Logs\n\n## Script of the job\n',
    ],
    'a newline after the tag of the new text only': [
      '/**\n * Text.\n */\nmake(one);\nmake(two);\n',
      '<text>make(one);\n</text>',
      '<text>\n// Pure.\nmake(one);\n</text>',
    ],
    'a newline after the start of CDATA of the old text only': [
      'import re\n\nversion = 3\n',
      '<![CDATA[\nversion = 3]]>',
      '<![CDATA[import sys\n\nversion = 4]]>',
    ],
  };
  for (const [what, [text, oldText, newText]] of Object.entries(cases)) {
    it(`is refused: ${what}`, () => {
      assert.equal(applyEdits(text, [{ oldText, newText }]).ok, false);
    });
  }

  it('keeps entities of a new text with quotation marks that the quote has as entities only', () => {
    const result = applyEdits('say("<3", \'&lt;\')\n', [
      { oldText: 'say(&quot;&lt;3&quot;, &#39;&amp;lt;&#39;)', newText: 'say("&lt;3", \'&lt;\')' },
    ]);
    assert.ok(!result.ok || result.text === 'say("&lt;3", \'&lt;\')\n');
  });

  it('keeps the headers of a diff in a new text that was not quoted', () => {
    const text = '--- a.c\t2021\n+++ a.c\t2021\n@@ -1 +1 @@ f\n';
    const newText = '+++ a.c\t2022\n@@ -1 +1 @@ f\n';
    const result = applyEdits(text, [{ oldText: '> +++ a.c\t2021\n> @@ -1 +1 @@ f\n', newText }]);
    assert.ok(!result.ok || result.text === `--- a.c\t2021\n${newText}`);
  });
});

describe('the error of a refused edit', () => {
  it('is short for a file with one long line', () => {
    const text = `var a = "${'x'.repeat(1_000_000)}"; var b = 1;`;
    const result = applyEdits(text, [{ oldText: `var a = "${'x'.repeat(500)}"; var c = 1;`, newText: 'y' }]);
    assert.ok(!result.ok);
    assert.ok(describeEditFailure(result.failure, 'a.js', 1).length < 10_000);
  });
});
