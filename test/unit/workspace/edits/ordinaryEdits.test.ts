import assert from 'node:assert/strict';
import { applyEdits } from '../../../../src/workspace/edits/applyEdits';

type Sample = readonly [name: string, text: string, oldText: string, newText: string];

/** The text afterwards, or why the edit was refused. */
function apply(text: string, oldText: string, newText: string): string {
  const result = applyEdits(text, [{ oldText, newText }]);
  return result.ok ? result.text : JSON.stringify(result.failure);
}

const block = '```sh\nfoo\n```';

describe('an exact edit as people make it', () => {
  const samples: readonly Sample[] = [
    ['adds a second code block behind the quoted one', `a\n\n${block}\n`, block, `${block}\n\nOr:\n\n${block}`],
    ['adds a code block before the quoted one', `a\n\n${block}\n`, block, `\`\`\`sh\nbar\n\`\`\`\n\nOr:\n\n${block}`],
    [
      'adds a code block between two, of which it quotes the ends',
      `a\n\n${block}\n\nText\n${block}\n`,
      '```\n\nText\n```',
      '```\n\n## B\n\n```js\nbar\n```\n\n```',
    ],
    [
      'takes a code block out of an item',
      '1. Run this:\n\n   ```sh\n   foo\n   ```\n',
      '1. Run this:\n\n   ```sh\n   foo\n   ```\n',
      '```sh\nfoo --all\n```\n',
    ],
    ['writes a template for a sum', "a(\n  '\"' + name + '\"',\n);\n", "'\"' + name + '\"'", '`"${name}"`'],
    ['writes a string with marks for a call', 'a = JSON.stringify(name)\nb\n', 'JSON.stringify(name)', '`"${name}"`'],
    ['encodes a bracket in a text', '  Go to A > General\n', '  Go to A > General\n', '  Go to A &gt; Advanced\n'],
    ['encodes a bracket in an attribute', '  t="a < b"\n', '  t="a < b"\n', '  t="a &lt; b and c"\n'],
    ['encodes a bracket in code', '  return "<" + s;\n', '  return "<" + s;\n', '  return "&lt;" + esc(s);\n'],
    ['begins with a blank line, where the file has blanks on it', 'a();\n  \n  b();\n', '\n  b();\n', '\n  c();\n'],
    [
      'moves the end of a block up',
      'f() {\n  for (b) {\n    x();\n    c();\n    if (d) {\n      e();\n    }\n  }\n}\n',
      '    c();\n    if (d) {\n      e();\n    }\n  }\n',
      '  }\n  c();\n  if (d) {\n    e();\n  }\n',
    ],
    [
      'takes a space before a tab away',
      'a {\n \tfoo();\n\tbar();\n',
      'a {\n \tfoo();\n\tbar();\n',
      'a {\n\tfoo();\n\tbaz();\n',
    ],
    ['has a string that begins with a line end', 'a\n\n    "Usage"\n', '\n    "Usage"\n', '\n    "\\nUsage [-x]"\n'],
    ['joins lines', 'a\n\nprint(x)\n', '\nprint(x)\n', '\n"\\n".join(x)\n'],
    [
      'makes a note a quotation, where the file has one',
      '# P\n\n> **Note** Needs Node 20.\n\nWarning: this deletes all.\n\nEnd.\n',
      'Warning: this deletes all.\n',
      '> **Warning** This deletes all.\n',
    ],
    ['escapes marks within a string', 'echo "use "foo" here"\n', '"foo"', '\\"bar\\"'],
    [
      'makes a comment a part of a description',
      'def f():\n# Parses foo.\n"""Docs."""\n',
      '# Parses foo.\n"""Docs."""\n',
      '"""Parses foo.\n\nDocs.\n"""\n',
    ],
    [
      'begins behind two backslashes',
      'a & b \\\\\\hline\nc & d \\\\\n',
      '\\hline\nc & d \\\\\n',
      '\\midrule\nc & d \\\\\n',
    ],
    ['begins within a row of backslashes', 're = /\\\\\\"id\\"/\no["id"] = 3\n', '\\"id', '\\"key'],
    ['begins between two backslashes', "s = \"x \\\\'name y\"\nt = 'name y'\n", "\\'name y", "\\'title y"],
  ];
  for (const [name, text, oldText, newText] of samples) {
    it(name, () =>
      assert.equal(
        apply(text, oldText, newText),
        text.replace(oldText, () => newText),
      ),
    );
  }

  it('begins behind an indentation, and gives it to its second line', () => {
    assert.equal(apply('a {\n  b: 1;\n}\n', 'b: 1;', 'b: 1;\nc: 0;'), 'a {\n  b: 1;\n  c: 0;\n}\n');
    assert.equal(apply('a:\n  x: 1\n  z: 2\n', 'x: 1', 'x:\n-\n- b'), 'a:\n  x:\n  -\n  - b\n  z: 2\n');
  });
});

describe('an edit with escaped slashes', () => {
  const samples: readonly (readonly [...Sample, expected: string])[] = [
    [
      'and a new one that is not',
      '<p>Hi</p>\n',
      '<p>Hi<\\/p>',
      '<p>Hi <img src="/a"><\\/p>',
      '<p>Hi <img src="/a"></p>\n',
    ],
    [
      'and a comment behind them',
      'u = "https://a.com"\nx\n',
      'u = "https:\\/\\/a.com"\n',
      'u = "https:\\/\\/b.com" // new\n',
      'u = "https://b.com" // new\nx\n',
    ],
    [
      'beside one that is not',
      '<a href="/x">y</a>\nfoo\n',
      '<a href=\\"/x\\">y<\\/a>',
      '<a href=\\"/z\\">y<\\/a>',
      '<a href="/z">y</a>\nfoo\n',
    ],
  ];
  for (const [name, text, oldText, newText, expected] of samples) {
    it(`writes them plain: ${name}`, () => assert.equal(apply(text, oldText, newText), expected));
  }
});
