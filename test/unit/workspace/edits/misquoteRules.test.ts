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
