import assert from 'node:assert/strict';
import { applyEdits } from '../../../../src/workspace/edits/applyEdits';

const text = 'def f(a):\n    say("it")\n    if a < 1:\n        return 1\n\n    return 2\n';
const oldText = '    say("it")\n    if a < 1:\n        return 1\n';
const fresh = '    say("it")\n    if a < 1:\n        return 3\n';

function apply(newText: string, given = { text, oldText }): string {
  const result = applyEdits(given.text, [{ oldText: given.oldText, newText }]);
  if (result.ok) return result.text;
  return result.failure.reason === 'added_marks' ? `refused: ${result.failure.marks}` : result.failure.reason;
}

describe('an edit whose new text alone is written otherwise', () => {
  const lines = (write: (line: string, index: number) => string): string =>
    fresh.replace(/\n$/, '').split('\n').map(write).join('\n') + '\n';
  const refused: Readonly<Record<string, readonly [newText: string, marks: string]>> = {
    'has a code fence': [`\`\`\`python\n${fresh}\`\`\`\n`, 'a code fence'],
    'ends with a code fence': [`${fresh}\`\`\`\n`, 'a code fence'],
    'has a tag around it': [`<new_text>\n${fresh}</new_text>`, 'a tag around it'],
    'ends with a mark': [`${fresh}>>>>>>> REPLACE\n`, 'a mark of a search and replace block'],
    'begins with a mark': [`=======\n${fresh}`, 'a mark of a search and replace block'],
    'is a whole block': [
      `<<<<<<< SEARCH\n${oldText}=======\n${fresh}>>>>>>> REPLACE\n`,
      'a mark of a search and replace block',
    ],
    'has line numbers': [lines((line, index) => `00${index + 7}: ${line}`), 'line numbers'],
    'has plus signs': [lines((line) => `+${line}`), 'diff signs'],
    'is a diff': [' say("it")\n-    return 1\n+    return 3\n'.replace(/^ /, '     '), 'diff signs'],
    'has signs of a mail': [lines((line) => `> ${line}`), 'a mark before each line'],
    'has a gutter': [lines((line) => `| ${line}`), 'a mark before each line'],
    'is commented out': [lines((line) => `# ${line}`), 'a mark before each line'],
    'has a fence around kept lines': [`Updated:\n\`\`\`\n${fresh}\`\`\``, 'a code fence'],
    'has a tag of any name': [`<file path="a.py">\n${fresh}</file>`, 'a tag around it'],
    'has a number before some lines': [
      lines((line, index) => (index ? `${index + 9}: ${line}` : line)),
      'line numbers',
    ],
    'has the header of a patch': [`*** Begin Patch\n${fresh}`, 'the header of a diff'],
    'ends with a token': [`${fresh}<|im_end|>`, 'a special token'],
    'has codes of characters': [fresh.replace('<', '\\u003c'), 'numbers of characters'],
    'has other blanks': [fresh.replaceAll(/(?<=\S) (?=\S)/g, '\u3000'), 'other blanks'],
    'has escaped brackets': [fresh.replace('<', '\\<'), 'backslashes before marks'],
    'stands in quotation marks': [`"""${fresh}"""`, 'quotation marks around it'],
    'is JSON': [JSON.stringify({ new_text: fresh }), 'JSON around it'],
    'has entities': [fresh.replaceAll('<', '&lt;'), 'HTML entities'],
    'has escaped marks': [fresh.replaceAll('"', '\\"'), 'escaped quotation marks'],
    'has escaped line ends': [fresh.replaceAll('\n', '\\n'), 'an escaped line end'],
    'has curly marks': [fresh.replace('"it"', '“it”'), 'curly quotation marks'],
    'has no-break spaces': [fresh.replaceAll(/(?<=\S) (?=\S)/g, '\u00A0'), 'no-break spaces'],
    'has characters that do not show': [fresh.replace('if', 'if\u200B'), 'characters that do not show'],
    'has a byte order mark': [`\uFEFF${fresh}`, 'characters that do not show'],
    'has blanks at the ends of lines': [fresh.replaceAll('\n', '  \n'), 'blanks at the ends of lines'],
    'lost its indentation': [lines((line) => line.slice(4)), 'another indentation'],
    'has more indentation': [lines((line) => `  ${line}`), 'another indentation'],
    'lost the indentation of its first line': [fresh.trimStart(), 'another indentation'],
    'has tabs': [lines((line) => line.replaceAll('    ', '\t')), 'another indentation'],
    'has other levels': [lines((line) => line.replaceAll('    ', '  ')), 'another indentation'],
  };
  for (const [name, [newText, marks]] of Object.entries(refused)) {
    it(`is refused, if it ${name}`, () => assert.equal(apply(newText), `refused: ${marks}`));
  }

  it('reads a line end that was translated twice as one', () => {
    assert.equal(apply(fresh.replaceAll('\n', '\r\r\n')), text.replace(oldText, fresh));
  });

  it('is refused, if its lines are no longer below the line that begins their block', () => {
    const flat = 'def f(b):\nsay("it")\nif a < 1:\nreturn 1\n\nreturn 2\n';
    assert.equal(apply(flat, { text, oldText: text }), 'refused: another indentation');
    assert.equal(
      apply('def f(a):\nsay("that")\n', { text, oldText: 'def f(a):\n    say("it")\n' }),
      'refused: another indentation',
    );
  });

  it('is refused with plus signs, if no line stays and no line of the file has one', () => {
    const line = { text, oldText: '    return 2\n' };
    assert.equal(apply('+    return 3\n', line), 'refused: diff signs');
    const diff = { text: '+a\n b\n', oldText: ' b\n' };
    assert.equal(apply('+c\n', diff), '+a\n+c\n');
  });

  it('is refused with a second quote sign before all lines of a quotation', () => {
    const mail = { text: 'Hi\n\n> one\n> two\n', oldText: '> one\n> two\n' };
    assert.equal(apply('> > three\n> > four\n', mail), 'refused: a mark before each line');
    assert.equal(apply('> > one\n> > two\n', mail), 'Hi\n\n> > one\n> > two\n');
  });

  it('is refused with plus signs beside a list that is no side of a diff', () => {
    const list = { text: 'Todo:\n- one\n', oldText: 'Todo:\n- one\n' };
    assert.equal(apply('+Done:\n+* two\n', list), 'refused: diff signs');
  });

  it('is refused with more blanks at the end of a line that has one', () => {
    const page = { text: 'Words that \ngo on.\n', oldText: 'Words that \ngo on.\n' };
    assert.equal(apply('Words that    \nend.\n', page), 'refused: blanks at the ends of lines');
  });

  it('may have the blanks at the end of a line that one of two such lines of the old text has', () => {
    const page = { text: 'a  \na\nb\n', oldText: 'a  \na\nb\n' };
    assert.equal(apply('a  \na\nc\n', page), 'a  \na\nc\n');
  });

  it('is refused with spaces for tabs, or the reverse, beside a line that begins with both', () => {
    const mixed = { text: '    <a>\n\t  <b>\nOne.\n', oldText: '    <a>\n\t  <b>\nOne.\n' };
    assert.equal(apply('    <a>\n          <b>\nTwo.\n', mixed), 'refused: another indentation');
    assert.equal(apply('\t\t<a>\n\t  <b>\nTwo.\n', mixed), 'refused: another indentation');
  });

  it('is refused with marks around the only value of a file', () => {
    const version = { text: '2.7.2\n', oldText: '2.7.2' };
    assert.equal(apply('"3.2.2"', version), 'refused: quotation marks around it');
    assert.equal(apply('> 3.2.2', version), 'refused: a mark before each line');
    assert.equal(apply('"2.7.2"', version), '"2.7.2"\n');
    const setting = { text: 'a: 1\nb: 2\n', oldText: '1' };
    assert.equal(apply('"2"', setting), 'a: "2"\nb: 2\n');
  });

  it('is refused in other quotation marks than those with which the old text begins', () => {
    const module = { text: '"""\nA.\n"""\n', oldText: '"""\nA.\n"""\n' };
    assert.equal(apply('\'# B\n"""\nA.\n"""\'', module), 'refused: quotation marks around it');
  });

  it('is refused in a quotation mark whose partner stands alone in the last line', () => {
    const line = { text, oldText: '    say("it")\n' };
    assert.equal(apply('"    say("that")\n"', line), 'refused: quotation marks around it');
    assert.equal(apply('"say(1)\n"', line), 'refused: quotation marks around it');
    const list = { text: 'a\r\n"\r\nb\r\n', oldText: 'b\n' };
    assert.equal(apply('"c" d "e"\n"\n', list), 'a\r\n"\r\n"c" d "e"\r\n"\r\n');
    const licence = { text: 'The\n"work" is\nfree.\n', oldText: 'free.\n' };
    assert.equal(apply('"a = 1\n"', licence), 'refused: quotation marks around it');
    const script = { text: '" Sets a.\nset a\n', oldText: 'set a\n' };
    assert.equal(apply('" Sets b.\n"\n', script), '" Sets a.\n" Sets b.\n"\n');
  });

  it('is refused with another fence than that in the middle of the old text', () => {
    const page = { text: 'Do:\n\n```js\na\n```\n\nDone.\n', oldText: 'Do:\n\n```js\na\n```\n\nDone.\n' };
    assert.equal(apply('```diff\nDo nothing.\n```\n', page), 'refused: a code fence');
    assert.equal(apply('```js\nb\n```\n', page), '```js\nb\n```\n');
    const fenced = { text: '```js\na\n```\n', oldText: '```js\na\n```\n' };
    assert.equal(apply('```ts\nb\n```\n', fenced), '```ts\nb\n```\n');
  });

  it('is refused with a fence in the place of a heading with a row of marks', () => {
    const page = {
      text: '  Title\n  ~~~~~\n  Words.\nimport re\n',
      oldText: '  Title\n  ~~~~~\n  Words.\nimport re\n',
    };
    assert.equal(apply('~~~\nimport re\n~~~\n', page), 'refused: a code fence');
  });

  it('is refused in three quotation marks, if the file has none and no comment stood there', () => {
    const lines = { text: '// a b\nf();\n', oldText: '// a b\n' };
    assert.equal(apply('"""// a\n// b\n"""\n', lines), 'refused: quotation marks around it');
    const style = { text: 'a {\n}\n/*Green*/\nb {\n}\n', oldText: '/*Green*/\n' };
    assert.equal(apply('"""c {\n}\n"""', style), 'refused: quotation marks around it');
    const shell = { text: '# Green.\na()\n', oldText: '# Green.\n' };
    assert.equal(apply('"""Green."""\n', shell), '"""Green."""\na()\n');
    const file = { text: "require 'a'\nrequire 'b'\nrun()\n", oldText: "require 'a'\nrequire 'b'\n" };
    assert.equal(apply('"""require_all\n\n"""\n', file), 'refused: quotation marks around it');
  });

  it('is refused with one kind of quotation marks escaped, where the file escapes the other', () => {
    const file = { text: "a('\\'\"b\"');\nc();\n", oldText: "a('\\'\"b\"');\nc();\n" };
    assert.equal(apply("a('\\'\\\"b\\\"');\nd();\n", file), 'refused: escaped quotation marks');
  });

  it('is refused if it is nothing but a sign', () => {
    assert.equal(apply('> \n', { text, oldText: '    return 2\n' }), 'refused: a mark before each line');
  });

  it('is refused as a line of JSON, but not as a line that ends with a string', () => {
    const line = { text, oldText: '    return 2\n' };
    assert.equal(apply(JSON.stringify('    return 3\n'), line), 'refused: an escaped line end');
    assert.equal(apply('    return "3\\n"\n', line), text.replace('return 2', 'return "3\\n"'));
  });

  it('is refused if all its lines are deeper than the outer lines that it keeps', () => {
    const file = { text: 'a {\n  if (b) {\n    c();\n  } else {\n    d();\n  }\n  e();\n}\n', oldText: '' };
    const quote = { ...file, oldText: '  if (b) {\n    c();\n  } else {\n    d();\n  }\n  e();\n' };
    const meant = '  if (!b) {\n    return f();\n  }\n  c();\n  e();\n';
    assert.equal(apply(meant, quote), file.text.replace(quote.oldText, meant));
    assert.equal(apply(meant.replaceAll(/^(?=.)/gm, '  '), quote), 'refused: another indentation');
    const open = { ...file, oldText: '  if (b) {\n    c();\n  } else {\n    d();\n  }\n' };
    assert.equal(apply('    if (b) {\n      d();\n    } finally {\n', open), 'refused: another indentation');
    assert.equal(apply('    // New.\n    if (b) {\n    c();\n    }\n', open), 'refused: another indentation');
    const wrapped = '  try {\n    if (b) {\n      g();\n    } else {\n      d();\n    }\n  }\n';
    assert.equal(apply(wrapped, open), open.text.replace(open.oldText, wrapped));
  });

  it('is refused with quote signs where its lines cannot be a quotation', () => {
    const code = { text: 'a(1);\nb(2);\nc(3);\n', oldText: 'b(2);\n' };
    assert.equal(apply('> value = 1\n', code), 'refused: a mark before each line');
    const comment = { text: '-- Runs it.\nf()\n', oldText: '-- Runs it.\n' };
    assert.equal(apply('> g()\n> \n', comment), 'refused: a mark before each line');
    const both = { ...code, oldText: '> b(2);\n' };
    assert.equal(apply('> b(3);\n', both), 'a(1);\nb(3);\nc(3);\n');
    const list = { text: 'Take:\n  two eggs\nand beat them\nuntil they rise\n', oldText: '  two eggs\n' };
    assert.equal(apply('>   salt\n', list), 'refused: a mark before each line');
    const prose = { text: 'Read this.\nThen that\n', oldText: 'Then that\n' };
    assert.equal(apply('> Then that page\n', prose), 'refused: a mark before each line');
    assert.equal(apply('> Words of another\n', prose), 'Read this.\n> Words of another\n');
    assert.equal(apply('> Words\n> \n', prose), 'refused: a mark before each line');
    const quotation = { text: '> Words\n\nText.\n', oldText: '> Words\n\n' };
    assert.equal(apply('> > More words\n> \n', quotation), 'refused: a mark before each line');
  });

  it('is refused with numbers that count from the line of the quote, though no line stays', () => {
    const line = { text, oldText: '\n    return 2\n' };
    assert.equal(apply('  5 | \n', line), 'refused: line numbers');
    assert.equal(apply('5→\n6→    pass\n', line), 'refused: line numbers');
    assert.equal(apply('7: seven\n', { text: '4: four\n', oldText: '4: four\n' }), '7: seven\n');
    assert.equal(apply('2: two\n', { text: 'one\n', oldText: 'one\n' }), '2: two\n');
  });

  it('is refused as a diff whose context shows it only by its indentation', () => {
    const file = { text: 'a {\n  b: 1;\n  c: 2;\n}\n', oldText: 'a {\n  b: 1;\n' };
    assert.equal(apply('+other,\n+more {\n   b: 1;\n', file), 'refused: diff signs');
  });

  it('is refused in quotation marks around a line of code, but not as a string', () => {
    const list = { text: 'x = [\n    "a",\n    "b",\n]\n', oldText: '    "a",' };
    assert.equal(apply('"    c: ["', list), 'refused: quotation marks around it');
    const block = { text: 'a:\n  - b\nc: d\n', oldText: 'a:' };
    assert.equal(apply('"after:"', block), 'refused: quotation marks around it');
    assert.equal(apply('"/* after */"', block), 'refused: quotation marks around it');
    assert.equal(apply('"""value = 1"""', block), 'refused: quotation marks around it');
    const setting = { text: 'c: # URLs\n', oldText: 'c: # URLs' };
    assert.equal(apply('"kofi: # Replace it with a name"', setting), 'refused: quotation marks around it');
    const script = { text: 'case a in\n  b) c ;;\nesac;\n', oldText: 'case a in\n  b) c ;;\nesac;\n' };
    assert.equal(apply('`source "c"`', script), 'refused: quotation marks around it');
    assert.equal(apply('"e f"', { ...block, oldText: 'd' }), 'a:\n  - b\nc: "e f"\n');
  });

  it('is refused in quotation marks around a whole line with a change, or with its mark', () => {
    const heading = { text: '# f_of\n\nText.\n', oldText: '# f_of' };
    assert.equal(apply('"# <small>a::b::</small>f_of"', heading), 'refused: quotation marks around it');
    const line = { text: 'Some words of a line.\nOthers.\n', oldText: 'Some words of a line.\n' };
    assert.equal(apply('"Some words of two lines."\n', line), 'refused: quotation marks around it');
    assert.equal(apply('"A note"\n', line), '"A note"\nOthers.\n');
    const imports = { text: '(\n\t"a"\n\t"b"\n)\n', oldText: '\t"a"\n\t"b"' };
    assert.equal(apply('"\\t\\"c\\""', imports), 'refused: quotation marks around it');
  });

  it('is refused with a hidden character in a line that it keeps, though the file has one elsewhere', () => {
    const page = { text: 'a {\n  b: "\u200B";\n}\nc\nd 1\n', oldText: 'c\nd 1\n' };
    const kept = apply('c\u200B\nd 2\n', page);
    assert.match(kept, /^refused: /);
    assert.equal(apply('c\nd \u200B2\n', page), 'a {\n  b: "\u200B";\n}\nc\nd \u200B2\n');
    assert.equal(apply('c\u200B\nd 1\n', page), 'a {\n  b: "\u200B";\n}\nc\u200B\nd 1\n');
  });

  it('is refused with a plus sign before the mark of an item, though the file has such signs elsewhere', () => {
    const page = { text: '+ one\n\n- a\n- b\n', oldText: '- b' };
    assert.equal(apply('+ - c', page), 'refused: diff signs');
    assert.equal(apply('+ - a\n+ - c\n', { ...page, oldText: '- - a\n- - b\n' }), '+ one\n\n- a\n- c\n');
    assert.equal(apply('+ c', page), '+ one\n\n- a\n+ c\n');
  });

  it('is refused in a tag of its own, though the old text has others at its ends', () => {
    const page = { text: '<a>\n<source>\n<b>\n</content>\n</a>\n', oldText: '<source>\n<b>\n</content>' };
    assert.equal(apply('<![CDATA[<source>\n<c>\n</content>]]>', page), 'refused: a tag around it');
    assert.equal(apply('<new_text><source>\n<c>\n</content></new_text>', page), 'refused: a tag around it');
    assert.equal(apply('<replace><source>\n<c>\n</content></replace>', page), 'refused: a tag around it');
    assert.equal(apply('<code>\n<c>\n</code>', page), '<a>\n<code>\n<c>\n</code>\n</a>\n');
    const said = { text: "f('<![CDATA[x');\na();\n", oldText: "f('<![CDATA[x');\na();\n" };
    assert.equal(apply("<![CDATA[f('<![CDATA[x');\nb();\n]]>", said), 'refused: a tag around it');
    const marked = { text: '<a><![CDATA[b]]></a>\n', oldText: '<a><![CDATA[b]]></a>' };
    assert.equal(apply('<![CDATA[c]]>', marked), '<![CDATA[c]]>\n');
    const both = { ...page, oldText: `<![CDATA[${page.oldText}]]>` };
    assert.equal(apply('<![CDATA[<c>\n<d>]]>', both), '<a>\n<c>\n<d>\n</a>\n');
  });

  it('is refused with a mark at its end, though a heading has a row of equals signs', () => {
    const page = { text: 'A\n=====\n\nOne.\n', oldText: 'A\n=====\n\nOne.\n' };
    assert.equal(apply('A\n=====\n\nTwo.\n>>>>>>> REPLACE', page), 'refused: a mark of a search and replace block');
    assert.equal(apply('=====\nB\n=====\n', page), '=====\nB\n=====\n');
  });

  it('is refused with a character that does not show, in a file with another one', () => {
    const file = { text: 'a\u00ADb\nc\n', oldText: 'c\n' };
    assert.equal(apply('d\u2060e\n', file), 'refused: characters that do not show');
    assert.equal(apply('d\u00ADe\n', file), 'a\u00ADb\nd\u00ADe\n');
  });

  it('is refused in a fence of another kind than those within', () => {
    const page = { text: 'A\n\n```js\na\n```\n\nB\n', oldText: '\n```js\na\n```\n\n' };
    assert.equal(apply('~~~\n\n```js\nb\n```\n\n```js\nc\n```\n~~~\n', page), 'refused: a code fence');
  });

  it('is refused with doubled backslashes, if no line stays and the file has none', () => {
    const file = { text: 'f(\n    \\Error $a,\n)\n', oldText: '    \\Error $a,\n' };
    assert.equal(apply('    \\\\Throwable $b,\n', file), 'refused: doubled backslashes');
    assert.equal(apply('    \\Throwable $b,\n', file), 'f(\n    \\Throwable $b,\n)\n');
  });

  it('is refused with a line end that is escaped at its start', () => {
    assert.equal(apply('\\n    return 3', { text, oldText: '\n    return 2' }), 'refused: an escaped line end');
    const crate = { text: '//! a\n#![b]\n', oldText: '#![b]' };
    assert.equal(apply('\\n#![c]', crate), 'refused: an escaped line end');
    assert.equal(apply('\\n#![c]\\n', { ...crate, oldText: '#![b]\\n' }), '//! a\n\n#![c]\n');
    const paper = { text: '\\a\n\\b\n', oldText: '\\b' };
    assert.equal(apply('\\noindent', paper), '\\a\n\\noindent\n');
  });

  it('is refused as a part of a diff in a file that is a diff', () => {
    const patch = {
      text: 'diff --git a/b a/b\n--- a/b\n+++ a/b\n@@ -1 +1 @@\n-c\n+d\n',
      oldText: '--- a/b\n+++ a/b\n',
    };
    assert.equal(apply('@@ -2,2 +2,2 @@\n+--- a/e\n++++ a/e\n', patch), 'refused: the header of a diff');
    const nested = '@@ -4,3 +4,3 @@\n+@@ -2 +2 @@\n -c\n++e\n';
    assert.equal(apply(nested, { ...patch, oldText: '@@ -1 +1 @@\n-c\n+d\n' }), 'refused: the header of a diff');
    const part = { ...patch, oldText: '+d\n' };
    assert.equal(apply('@@ -2 +2 @@\n+e\n', part), patch.text.replace('+d\n', '@@ -2 +2 @@\n+e\n'));
  });

  it('is refused with spaces for tabs, beside a line that the file itself indents with both', () => {
    const file = { text: 'f() {\n\ta();\n\tif (b)\n\t\tc();\n \telse\n\t\td();\n}\n', oldText: '' };
    const quote = { ...file, oldText: '\ta();\n\tif (b)\n\t\tc();\n \telse\n\t\td();\n' };
    assert.equal(
      apply('    a();\n    if (b)\n        e();\n \telse\n        d();\n', quote),
      'refused: another indentation',
    );
  });

  it('is refused as JSON in a template whose lines begin with brackets', () => {
    const template = { text: '{{#each a}}\n<b>\n{{/each}}\n', oldText: '{{#each a}}\n' };
    assert.equal(apply('{"new_text": "{{#each c}}"}', template), 'refused: JSON around it');
    const json = { text: '{ "text": "a" }\n', oldText: '{ "text": "a" }' };
    assert.equal(apply('{ "text": "b" }', json), '{ "text": "b" }\n');
    const list = { text: '[\n  {\n    a: 1\n', oldText: '  {\n    a: 1\n' };
    assert.equal(apply('{"newText":"  {\\n"}', list), 'refused: JSON around it');
    assert.equal(apply('{"text":"b"}\n', { ...list, oldText: '  {\n' }), '[\n{"text":"b"}\n    a: 1\n');
  });

  it('is refused with a mark at its end, in the place of a conflict', () => {
    const conflict = '<<<<<<< HEAD\na();\n=======\nb();\n>>>>>>> 1f61f5e... Add it\n';
    const file = { text: `${conflict}c();\n`, oldText: conflict };
    assert.equal(apply('d();\n>>>>>>> REPLACE', file), 'refused: a mark of a search and replace block');
    assert.equal(apply('d();\n', file), 'd();\nc();\n');
  });

  it('is refused with plus signs before lines that begin with a dash or a plus sign', () => {
    const lua = { text: '------\n\n--- Runs.\n-- It.\nf()\n', oldText: '------\n\n--- Runs.\n-- It.\n' };
    assert.equal(apply('+------\n+\n+--- Runs.\n+-- It may.\n', lua), 'refused: diff signs');
    const page = { text: '+++\na = 1\n+++\n\nText\n', oldText: 'a = 1\n+++\n\n' };
    assert.equal(apply('++++\n+\n', page), 'refused: diff signs');
  });

  it('is refused with tabs where the file has spaces, and the reverse, though no indented line stays', () => {
    const file = { text: 'a:\n  - b\nc:\n  - d\n', oldText: 'a:\n  - b\n' };
    assert.equal(apply('a:\n\te: 1\n\tf:\n\t\t- g\n', file), 'refused: another indentation');
    const tabbed = { text: file.text.replaceAll('  ', '\t'), oldText: 'a:\n\t- b\n' };
    assert.equal(apply('a:\n    e: 1\n    f:\n        - g\n', tabbed), 'refused: another indentation');
    const both = { ...file, text: `${file.text}e:\n\tf: 1\n` };
    assert.equal(apply('a:\n\te: 1\n', both), 'a:\n\te: 1\nc:\n  - d\ne:\n\tf: 1\n');
  });

  it('is refused below a mistake of the quote', () => {
    const numbered = { text, oldText: oldText.replaceAll(/^/gm, '-').replace(/-$/, '') };
    assert.equal(apply(`+<code>\n${fresh.replaceAll(/^(?=.)/gm, '+')}+</code>\n`, numbered), 'unclear');
  });
});

