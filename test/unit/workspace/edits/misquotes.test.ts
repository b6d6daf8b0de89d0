import assert from 'node:assert/strict';
import { applyEdits } from '../../../../src/workspace/edits/applyEdit';
import { FileLines } from '../../../../src/workspace/edits/fileLines';
import { StepBudget } from '../../../../src/workspace/edits/rungs/boundedDistance';
import { matchNear } from '../../../../src/workspace/edits/rungs/nearMatch';

/** The match and the whole text, or why it was refused. */
function apply(text: string, oldText: string, newText: string): readonly [string, string] | string {
  const result = applyEdits(text, [{ oldText, newText }]);
  return result.ok ? [result.match, result.text] : result.failure.reason;
}

const python = 'class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n';

describe('a misquoted edit', () => {
  it('changes only the meant bytes, for each kind of mistake', () => {
    assert.deepEqual(
      [
        apply('a \nb\nc\n', 'a\nb  \n', 'a\nB  \n'),
        apply('say("it\'s");\nx\n', 'say(“it’s”);', 'shout(“it’s”);'),
        apply('if (a < b && c) x();\ny\n', 'if (a &lt; b &amp;&amp; c) x();', 'if (a &lt; b) x();'),
        apply('a("b");\nc();\n', 'a(\\"b\\");\\nc();\\n', 'a(\\"B\\");\\nc();\\n'),
        apply('a\nb\nc\n', '```ts\nb\n```\n', '```ts\nB\n```\n'),
        apply('a\nb\n  c\n', '2: b\n3:   c\n', '2: b\n3:   C\n'),
        apply(python, 'def g(self):\n    return 2\n', 'def g(self):\n    if x:\n        return 2\n'),
        apply('\tif x:\n\t\ty()\n', '    if x:\n        y()\n', '    if x:\n        z()\n'),
        apply('one();\n\ntwo();\nthree();\n', 'one();\ntwo();\nthree();\n', 'one();\ntwo();\n3();\n'),
        apply(
          'const count = 1;\nuse(count);\nend();\n',
          'const coumt = 1;\nuse(count);\nend();\n',
          'const coumt = 2;\nuse(count);\nend();\n',
        ),
      ],
      [
        ['trailing_space', 'a \nB\nc\n'],
        ['typography', 'shout("it\'s");\nx\n'],
        ['typography', 'if (a < b) x();\ny\n'],
        ['typography', 'a("B");\nc();\n'],
        ['wrapping', 'a\nB\nc\n'],
        ['wrapping', 'a\nb\n  C\n'],
        ['indentation', python.replace('        return 2', '        if x:\n            return 2')],
        ['indentation', '\tif x:\n\t\tz()\n'],
        ['blank_lines', 'one();\n\ntwo();\n3();\n'],
        ['near', 'const count = 2;\nuse(count);\nend();\n'],
      ],
    );
  });

  it('keeps the file’s bytes with two mistakes', () => {
    const block = 'const a = 1;\nif ("get" in module) b();\nend(a);\n';
    assert.deepEqual(
      [
        // A line that is taken away leaves no indentation behind.
        apply('f {\n    say("x");\n}\n', 'say(&quot;x&quot;);\n', ''),
        // The line with the curly quotes has a wrong letter as well.
        apply(
          block,
          'const a = 1;\nif (“get” in modul) b();\nend(a);\n',
          'const a = 1;\nf(“x”);\nif (“get” in modul) b();\nend(a);\n',
        ),
        apply("lines++\nbreak\ncase 'id':\n", 'lines++\nbreak\ncase ‘xd’:\n', 'lines++\nbreak\ncase_9 ‘id’:\n'),
        // The quote shows that the ampersand was escaped.
        apply('a = &b;\nc();\n', 'a = &amp;b;\n', 'say(&quot;x&quot;);\n'),
        // A dropped blank line that is not empty.
        apply('a,\nb {\n  \n}\nc\n', 'a,\nb {\n}\nc\n', 'A\n     \n}\nc\n'),
        // Trailing spaces of the file, and of the quote.
        apply('  on:\n  tags:    \nx\n', 'on:\ntags:       \n', 'on:\ntags_2:    \n'),
        apply(
          '* they should \n* call it.\n',
          '* they should   \n* call it.  \n',
          '* they all should    \n* call it.  \n',
        ),
        apply('  a();\n          \n  b();\n', 'a();  \n  \nb();\n', 'a();  \n  \nc();  \n'),
        // Behind the tab of a number comes the line itself.
        apply(
          '\ta: 1;\n\tb: 2;\n',
          '   1\t    a: 1;\n   2\t    b: 2;\n',
          '   1\t        c: 0;\n   2\t    a: 1;\n   3\t    b: 2;\n',
        ),
      ],
      [
        ['typography', 'f {\n}\n'],
        ['near', 'const a = 1;\nf("x");\nif ("get" in module) b();\nend(a);\n'],
        ['near', "lines++\nbreak\ncase_9 'id':\n"],
        ['typography', 'say("x");\nc();\n'],
        ['blank_lines', 'A\n  \n}\nc\n'],
        ['indentation', '  on:\n  tags_2:    \nx\n'],
        ['trailing_space', '* they all should \n* call it.\n'],
        ['indentation', '  a();\n          \n  c();\n'],
        ['wrapping', '\t\tc: 0;\n\ta: 1;\n\tb: 2;\n'],
      ],
    );
  });

  it('is refused if a second mistake makes the meaning unclear', () => {
    const star = '\t/**\n\t * One.\n\t */\n\tone();\n';
    const mixed = '    four();\n\ttab();\n\tlast();\n';
    const blanks = '    \n    a();\n\n    b();\n';
    const torn = apply('if [ "a" ]; then\n  exit 1\nfi\nend\n', 'if [ “a” ]; then\n  exit 1\nf', 'if [ “a” ]; then');
    assert.deepEqual(torn, ['near', 'if [ "a" ]; then\nend\n']);
    assert.deepEqual(
      [
        // Whether an escaped newline is one.
        apply('  say("a");\nb();\n', 'say(\\"a\\");', 'say(\\"a\\");\\nsay(\\"b\\");'),
        apply('x();\nif (c) {\n', 'x();\\nif (c) {\\n', "x();\\nif (c == '\\r') {\\n"),
        apply('x();\ny();\n', 'x();\\ny();\\n', 'x(); (see `\\n` in\\ny();\\n'),
        // Whether the new word has the left-out letter.
        apply(
          "{\n  name: 'first',\n  text: 'a window'\n}\n",
          '{\n  nam: &#39;first&#39;,\n  text: &#39;a window&#39;\n}\n',
          '{\n  name_3: &#39;first&#39;,\n  text: &#39;a window&#39;\n}\n',
        ),
        // Which of two equal lines the dropped blank line belongs to.
        apply('## API\n\n```js\nrun()\n', '## API\n```js\nrun()\n', '## API\n```js\n\n```js\nrun()\n'),
        // Which of the blank lines around lines that go is the one that was left out.
        apply('```\n\n\n<a>\n# B\n\nrest\n', '```\n\n&lt;a&gt;\n# B\n\n', '```\n\n\n'),
        // How deep a line is in a file that mixes tabs and spaces, or before a star.
        apply(mixed, '  tab();\n', '  tab();\n    more();\n'),
        apply(star, '   */\n  one();\n', '   */\n    */\n  one();\n'),
        // Tabs that only a blank line shows.
        apply('a {\n  \n}\nb\n', 'a {  \n\t  \n}\n', 'a {  \n\t  \n\tc\n}\n'),
        // Which of two blank lines stays.
        apply(blanks, '\na();\n\nb();\n', '\nb();\n'),
        // Whether a new line ends in space, as one of the file does.
        apply('one. \ntwo\n', 'one.   \ntwo  \n', 'new   \none.   \ntwo  \n'),
      ],
      Array.from({ length: 11 }, () => 'unclear'),
    );
  });

  it('is refused if it could mean several places', () => {
    assert.deepEqual(
      [
        apply('  f();\n  g();\nx\n    f();\n    g();\n', 'f();\ng();\n', 'h();\n'),
        apply(
          '    }\n\n    return 0;\n}\n\t    }\n\t    return 0;\n\t}\n',
          '            }\n            return 0;\n        }\n',
          '        }\n',
        ),
        apply('a(1);\nb(2);\nc(3);\n\na(1);\nb(4);\nc(3);\n', 'a(1);\nb(3);\nc(3);\n', 'x();\n'),
      ],
      ['ambiguous', 'ambiguous', 'absent'],
    );
  });

  it('is refused if the indentation has another meaning', () => {
    assert.equal(apply(python, 'def f(self):\nreturn 1\n', 'def f(self):\nreturn 3\n'), 'absent');
    const yaml = 'a:\n  b:\n    c: 1\n  d: 2\n';
    assert.equal(apply(yaml, 'b:\n  c: 1\n  d: 2\n', 'b:\n  c: 3\n'), 'absent');
  });

  it('is refused if the file itself has the text that the model may have added', () => {
    const html = '<p>a &lt; b</p>\n<i title="x">1</i>\n';
    assert.equal(apply(html, '<i title=&quot;x&quot;>1</i>', '<i title=&quot;x&quot;>1 &lt; 2</i>'), 'unclear');
    assert.equal(apply('say("a");\n// “b”\n', 'say(“a”);', 'say(“a”, “b”);'), 'unclear');
    assert.equal(apply('f("a");\ng();\n', 'f(\\"a\\");\\ng();\\n', 'f(\\"a\\n\\");\\ng();\\n'), 'unclear');
  });

  it('does not change the new text of an exact quote', () => {
    assert.deepEqual(apply('“a” &amp; "b\\n"\n', '“a” &amp; "b\\n"', '“c” &lt; "d\\n"'), [
      'exact',
      '“c” &lt; "d\\n"\n',
    ]);
    assert.deepEqual(apply('all:\n\tcc a.c\n', '\tcc a.c', '\tcc b.c'), ['exact', 'all:\n\tcc b.c\n']);
    assert.deepEqual(apply('```js\na  \n```\n', '```js\na\n```\n', '```ts\na\n```\n'), [
      'trailing_space',
      '```ts\na  \n```\n',
    ]);
  });

  it('removes whole lines with their line ends, and accepts a forgotten one', () => {
    assert.deepEqual(apply('a\n  b();\nc\n', 'b();', ''), ['exact', 'a\nc\n']);
    assert.deepEqual(apply('a\nb\nc\n', 'a\n', 'A'), ['exact', 'A\nb\nc\n']);
  });

  it('is refused with placeholders and notes that are not in the file', () => {
    const text = 'a();\nb();\n// ... existing code ...\n';
    for (const line of [
      '// ... rest of the code ...',
      '# rest of file unchanged',
      '<!-- … -->',
      '…',
      '/* unchanged */',
    ]) {
      assert.equal(apply(text, 'a();\nb();', `a();\n${line}`), 'placeholder', line);
    }
    for (const line of [
      '// ... existing code ...',
      '# the remaining items are sold later',
      'f(...rest);',
      '  // other tests',
    ]) {
      assert.equal(apply(text, 'a();\nb();', `a();\n${line}`).at(0), 'exact', line);
    }
    assert.equal(apply(text, 'a();\n[There is more. Continue with start_line 401.]', 'c();'), 'read_notice');
  });

  it('is refused if only the new text has line numbers', () => {
    const text = 'a();\nb();\nc();\n';
    assert.equal(apply(text, 'b();\n', '2: b();\n3: x();\n'), 'numbered');
    assert.equal(apply(text, 'b();\n', '     2\tb();\n     3\tx();\n'), 'numbered');
    assert.deepEqual(apply('ports:\n', 'ports:\n', '80: http\n81: other\n'), ['exact', '80: http\n81: other\n']);
    assert.deepEqual(apply('1: a\n2: b\n', '1: a\n', '1: c\n'), ['exact', '1: c\n2: b\n']);
  });

  it('works in a batch', () => {
    const text = 'one();\ntwo();\nthree();\n';
    const batch = (...edits: readonly (readonly [string, string])[]): string => {
      const result = applyEdits(
        text,
        edits.map(([oldText, newText]) => ({ oldText, newText })),
      );
      return result.ok ? result.text : `${result.failure.reason} ${result.failure.index}`;
    };
    assert.deepEqual(
      [
        // Sloppy and exact ones together.
        batch(['one();  \n', '1();\n'], ['three();\n', '3();\n']),
        // On the outcome of the first, exactly.
        batch(['one();', 'first();'], ['first();\ntwo();', 'both();']),
        // On the outcome of the first, misquoted: nothing tells where that would be.
        batch(['one();', 'first();'], ['first();  \ntwo();', 'both();']),
        batch(['one();\ntwo();', 'x();'], ['two();\nthree();', 'y();']),
        batch(['one();', '1();'], ['one();', '1();']),
        batch(['one();', '1();'], ['', 'x']),
        batch(['one();', '1();'], ['two();', 'two();']),
        // All of the file.
        batch([text, 'all();\n']),
        batch([`${text.trimEnd()}  `, 'all();']),
      ],
      [
        '1();\ntwo();\n3();\n',
        'both();\nthree();\n',
        'absent 1',
        'overlapping 1',
        'overlapping 1',
        'empty_old_text 1',
        'nothing_to_change 1',
        'all();\n',
        'all();\n',
      ],
    );
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
