import assert from 'node:assert/strict';
import { applyEdits } from '../../../../src/workspace/edits/applyEdits';

/** The whole text afterwards; `undefined` if the edit was refused as unclear or absent. */
function apply(text: string, oldText: string, newText: string): string | undefined {
  const result = applyEdits(text, [{ oldText, newText }]);
  if (result.ok) return result.text;
  assert.match(result.failure.reason, /^(?:unclear|absent)$/);
  return undefined;
}

type Sample = readonly [name: string, text: string, oldText: string, newText: string];

describe('an edit with two possible results', () => {
  const refused: readonly Sample[] = [
    ['that ends with a blank line which the end of the file does not have', 'a\nb\n', 'b\n\n', 'c\n\n'],
    [
      'whose quote has one blank where the file aligns a column, and whose changed line has one too',
      'const (\n\tleftDelim    = "{{"\n\trightDelim   = "}}"\n\tleftComment  = "/*"\n)\n',
      'const (\n\tleftDelim = "{{"\n\trightDelim = "}}"\n\tleftComment = "/*"\n)\n',
      'const (\n\tdefaultLeftDelim = "{{"\n\trightDelim = "}}"\n\tleftComment = "/*"\n)\n',
    ],
    ['that removes lines between newlines and blanks, after a blank line', 'a();\n\nb();\nc();\n', '\nb();\n  ', ''],
    [
      'whose quote alone stands between newlines and blanks, and whose new text begins with a blank line',
      '# end\n\nversion = 1\nimport b\n',
      '\nversion = 1 \n  ',
      '\nfrom c import d\n',
    ],
    [
      'that starts with a numbered line of its own',
      'codes = {\n    100: "a",\n    101: "b",\n}\n',
      '  2| 100: "a",\n  3| 101: "b",\n',
      '  2| 100: "a",\n  9| 102: "c",\nx\n',
    ],
    [
      'whose new text is only a blank line before a closing marker',
      'a\nb\n\nc\n',
      '<<<<<<< SEARCH\nb\n\n',
      '\n>>>>>>> REPLACE',
    ],
    [
      'whose lines begin with the sign of a mail in the file too',
      '> one\n> two\n\nthree\n',
      '> > two\n> \n',
      '> four\n\n',
    ],
    [
      'whose quote ends in quotation marks where the file has a bracket',
      'import (\n\t"a/secrets"\n\t"a/config"\n)\n',
      '"import (\n\t"a/secrets"\n\t"a/config"\n"',
      'import (\n\t"a/secrets"\n\t"a/config"\n\t"a/x"\n',
    ],
    ['that removes a line with more blank lines than follow it', 'a\n\nb\n', 'a \n\n\n', ''],
  ];
  for (const [name, text, oldText, newText] of refused) {
    it(`is refused: ${name}`, () => assert.equal(apply(text, oldText, newText), undefined));
  }
});

describe('a misquoted edit', () => {
  const made: readonly (readonly [...Sample, string])[] = [
    [
      'does not take numbers of the text for line numbers',
      'codes = {\n    100: "a",\n    101: "b",\n}\n',
      '   2\t    100: "a",\n   3\t    101: "b",',
      '    100: "a",\n    101: "b", "c",',
      'codes = {\n    100: "a",\n    101: "b", "c",\n}\n',
    ],
    [
      'takes a removed comment of dashes for a line, not for a header',
      '-- reload()\n\nlocal a\n',
      '--- reload()\n-\n-local a',
      '+reload()\n+\n+local a',
      'reload()\n\nlocal a\n',
    ],
    [
      'is read without the numbers of a list',
      'a();\nb();\nc();\n',
      '1. a();\n2. b();\n',
      '1. a();\n2. d();\n3. b();\n',
      'a();\nd();\nb();\nc();\n',
    ],
    [
      'adds no blank line at the start of the file',
      'package a;\nimport b;\n',
      '\npackage a;\n',
      '\n// Copyright\npackage a;\n',
      '// Copyright\npackage a;\nimport b;\n',
    ],
    ['adds a blank line that stands within a fence', 'a\nb\nc\n', '```\nb\n```', '```\nd\n\n```', 'a\nd\n\nc\n'],
  ];
  for (const [name, text, oldText, newText, expected] of made) {
    it(name, () => assert.equal(apply(text, oldText, newText), expected));
  }
});