describe('marks in a new text', () => {
  const page = { text: 'Run it:\n\nnpm i\nnpm test\n\nDone.\n', oldText: 'npm i\nnpm test\n' };
  const applied: Readonly<Record<string, readonly [newText: string, given?: { text: string; oldText: string }]>> = {
    'are meant, if they are the whole change: a fence': ['```\nnpm i\nnpm test\n```\n', page],
    'are meant, if they are the whole change: quote signs': ['> npm i\n> npm test\n', page],
    'are meant, if they are the whole change: an indentation': ['  npm i\n  npm test\n', page],
    'are meant, if they are the whole change: a tag': ['<code>\nnpm i\nnpm test\n</code>\n', page],
    'are meant within it: a fence': ['npm i\n```\nnpm run all\n```\n', page],
    'are meant within it: a conflict': ['npm i\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\nnpm test\n', page],
    'are meant, if they are a whole conflict': ['<<<<<<< HEAD\nnpm i\n=======\nnpm ci\n>>>>>>> main\n', page],
    'are meant as a description of the file': [
      '"""Runs it.\n\nOften.\n"""\n',
      { text: '# Runs it.\nrun()\n', oldText: '# Runs it.\n' },
    ],
    'are meant as numbers': ['2\n3\n', { text: 'one\ntwo\n', oldText: 'two\n' }],
    'are meant as the lines of a list': ['1. npm i\n2. npm ci\n', page],
    'are meant, if the file moves lines into a block': [
      '    if a:\n        say("it")\n        if a < 1:\n            return 1\n',
    ],
    'are meant, if the file moves lines out of a block': [
      '        return 1\n',
      { text: 'if (a) {\n    x();\n    y();\n}\n', oldText: 'if (a) {\n    x();\n    y();\n}\n' },
    ],
  };
  for (const [name, [newText, given = { text, oldText }]] of Object.entries(applied)) {
    it(name, () => assert.equal(apply(newText, given), given.text.replace(given.oldText, newText)));
  }
});
