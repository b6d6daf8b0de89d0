import assert from 'node:assert/strict';
import { applyEdits } from '../../../../src/workspace/edits/applyEdits';

/** The whole text afterwards; `undefined` if the edit was refused as unclear or absent. */
function apply(text: string, oldText: string, newText: string): string | undefined {
  const result = applyEdits(text, [{ oldText, newText }]);
  if (result.ok) return result.text;
  assert.match(result.failure.reason, /^(?:unclear|absent|added_marks)$/);
  return undefined;
}

type Sample = readonly [name: string, text: string, oldText: string, newText: string];

describe('an edit with two possible results', () => {
  const refused: readonly Sample[] = [
    [
      'whose quote added blanks to one line, and has those of the file at another, where the new text has as many',
      'a  \nb        \nc\nd\n',
      'a  \nb          \nc  \nd\n',
      'a\nb  \nc  \nd\n',
    ],
    [
      'whose new text is as deep as its quote, though some of its lines are as deep as others of the file',
      'f() {\n    return a(() => {\n        b();\n        c();\n    });\n}\n',
      '        return a(() => {\n            b();\n            c();\n        });\n    }\n',
      '      return a(() => {\n        b();\n        d();\n      });\n    };\n',
    ],
    [
      'whose quote joined two lines, one of which could be signs of three diffs',
      '---\nhide: it\n---\n\ntext\n',
      '--- hide: it\n---\n\n',
      '',
    ],
    [
      'whose quote left out the line before its last blank one, where the new text repeats the line before that',
      'b();\n// a\nf();\n\ng();\n',
      'b();\n// a\n\n',
      'c();\n// a\nf();\n\n// a\n',
    ],
    ['that ends with a blank line which the end of the file does not have', 'a\nb\n', 'b\n\n', 'c\n\n'],
    [
      'whose quote has one blank where the file aligns a column, and whose changed line has one too',
      'const (\n\tleftDelim    = "{{"\n\trightDelim   = "}}"\n\tleftComment  = "/*"\n)\n',
      'const (\n\tleftDelim = "{{"\n\trightDelim = "}}"\n\tleftComment = "/*"\n)\n',
      'const (\n\tdefaultLeftDelim = "{{"\n\trightDelim = "}}"\n\tleftComment = "/*"\n)\n',
    ],
    ['whose quote stops before the blanks at the end of its line', 'f(() => { \n  g();\n', 'f(() => {', 'h(() => { '],
    [
      'whose new text aligns the column anew',
      'type T struct {\n\tSec       int64\n\tUsec      int32\n\tPad_cgo_0 [4]byte\n}\n',
      '\tSec int64\n\tUsec int32\n\tPad_cgo_0 [4]byte\n}\n',
      '\tSec  int64\n\tUsec int32\n\t_    [4]byte\n}\n',
    ],
    [
      'whose quote left out a blank line, and whose new text adds others',
      'import a\nimport b\n\nimport c\n',
      'import a\nimport b\nimport c\n',
      'import a\n\nimport b\nimport c\n',
    ],
    [
      'whose quote and new text are lines with blanks, with another blank line between other lines',
      '  }\n    \n  test a\n',
      '  }\n\n  test a\n',
      '  }\n\n  test b\n    x\n  }\n    \n  test a\n',
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
    [
      'whose new text has backslashes that the quote does not have',
      'assert a =~ "b"\n',
      'assert a =~ \\"b\\"\n',
      'assert a =~ \\"\\\\"b\\\\"\\"\n',
    ],
    [
      'whose line ends in other blanks than in the file, and whose new line in blanks that are a mistake elsewhere',
      'a();\nb(); \nc();\n',
      'a();   \nb();    \nc();\n',
      'a();   \nb(1);   \nc();\n',
    ],
    ['that removes a line with more blank lines than follow it', 'a\n\nb\n', 'a \n\n\n', ''],
    [
      'whose quote stops before blanks, with the quoted line before another new line',
      'a(); \nb();\n',
      'a();',
      'x();\na();\ny();',
    ],
    ['whose one line begins within its indentation', '    (set xs)\n', '  (set xs)\n', '  (with-meta xs)\n'],
    [
      'that removes a part of lines and a blank line, in other quotation marks',
      'x = f("a"); // one\n\ny\n',
      'f(\u201Ca\u201D); // one\n\n',
      '\n\n',
    ],
    [
      'whose quote and new text have a wrong blank line after a line that occurs twice',
      'a(1);\nb();\na(2);\nb();\nc();\n',
      'a(1);\nb();\na(2);\n\nb();\n',
      'a(2);\n\nb();\na(3);\nb();\n',
    ],
    [
      'whose quote has an ellipsis wrongly where the file has another',
      'f(...a);\ng("\u2026");\n',
      'f(\u2026a);\n',
      'f(\u2026b);\n',
    ],
    [
      'whose new blank line has no-break spaces, as the indentation of the quote',
      '  a();\n  b();\n',
      '\u00A0\u00A0a();\n',
      '\u00A0\u00A0a();\n\u00A0\u00A0\n\u00A0\u00A0c();\n',
    ],
    [
      'that ends with blank lines after which the new text goes on, so that a line is missing',
      'a ::\na = 1\n\nb ::\n',
      'a ::\n\n',
      '-- A\na ::\n\n-- B\n',
    ],
    [
      'that begins with a line of blanks where the file has other text',
      'f()\n    ;\n}\ng()\n',
      '    \n} \n',
      '    \n} h\n',
    ],
    [
      'whose new line ends in blanks, where only blank lines of the quote have some wrongly',
      'a\nb\nc\nd\ne\n\nf\n',
      'a\nb\nc\nd\ne\n  \nf\n',
      'a\nb\nc\nx \nd\ne\n\nf\n',
    ],
    [
      'whose blank line has no blanks, beside a changed line, where the quote lost a line of blanks',
      'a(1);\nb(2);\n  \nc(3);\nd(4);\n',
      'a(1);\nb(2);\nc(3);\nd(4);\n',
      'a(1);\nb(2);\n\n// e f g h\nd(4);\n',
    ],
    [
      'whose quote has entities for characters, and whose changed line has others for text',
      '<p>create(Token<T>) a</p>\n',
      '&lt;p&gt;create(Token&lt;T&gt;) a&lt;/p&gt;\n',
      '<p>create(Token&lt;T&gt;) b</p>\n',
    ],
    [
      'whose new text has a dash that the quote does not have',
      'u = (b - a) / 2;\nv = 1;\n',
      'u = (b \u2013 a) / 2;\n',
      '// x \u2208 [\u22121, 1]\nu = (b \u2013 a) / 2;\n',
    ],
    [
      'that begins behind an indentation at the end of a block, and goes on after a blank line',
      'f() ->\n    g().\n\nk() -> l.\n',
      'g().',
      'g().\n\nh() ->\n    i().',
    ],
    ['that ends with a line of blanks where the file has other text', '  a,\n  b\n    ;\n', '  b\n    \n', '  b;\n'],
    [
      'whose quote left out the line before a blank line, and whose new text has it',
      'if a {\n  next;\n}\n\n/* c */\nb();\n',
      '  next;\n\n',
      '  next;\n}\n\n/** d */\n',
    ],
    ['that begins at the end of a line of blanks', 'a();\n  \n  b();\n', '\n  b();\n', '  c();\n'],
    [
      'whose new text begins with blanks, and whose quote with a part of the indentation',
      'f(() => {\n        a();\n});\n',
      '    a();\n',
      '    \n    if (b) {\n      c();\n    }\n',
    ],
    [
      'whose new text has a tab as the quote has, in a file without tabs',
      'a ||\n  b ||\n    c\nd\n',
      'a ||\n  b ||\n\tc\n',
      'a ||\n  b ||\n    d ||\n\t  c\n',
    ],
    [
      'of which only a bracket looks as the file does',
      '#if a\n#endif\n    }\n\n} // b\n',
      '#endif\n  }\n\n} // b\n',
      '    }\n#endif\n} // b\n',
    ],
    [
      'whose new line continues another one, with levels of another width',
      'f():\n    a = b\n    if c:\n        d()\n',
      'f():\n  a = b\n  if c:\n    d()\n',
      'f():\n  a = [b,\n       e]\n  if c:\n    d()\n',
    ],
    [
      'whose changed line has other blanks in a row, where the quote lost them',
      '/// -   not a\n/// - b\n///     -   c or d\n',
      '/// - not a\n/// - b\n/// - c or d\n',
      '/// - not a\n/// - b\n///     - c or e\n',
    ],
    [
      'whose new text is in quotation marks, as the old text is',
      'import (\n\t"a/b"\n\t"a/c"\n)\n',
      '"\\"a/b\\"\\n"',
      '"a/d"\n',
    ],
    [
      'that moves a blank line which only the quote has',
      'f() {\n\tif a(1) {\n\t\treturn\n\t}\n\tif b(1) {\n\t\treturn\n\t}\n}\n',
      'f() {\n\tif a(1) {\n\n\t\treturn\n\t}\n\tif b(1) {\n\t\treturn\n\t}\n}\n',
      'f() {\n\tif b(1) {\n\t\treturn\n\t}\n\tif a(1) {\n\n\t\treturn\n\t}\n}\n',
    ],
    [
      'whose new blank line has blanks, and whose quote has others at the ends of lines',
      'a();\nb();\nc();\n',
      'a();  \nb();  \nc();\n',
      'a();  \n            \nb();  \nd();\n',
    ],
    [
      'whose quote lost one of several equal letters that the new text has',
      "if (a) {\n  b('\\\\\\\\');\n}\nc();\n",
      "if (a) {\n  b('\\\\');\n}\nc();\n",
      "if (a) {\n  d('\\\\\\\\');\n}\nc();\n",
    ],
    [
      'whose quote lost the indentation before a line that opens a block by a word',
      'f()\n   for a in b do\n      c()\n   end\nend\n',
      'for a in b do',
      'for a in b do\n   d()',
    ],
    ['with a mistake, that adds a byte order mark', 'a\nb\nc\n', '1: a\n2: b\n', '1: \uFEFFa\n2: x\n3: b\n'],
    [
      'in a file with the header of a diff, which the quote has with a mistake',
      '--- a/f\n+++ b/f\n@@ -1 +1 @@ f(a,\n b\n-c\n',
      '@@ -1 +1 @@ f(a\n b\n',
      ' x\n@@ -1 +1 @@ f(a,\n b\n',
    ],
    ['whose new text alone ends in blanks after a newline', 'a\n\nb\n', 'a\n', 'c\n  '],
    [
      'whose quote has a blank line more, where the new text moves another one',
      'a(1);\n\nb(1);\nc(1);\nd(1);\n',
      'a(1);\n\nb(1);\n\nc(1);\nd(1);\n',
      'a(1);\nb(2);\n\nc(1);\nd(1);\n',
    ],
    [
      'whose only indented line is one of blanks, with another number of them',
      'a {\n    \n}\n',
      'a {\n  \n',
      'a {\n  b()\n\n',
    ],
    [
      'whose first blank line has no blanks, as others of the new text have',
      '  a\n  b\n  c\n',
      'b\n  c\n',
      '\n  d\n  \n  b\n  c\n',
    ],
    [
      'whose quote doubled backslashes, where the new text has as many as the file',
      'a(/\\\\/, 1)\nb()\n',
      'a(/\\\\\\\\/, 1)\nb()\n',
      "a('\\\\', 2)\nb()\n",
    ],
    [
      'whose quote doubled backslashes, where the file has both single and doubled ones',
      'a `B\\C`, b\na `B\\\\C` b\n',
      'a `B\\\\C`, b\na `B\\\\\\\\C` b\n',
      'c `B\\\\C\\\\D`\n',
    ],
    [
      'whose quote has dashes for hyphens, where the new text has one between words',
      'a:\n- b: c\n',
      'a:\n\u2013 b: c\n',
      'a:\n# d \u2013 e\n\u2013 f: g\n\u2013 b: c\n',
    ],
    [
      'whose quote has all marks escaped, where the new text has bare marks beside escapes',
      'a(\\"b\\", c\\.d)\ne(f)\n',
      'a(\\\\"b\\\\", c\\\\.d)\ne(f)\n',
      'a(\\\\"b\\\\", c\\\\.d)\ne("g\\\\.h")\n',
    ],
    ['whose new text changes nothing but a return', 'a\r\n  b\r\nc\r', '\na\r\n  b\r\nc\r', '\na\n  b\nc'],
    [
      'with levels of another width, whose new text keeps no indented line',
      'a = {\n    b = 1\n}\n\nc = {\n  d, e\n}\n',
      '        b = 1\n}\n\nc = {\n    d, e\n}\n',
      '    b = 1,\n}\n\nc = {\n    d,\n    e,\n}\n',
    ],
    [
      'that begins behind the indentation and adds an item of a list',
      '- a b c\n  d e f.\n\ng\n',
      'd e f.',
      'd e f.\n- h i\n  j',
    ],
    [
      'whose quote has two different blank lines, where the file has one',
      'a();\n    \nb();\nc();\n',
      'a();\n\n    \nb();\nc();\n',
      'a();\n\nb();\nd();\n',
    ],
    [
      'that adds a blank line, where the quote lost the blanks of all',
      'a();\n  \nb();\n  \nc();\n',
      'a();\n\nb();\n\nc();\n',
      'x();\n\na();\n\nb();\n\nc();\n',
    ],
    [
      'whose new text changes blanks in a row that the quote has wrongly',
      "f('   a [b]  c')\ng()\n",
      "f('    a  [b]  c')\ng()\n",
      "f('  a [b]  c')\ng()\n",
    ],
    [
      'whose new text has no-break spaces before lines, as the quote has on a blank line',
      '\ta {\n\t\tb\n    \n}\n',
      '\ta {\n\t\tb\n\u00A0\u00A0\u00A0\u00A0\n}\n',
      'a {\n\u00A0\u00A0b\n\u00A0\u00A0c\n}\n',
    ],
    [
      'whose new text has lines both as the quote and as the file write entities',
      '<p>\nA&lt;B&gt;\n</p>\n',
      '&lt;p&gt;\nA&amp;lt;B&amp;gt;\n&lt;/p&gt;\n',
      '&lt;p&gt;\n&lt;!--\nA&lt;B&gt;\n--&gt;\n&lt;/p&gt;\n',
    ],
    [
      'whose quote has escaped marks, where the new text has a backslash in a string',
      'a(/\\\\/)\nb "c"\n',
      'a(/\\\\/)\nb \\"c\\"\n',
      'a(\'\\\\\', 1)\nb \\"c\\" if d\n',
    ],
    [
      'whose quote lost the indentation before a tag that opens',
      '<a>\n  <b>\n    <c />\n  </b>\n</a>\n',
      '<b>\n',
      '<b>\n  <d />\n',
    ],
    [
      'whose quote lost an indentation, and whose new text keeps only a bracket that may be deeper',
      '{\n  "a": {\n    "b": 1,\n    "c": 2\n  },\n  "d": 3\n}\n',
      '  "b": 1,\n  "c": 2\n},\n',
      '  },\n',
    ],
    [
      'whose quote has wider levels, where the file continues lines so far to the right',
      'f(a) =>\n    b;\n\ng(a) {\n  b();\n}\n',
      'g(a) {\n    b();\n}\n',
      'g(a) =>\n    c();\n',
    ],
    [
      'whose changed line may be aligned with others, where the quote lost their blanks',
      'abc # d\ne   # f\n',
      'abc # d\ne # f\n',
      'a # d\ne # f\n',
    ],
    ['whose quote left out a comment', 'a();\n// x\nb();\nc();\n', 'a();\nb();\nc();\n', 'a();\nb();\nd();\n'],
    [
      'whose quote left out a line that the new text has elsewhere',
      'a();\nx();\nb();\nc();\n',
      'a();\nb();\nc();\n',
      'a();\nb();\nc();\nx();\n',
    ],
    ['whose quote left out two lines', 'a();\nx();\ny();\nb();\nc();\n', 'a();\nb();\nc();\n', 'a();\nb();\nd();\n'],
    [
      'whose quote begins with the end of a line that the new text adds',
      '<p a="1" />\n<p b="2" />\n\t\n<p c="3" />\n',
      '\n<p b="2" />\n\t\n<p c="3" />\n',
      '\n<p a="1" />\n<p b="2" />\n\n<p c="3" />\n',
    ],
  ];
  for (const [name, text, oldText, newText] of refused) {
    it(`is refused: ${name}`, () => assert.equal(apply(text, oldText, newText), undefined));
  }
});

describe('a misquoted edit', () => {
  const made: readonly (readonly [...Sample, string])[] = [
    [
      'keeps the blanks of a blank line in which the quote ends',
      '  a();\n    \n  b();\n',
      '  a();\n    ',
      '  c();\n',
      '  c();\n    \n  b();\n',
    ],
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
      'is read without one fence, though its text begins and ends with others',
      'x\n```\n\n```\nbeep\nbar\n```\n\nend\n',
      '```c++\n```\n```\nbeep\nbar\n```\n\n```',
      '```c++\n```\n\n```\nbeep\nboop\nbar\n```\n\n```',
      'x\n```\n\n```\nbeep\nboop\nbar\n```\n\nend\n',
    ],
    [
      'keeps the escapes of a new text with bare quotation marks',
      'x = ["say \\"hi\\"", f("1")]\ny = "2"\n',
      'x = [\\"say \\\\"hi\\\\"\\", f(\\"1\\")]\n',
      'x = ["say \\"hi\\"", g("1")]\n',
      'x = ["say \\"hi\\"", g("1")]\ny = "2"\n',
    ],
    [
      'has other quotation marks than the file, and a word right that the quote has wrong',
      'begin();\nsay("a b", out);\nend_of_it();\n',
      'begin();\nsay(“a b”, out);\nend_of_if();\n',
      'begin();\nsay(“a b”, err);\nend_of_it();\n',
      'begin();\nsay("a b", err);\nend_of_it();\n',
    ],
    ['keeps a version that looks like the number of a list', '1.25.3\n', '1. 1.25.3\n', '1.25.8\n', '1.25.8\n'],
    [
      'keeps the escapes of a line that stays, beside new lines without any',
      `a('\\"', '\\'');\nb();\n`,
      `a('\\\\"', '\\\\'');\n`,
      `a('\\\\"', '\\\\'');\nc("d");\n`,
      `a('\\"', '\\'');\nc("d");\nb();\n`,
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
    [
      'keeps the entities of a new text with bare angle brackets',
      "get '/', '<b>'\nx == '&lt;b&gt;'\n",
      "get '/', '&lt;b&gt;'\nx == '&amp;lt;b&amp;gt;'\n",
      "get '/', '<b>'\neq('&lt;b&gt;')\n",
      "get '/', '<b>'\neq('&lt;b&gt;')\n",
    ],
    ['adds a blank line that stands within a fence', 'a\nb\nc\n', '```\nb\n```', '```\nd\n\n```', 'a\nd\n\nc\n'],
    [
      'keeps the blanks of blank lines away from the file',
      'a();\n\nb();\n',
      'a();\n\t\nb();\n',
      'a();\n\t\nc();\nb();\n',
      'a();\n\nc();\nb();\n',
    ],
    [
      'loses the hidden characters that the quote has wrongly',
      'opts := a{\n  b: c,\n}\n',
      'opts\u200B := a{\n  b\u200B: c,\n}\n',
      'opts\u200B := a{\n  b: d,\n  e\u200B: f,\n}\n',
      'opts := a{\n  b: d,\n  e: f,\n}\n',
    ],
    [
      'composes the letters that the quote has wrongly',
      'caf\u00E9 = 1\nx\n',
      'cafe\u0301 = 1\n',
      'cafe\u0301 = re\u0301sume\u0301\n',
      'caf\u00E9 = r\u00E9sum\u00E9\nx\n',
    ],
    [
      'writes three dots where the quote has an ellipsis wrongly',
      'f(...a);\nb();\n',
      'f(\u2026a);\n',
      'f(\u2026a, \u2026c);\n',
      'f(...a, ...c);\nb();\n',
    ],
    [
      'keeps guillemets where the quote has curly quotation marks',
      'f("a")\n',
      'f(\u201Ca\u201D)\n',
      'f(\u201Ca\u201D)\ng(\u201C\u00ABb\u00BB\u201D)\n',
      'f("a")\ng("\u00ABb\u00BB")\n',
    ],
    [
      'begins behind an indentation in the middle of a block, and goes on after a blank line',
      'f() {\n  a();\n  b();\n}\n',
      'a();',
      'a();\n\nc();',
      'f() {\n  a();\n\n  c();\n  b();\n}\n',
    ],
    [
      'gives new blank lines no blanks that the file has on others',
      'a();\n    \nb();\n',
      'a();\n\nb();\n',
      'x();\n\na();\n\nc();\n',
      'x();\n\na();\n    \nc();\n',
    ],
    [
      'keeps the escapes of a new text, if only its other quotation marks are bare',
      'x = ["say \\"hi\\"", a]\n',
      'x = [\\"say \\\\"hi\\\\"\\", a]\n',
      'x = [\\"say \\\\"hi\\\\"\\", \'b\']\n',
      'x = ["say \\"hi\\"", \'b\']\n',
    ],
    [
      'has a whole line of blanks at the end of the quote, which the new text has in another place',
      'a {\n  \n}\n',
      'a {\n  ',
      'a {\n  \n  b\n}\nc {',
      'a {\n  \n  b\n}\nc {\n}\n',
    ],
    [
      'has the same line of blanks behind a number',
      'a {\n  \n}\n',
      '1: a {\n2:   ',
      '1: a {\n2:   \n3:   b\n4: }\n5: c {',
      'a {\n  \n  b\n}\nc {\n}\n',
    ],
    [
      'ends with blanks, where a longer line has one in that place',
      '  run: a b --c\n  run: a b\n',
      'run: a b   ',
      'go: a b   ',
      '  run: a b --c\n  go: a b\n',
    ],
  ];
  for (const [name, text, oldText, newText, expected] of made) {
    it(name, () => assert.equal(apply(text, oldText, newText), expected));
  }
});
