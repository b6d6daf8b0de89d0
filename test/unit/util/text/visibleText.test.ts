import assert from 'node:assert/strict';
import { visibleSegments, visibleText, type VisibleTextKind } from '../../../../src/util/text/visibleText';

describe('visibleText', () => {
  const cases: readonly (readonly [name: string, kind: VisibleTextKind, text: string, expected: string])[] = [
    ['leaves ordinary text alone', 'command', 'npm test -- --grep "é 日本 😀"', 'npm test -- --grep "é 日本 😀"'],
    ['leaves an empty text empty', 'path', '', ''],
    ['names a bidirectional override', 'path', 'src/\u202Egpj.exe', 'src/<U+202E>gpj.exe'],
    ['names zero-width characters', 'command', 'rm\u200B -rf\uFEFF x', 'rm<U+200B> -rf<U+FEFF> x'],
    [
      'names escape sequences and backspaces',
      'command',
      'ls\u001B[8m; evil\b\b',
      'ls<ESC>[8m; evil<BACKSPACE><BACKSPACE>',
    ],
    ['names look-alike spaces', 'command', 'rm\u00A0-rf\u3000/', 'rm<NO-BREAK SPACE>-rf<U+3000>/'],
    ['names fillers that draw nothing', 'path', 'a\u3164b\u2800c\u00ADd', 'a<U+3164>b<U+2800>c<U+00AD>d'],
    ['names lone surrogates', 'path', 'a\uD800b', 'a<U+D800>b'],
    ['marks the line breaks of a command and keeps them', 'command', 'echo a\nrm b', 'echo a↵\nrm b'],
    ['shows a carriage return that would overwrite the line', 'command', 'rm b\recho a', 'rm b<CR>echo a'],
    [
      'counts padding that would push the end out of sight',
      'command',
      `ls${' '.repeat(500)}; rm b`,
      'ls<500 spaces>; rm b',
    ],
    ['counts line breaks that would do so', 'command', `ls${'\n'.repeat(60)}rm b`, 'ls<60 line breaks>\nrm b'],
    ['puts a path on one line', 'path', 'a\nb\tc', 'a<LINE BREAK>b<TAB>c'],
    [
      'counts long runs of hidden characters',
      'path',
      `ok\u{E0069}${'\u{E0067}'.repeat(14)}`,
      'ok<15 hidden characters, first U+E0069>',
    ],
    [
      'keeps the indentation and CRLF of code',
      'code',
      '\tif (a) {\r\n            b\r',
      '\tif (a) {\r\n            b\r',
    ],
    ['names what is hidden in code', 'code', 'a /*\u202E*/\u00A0b\rc', 'a /*<U+202E>*/<NO-BREAK SPACE>b<CR>c'],
    ['keeps emoji sequences whole', 'path', '👩🏽‍💻 ❤️ 1️⃣', '👩🏽‍💻 ❤️ 1️⃣'],
    ['names a joiner or selector outside an emoji', 'path', 'a\u200Db\uFE0Fc', 'a<U+200D>b<U+FE0F>c'],
    [
      'keeps the blanks and joiners that languages are written with',
      'prose',
      'Voilà\u00A0! نمی\u200Cخواهم क्\u200Dष',
      'Voilà\u00A0! نمی\u200Cخواهم क्\u200Dष',
    ],
    [
      'names what is hidden in prose',
      'prose',
      'a\u200Bb\u200Dc \u202Ed \u00AD\u2800\u2028e\r\nf',
      'a<U+200B>b<U+200D>c <U+202E>d <U+00AD><U+2800><U+2028>e\r\nf',
    ],
    ['names joiners in a row', 'prose', 'می\u200C\u200Cخ', 'می<U+200C><U+200C>خ'],
    [
      'counts tag characters in prose',
      'prose',
      `日本${'\u{E0067}'.repeat(9)}`,
      '日本<9 hidden characters, first U+E0067>',
    ],
  ];
  for (const [name, kind, text, expected] of cases) {
    it(name, () => assert.equal(visibleText(text, kind), expected));
  }

  it('tells stand-ins from text that looks like one', () => {
    assert.deepEqual(visibleSegments('a<U+200B>\u200Bb', 'command'), [
      { text: 'a<U+200B>', isHidden: false },
      { text: '<U+200B>', isHidden: true, source: '\u200B' },
      { text: 'b', isHidden: false },
    ]);
  });

  it('keeps the number of pieces bounded, and still names every character', () => {
    const text = 'a\u200B'.repeat(50_000);
    const segments = visibleSegments(text, 'prose');
    assert.ok(segments.length <= 4_001, String(segments.length));
    assert.equal(segments.map((segment) => segment.text).join(''), 'a<U+200B>'.repeat(50_000));
  });
});
