import assert from 'node:assert/strict';
import { applyEdits } from '../../../../src/workspace/edits/applyEdits';
import { FileLines } from '../../../../src/workspace/edits/fileLines';
import { StepBudget } from '../../../../src/workspace/edits/matchers/boundedDistance';
import { matchNear } from '../../../../src/workspace/edits/matchers/nearMatch';

/** The match and the whole text afterwards, or why the edit was refused. */
type Outcome = readonly [match: string, text: string] | string;
type Case = readonly [name: string, text: string, oldText: string, newText: string, outcome: Outcome];

function apply(text: string, oldText: string, newText: string): Outcome {
  const result = applyEdits(text, [{ oldText, newText }]);
  return result.ok ? [result.match, result.text] : result.failure.reason;
}

/** One test for each case. */
function itHandles(cases: readonly Case[]): void {
  for (const [name, text, oldText, newText, outcome] of cases) {
    it(name, () => assert.deepEqual(apply(text, oldText, newText), outcome));
  }
}

const python = 'class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n';

describe('a misquoted edit', () => {
  describe('keeps the bytes of the file', () => {
    itHandles([
      ['with other trailing spaces', 'a \nb\nc\n', 'a\nb  \n', 'a\nB  \n', ['trailing_space', 'a \nB\nc\n']],
      [
        'with curly quotes',
        'say("it\'s");\nx\n',
        'say(“it’s”);',
        'shout(“it’s”);',
        ['typography', 'shout("it\'s");\nx\n'],
      ],
      [
        'with HTML entities',
        'if (a < b && c) x();\ny\n',
        'if (a &lt; b &amp;&amp; c) x();',
        'if (a &lt; b) x();',
        ['typography', 'if (a < b) x();\ny\n'],
      ],
      [
        'with escaped quotes and newlines',
        'a("b");\nc();\n',
        'a(\\"b\\");\\nc();\\n',
        'a(\\"B\\");\\nc();\\n',
        ['typography', 'a("B");\nc();\n'],
      ],
      ['in a code fence', 'a\nb\nc\n', '```ts\nb\n```\n', '```ts\nB\n```\n', ['wrapping', 'a\nB\nc\n']],
      ['with a number alone at its end', 'a\nb\n\nc\n', '2|b\n3|', '2|b\n3|\n4|x', ['wrapping', 'a\nb\n\nx\nc\n']],
      ['whose number alone at its end goes', 'a\nb\n\nc\n', '2|b\n3|', '2|b', ['wrapping', 'a\nb\nc\n']],
      ['with a number alone in the new text', 'a\nb\n\nc\n', '2\tb\n3\t\n4\tc', '2\tb\n3\t', ['wrapping', 'a\nb\n\n']],
      ['with line numbers', 'a\nb\n  c\n', '2: b\n3:   c\n', '2: b\n3:   C\n', ['wrapping', 'a\nb\n  C\n']],
      [
        'without its indentation',
        python,
        'def g(self):\n    return 2\n',
        'def g(self):\n    if x:\n        return 2\n',
        ['indentation', python.replace('        return 2', '        if x:\n            return 2')],
      ],
      [
        'with spaces for tabs',
        '\tif x:\n\t\ty()\n',
        '    if x:\n        y()\n',
        '    if x:\n        z()\n',
        ['indentation', '\tif x:\n\t\tz()\n'],
      ],
      [
        'without a blank line',
        'one();\n\ntwo();\nthree();\n',
        'one();\ntwo();\nthree();\n',
        'one();\ntwo();\n3();\n',
        ['blank_lines', 'one();\n\ntwo();\n3();\n'],
      ],
      [
        'with a blank line more, beside new blank lines',
        'a();\nb();\nc();\nd();\n',
        'a();\n\nb();\nc();\nd();\n',
        'a();\n\nb();\nc();\n\ne();\n\nd();\n',
        ['blank_lines', 'a();\nb();\nc();\n\ne();\n\nd();\n'],
      ],
      [
        'whose line alone ends with an escaped newline',
        'def a do\nend\n',
        'def a do\\n',
        'def b do\n  "$\\n$"\nend\n\ndef a do\n',
        ['typography', 'def b do\n  "$\\n$"\nend\n\ndef a do\nend\n'],
      ],
      [
        'without a line between lines that stay',
        '# LTS\nu:24.04  apt-get install -y cabal\nu:22.04  apt-get install -y cabal\nu:20.04  apt-get install -y cabal\n',
        '# LTS\nu:22.04  apt-get install -y cabal\nu:20.04  apt-get install -y cabal\n',
        '# LTS\nu:22.04  apt-get install -y cabal\nv:20.04  apt-get install -y cabal\n',
        [
          'missing_line',
          '# LTS\nu:24.04  apt-get install -y cabal\nu:22.04  apt-get install -y cabal\nv:20.04  apt-get install -y cabal\n',
        ],
      ],
      [
        'with a wrong letter',
        'const count = 1;\nuse(count);\nend();\n',
        'const coumt = 1;\nuse(count);\nend();\n',
        'const coumt = 2;\nuse(count);\nend();\n',
        ['near', 'const count = 2;\nuse(count);\nend();\n'],
      ],
    ]);
  });

  describe('keeps the bytes of the file where two mistakes meet', () => {
    itHandles([
      [
        'and removes the indentation of a line with the line',
        'f {\n    say("x");\n}\n',
        'say(&quot;x&quot;);\n',
        '',
        ['typography', 'f {\n}\n'],
      ],
      [
        'when the line with curly quotes has a wrong letter as well',
        'const a = 1;\nif ("get" in module) b();\nend(a);\n',
        'const a = 1;\nif (“get” in modul) b();\nend(a);\n',
        'const a = 1;\nf(“x”);\nif (“get” in modul) b();\nend(a);\n',
        ['near', 'const a = 1;\nf("x");\nif ("get" in module) b();\nend(a);\n'],
      ],
      [
        'when the word with a wrong letter changes as well',
        "lines++\nbreak\ncase 'id':\n",
        'lines++\nbreak\ncase ‘xd’:\n',
        'lines++\nbreak\ncase_9 ‘id’:\n',
        ['near', "lines++\nbreak\ncase_9 'id':\n"],
      ],
      [
        'when the quote shows that an ampersand was escaped',
        'a = &b;\nc();\n',
        'a = &amp;b;\n',
        'say(&quot;x&quot;);\n',
        ['typography', 'say("x");\nc();\n'],
      ],
      [
        'when the left-out blank line holds spaces',
        'a,\nb {\n  \n}\nc\n',
        'a,\nb {\n}\nc\n',
        'A\n     \n}\nc\n',
        ['blank_lines', 'A\n  \n}\nc\n'],
      ],
      [
        'with trailing spaces and without indentation',
        '  on:\n  tags:    \nx\n',
        'on:\ntags:       \n',
        'on:\ntags_2:    \n',
        ['indentation', '  on:\n  tags_2:    \nx\n'],
      ],
      [
        'with other trailing spaces in file, quote and replacement',
        '* they should \n* call it.\n',
        '* they should   \n* call it.  \n',
        '* they all should    \n* call it.  \n',
        ['trailing_space', '* they all should \n* call it.\n'],
      ],
      [
        'with a blank line of spaces',
        '  a();\n          \n  b();\n',
        'a();  \n  \nb();\n',
        'a();  \n  \nc();  \n',
        ['indentation', '  a();\n          \n  c();\n'],
      ],
      [
        'when a tab stands behind each line number',
        '\ta: 1;\n\tb: 2;\n',
        '   1\t    a: 1;\n   2\t    b: 2;\n',
        '   1\t        c: 0;\n   2\t    a: 1;\n   3\t    b: 2;\n',
        ['wrapping', '\t\tc: 0;\n\ta: 1;\n\tb: 2;\n'],
      ],
      [
        'when the quote ends in the middle of a line',
        'if [ "a" ]; then\n  exit 1\nfi\nend\n',
        'if [ “a” ]; then\n  exit 1\nf',
        'if [ “a” ]; then',
        ['near', 'if [ "a" ]; then\nend\n'],
      ],
    ]);
  });

  describe('is refused where a second mistake makes it unclear', () => {
    const unclear = (name: string, text: string, oldText: string, newText: string): Case => [
      name,
      text,
      oldText,
      newText,
      'unclear',
    ];
    itHandles([
      unclear(
        'whether a new escaped newline is one',
        '  say("a");\nb();\n',
        'say(\\"a\\");',
        'say(\\"a\\");\\nsay(\\"b\\");',
      ),
      unclear(
        'whether an escape in a string is one',
        'x();\nif (c) {\n',
        'x();\\nif (c) {\\n',
        "x();\\nif (c == '\\r') {\\n",
      ),
      unclear(
        'whether an escaped newline in backticks is one',
        'x();\ny();\n',
        'x();\\ny();\\n',
        'x(); (see `\\n` in\\ny();\\n',
      ),
      unclear(
        'whether the new word has the left-out letter',
        "{\n  name: 'first',\n  text: 'a window'\n}\n",
        '{\n  nam: &#39;first&#39;,\n  text: &#39;a window&#39;\n}\n',
        '{\n  name_3: &#39;first&#39;,\n  text: &#39;a window&#39;\n}\n',
      ),
      unclear(
        'which of two equal lines a left-out blank line belongs to',
        '## API\n\n```js\nrun()\n',
        '## API\n```js\nrun()\n',
        '## API\n```js\n\n```js\nrun()\n',
      ),
      unclear(
        'which blank line around removed lines was left out',
        '```\n\n\n<a>\n# B\n\nrest\n',
        '```\n\n&lt;a&gt;\n# B\n\n',
        '```\n\n\n',
      ),
      unclear(
        'how deep a line is in a file that mixes tabs and spaces',
        '    four();\n\ttab();\n\tlast();\n',
        '  tab();\n',
        '  tab();\n    more();\n',
      ),
      unclear(
        'how deep a line is in front of a star',
        '\t/**\n\t * One.\n\t */\n\tone();\n',
        '   */\n  one();\n',
        '   */\n    */\n  one();\n',
      ),
      unclear(
        'whether to indent with tabs that only a blank line has',
        'a {\n  \n}\nb\n',
        'a {  \n\t  \n}\n',
        'a {  \n\t  \n\tc\n}\n',
      ),
      unclear('which of two blank lines stays', '    \n    a();\n\n    b();\n', '\na();\n\nb();\n', '\nb();\n'),
      unclear(
        'whether a new line ends in a space as a line of the file does',
        'one. \ntwo\n',
        'one.   \ntwo  \n',
        'new   \none.   \ntwo  \n',
      ),
    ]);
  });

  describe('is refused', () => {
    itHandles([
      [
        'where two indented places match',
        '  f();\n  g();\nx\n    f();\n    g();\n',
        'f();\ng();\n',
        'h();\n',
        'ambiguous',
      ],
      [
        'where two places match with other mistakes',
        '    }\n\n    return 0;\n}\n\t    }\n\t    return 0;\n\t}\n',
        '            }\n            return 0;\n        }\n',
        '        }\n',
        'ambiguous',
      ],
      [
        'without a line, where another place has all lines at another depth',
        '  a();\n    x();\n    b();\n\na();\n  b();\n',
        '  a();\n    b();\n',
        '  c();\n    b();\n',
        'ambiguous',
      ],
      [
        'without a line, where another place lacks two',
        'a();\nx();\nb();\nc();\n\na();\ny();\nz();\nb();\nc();\n',
        'a();\nb();\nc();\n',
        'a();\nb();\nd();\n',
        'ambiguous',
      ],
      [
        'where two places are equally near',
        'a(1);\nb(2);\nc(3);\n\na(1);\nb(4);\nc(3);\n',
        'a(1);\nb(3);\nc(3);\n',
        'x();\n',
        'absent',
      ],
      [
        'where another place is nearer at another depth',
        '    const request = open();\n    list: [given.value],\n    send(request);\n  const request = open();\n  last: given.value,\n  send(request);\n',
        '  const request = open();\n  list: [given.vvalue],\n  send(request);\n',
        '  const request = open();\n  list: [],\n  send(request);\n',
        'absent',
      ],
      [
        'where its indentation would mean something else in Python',
        python,
        'def f(self):\nreturn 1\n',
        'def f(self):\nreturn 3\n',
        'absent',
      ],
      [
        'where its indentation would mean something else in YAML',
        'a:\n  b:\n    c: 1\n  d: 2\n',
        'b:\n  c: 1\n  d: 2\n',
        'b:\n  c: 3\n',
        'absent',
      ],
      [
        'where the file itself has HTML entities',
        '<p>a &lt; b</p>\n<i title="x">1</i>\n',
        '<i title=&quot;x&quot;>1</i>',
        '<i title=&quot;x&quot;>1 &lt; 2</i>',
        'unclear',
      ],
      ['where the file itself has curly quotes', 'say("a");\n// “b”\n', 'say(“a”);', 'say(“a”, “b”);', 'unclear'],
      [
        'where a new escape could belong to the file',
        'f("a");\ng();\n',
        'f(\\"a\\");\\ng();\\n',
        'f(\\"a\\n\\");\\ng();\\n',
        'unclear',
      ],
      [
        'with the note of read_file',
        'a();\nb();\n',
        'a();\n[There is more. Continue with start_line 401.]',
        'c();',
        'read_notice',
      ],
      ['with line numbers only in the new text', 'a();\nb();\nc();\n', 'b();\n', '2: b();\n3: x();\n', 'numbered'],
      [
        'with padded line numbers only in the new text',
        'a();\nb();\nc();\n',
        'b();\n',
        '     2\tb();\n     3\tx();\n',
        'numbered',
      ],
    ]);
  });

  describe('that is quoted exactly', () => {
    itHandles([
      [
        'keeps quotes, entities and escapes of its replacement',
        '“a” &amp; "b\\n"\n',
        '“a” &amp; "b\\n"',
        '“c” &lt; "d\\n"',
        ['exact', '“c” &lt; "d\\n"\n'],
      ],
      [
        'keeps the indentation of its replacement',
        'all:\n\tcc a.c\n',
        '\tcc a.c',
        '\tcc b.c',
        ['exact', 'all:\n\tcc b.c\n'],
      ],
      [
        'keeps a code fence that the file has',
        '```js\na  \n```\n',
        '```js\na\n```\n',
        '```ts\na\n```\n',
        ['trailing_space', '```ts\na  \n```\n'],
      ],
      [
        'keeps numbers that are no line numbers',
        'ports:\n',
        'ports:\n',
        '80: http\n81: other\n',
        ['exact', '80: http\n81: other\n'],
      ],
      ['keeps line numbers that the file has', '1: a\n2: b\n', '1: a\n', '1: c\n', ['exact', '1: c\n2: b\n']],
      ['removes a whole line with its end', 'a\n  b();\nc\n', 'b();', '', ['exact', 'a\nc\n']],
      ['keeps a line end that the replacement leaves out', 'a\nb\nc\n', 'a\n', 'A', ['exact', 'A\nb\nc\n']],
    ]);
  });

  const text = 'a();\nb();\n// ... existing code ...\n';
  for (const line of [
    '// ... rest of the code ...',
    '# rest of file unchanged',
    '<!-- … -->',
    '…',
    '/* unchanged */',
  ]) {
    it(`is refused with the placeholder ${line}`, () => {
      assert.equal(apply(text, 'a();\nb();', `a();\n${line}`), 'placeholder');
    });
  }
  for (const line of [
    '// ... existing code ...',
    '# the remaining items are sold later',
    'f(...rest);',
    '  // other tests',
  ]) {
    it(`may add the line ${line.trim()}, which is no placeholder here`, () => {
      assert.equal(apply(text, 'a();\nb();', `a();\n${line}`).at(0), 'exact');
    });
  }

  describe('in a batch', () => {
    const lines = 'one();\ntwo();\nthree();\n';
    type Edit = readonly [oldText: string, newText: string];
    const cases: readonly (readonly [name: string, edits: readonly Edit[], outcome: string])[] = [
      [
        'goes together with an exact one',
        [
          ['one();  \n', '1();\n'],
          ['three();\n', '3();\n'],
        ],
        '1();\ntwo();\n3();\n',
      ],
      [
        'may quote the result of an earlier edit exactly',
        [
          ['one();', 'first();'],
          ['first();\ntwo();', 'both();'],
        ],
        'both();\nthree();\n',
      ],
      [
        'may not misquote the result of an earlier edit',
        [
          ['one();', 'first();'],
          ['first();  \ntwo();', 'both();'],
        ],
        'absent 1',
      ],
      [
        'may not overlap another',
        [
          ['one();\ntwo();', 'x();'],
          ['two();\nthree();', 'y();'],
        ],
        'overlapping 1',
      ],
      [
        'may not repeat another',
        [
          ['one();', '1();'],
          ['one();', '1();'],
        ],
        'overlapping 1',
      ],
      [
        'needs a quote',
        [
          ['one();', '1();'],
          ['', 'x'],
        ],
        'empty_old_text 1',
      ],
      [
        'has to change something',
        [
          ['one();', '1();'],
          ['two();', 'two();'],
        ],
        'nothing_to_change 1',
      ],
      ['may replace the whole file', [[lines, 'all();\n']], 'all();\n'],
      ['may replace the whole file with a misquote', [[`${lines.trimEnd()}  `, 'all();']], 'all();\n'],
    ];
    for (const [name, edits, outcome] of cases) {
      it(name, () => {
        const result = applyEdits(
          lines,
          edits.map(([oldText, newText]) => ({ oldText, newText })),
        );
        assert.equal(result.ok ? result.text : `${result.failure.reason} ${result.failure.index}`, outcome);
      });
    }
  });

  it('takes a limited number of steps for any texts', () => {
    for (const line of ['same', '']) {
      const text = `${'aaaaaaaaaaaaaaaaaaaa\n'.repeat(10_000)}${line}\n`;
      const oldText = 'aaaaaaaaaaaaaaaaaaab\n'.repeat(5_000);
      const budget = new StepBudget(100_000);
      assert.deepEqual(matchNear(new FileLines(text), { oldText, newText: 'x' }, budget), { kind: 'none' });
      assert.equal(budget.isSpent, true);
    }
  });
});
