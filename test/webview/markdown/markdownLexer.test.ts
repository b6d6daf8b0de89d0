import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { MarkdownBlock } from '../../../src/webview/markdown/markdownBlock';
import { MarkdownLexer } from '../../../src/webview/markdown/markdownLexer';
import { createMarkdownParser } from '../../../src/webview/markdown/markdownParser';
import { nestedMarkdown } from '../../support/markdown/nestedMarkdown';
import { markdownAnswer } from '../support/sessions';

const parser = createMarkdownParser();

const shown = (blocks: readonly MarkdownBlock[]) =>
  blocks.map(({ raw, context, tokens }) => ({
    raw,
    context,
    html: tokens === undefined ? undefined : parser.renderer.render([...tokens], parser.options, {}),
  }));

/** A lexer that is given each length of the text must show the same as one that is given it alone. */
function checkPieces(text: string, lengths: Iterable<number>): void {
  const growing = new MarkdownLexer(parser);
  for (const length of lengths) {
    const prefix = text.slice(0, length);
    assert.deepEqual(shown(growing.lex(prefix)), shown(new MarkdownLexer(parser).lex(prefix)), JSON.stringify(prefix));
  }
}

const everyLength = (text: string): readonly number[] => Array.from({ length: text.length + 1 }, (_, index) => index);

/** Pieces whose meaning depends on what is before or after them. */
const pieces = [
  ...['\n', '\n\n', '\r\n', '\r', '  ', '    ', '\t', ' ', 'word', '*em*', '`code`', '\\', '&amp;', '\u0000'],
  ...['# ', '===\n', '---\n', '***\n', '> ', '- ', '1. ', '2) ', '+ ', '- [ ] ', '```\n', '```ts\n', '~~~\n', '```'],
  ...['| a | b |\n', '|---|---|\n', '| 1 | 2 |\n', '--|--\n', '<div>\n', '</div>\n', '<!-- ', '-->', '<br>'],
  ...[
    '[a]',
    '[b][a]',
    '[A  b]',
    '[a]: /one\n',
    '[a]: /two "title"\n',
    '[b]: <x y>\n',
    "[a b]: /three\n'title\n",
    '"\n',
  ],
  ...['$', '$$', '$$\n', '$x$', '\\[\n', '\\]\n', '\\(', '\\)', '\\alpha', 'x_1 = 2'],
  ...['[a]:\n', '/url\n', 'https://example.com/x', '![i](p.png)', '[t](u.md)', '> [a]: /quoted\n', '- [b]: /listed\n'],
];

describe('the lexer of a growing answer', function () {
  this.timeout(120_000);

  it('shows the same as for the whole text after each character of an answer', () => {
    checkPieces(markdownAnswer, everyLength(markdownAnswer));
  });

  it('shows the same as for the whole text after each character, whatever follows whatever', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        checkPieces(text, everyLength(text));
      }),
      { numRuns: 400 },
    );
  });

  it('shows the same as for the whole text when the title of a definition goes over many lines', () => {
    for (const text of [
      `+ [a b]: /three\n'title\n"\n[a b]: /three\n'`,
      `2) [a b]: /three\n'title\n<div>\n[a b]: /three\n'\n`,
      `> [a]: /one\n"title\n${'more\n'.repeat(40)}end"\n\n[a] and [b]\n`,
    ]) {
      checkPieces(text, everyLength(text));
    }
  });

  it('shows the same as for the whole text in pieces of any length', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...pieces), fc.constant('\n\n'), nestedMarkdown), { maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 40 }),
        (parts, steps) => {
          const text = parts.join('').slice(0, 5_000);
          let length = 0;
          checkPieces(text, [...steps.map((step) => (length += step)), text.length]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('shows the same after another text', () => {
    const lexer = new MarkdownLexer(parser);
    for (const text of [markdownAnswer, markdownAnswer.slice(0, 300), `x${markdownAnswer}`, '']) {
      assert.deepEqual(shown(lexer.lex(text)), shown(new MarkdownLexer(parser).lex(text)));
    }
  });

  it('drops the same links when addresses are too long altogether', () => {
    const text = `[a]: /${'x'.repeat(1_000)}\n\n${'one [a] two\n\n'.repeat(400)}`;
    const lexer = new MarkdownLexer(parser);
    lexer.lex(text.slice(0, 3_000));
    assert.deepEqual(shown(lexer.lex(text)), shown(new MarkdownLexer(parser).lex(text)));
  });

  it('shows a text that is too long as plain blocks, of which only the last one changes while it grows', () => {
    const words = fc.constantFrom('word', '*em*', '\n', '\n\n', '\r\n', ' ', 'x'.repeat(500));
    fc.assert(
      fc.property(fc.array(words, { minLength: 100, maxLength: 300 }), (parts) => {
        const text = 'x'.repeat(100_000) + parts.join('');
        const lexer = new MarkdownLexer(parser);
        const plain = (length: number): readonly string[] =>
          lexer.lex(text.slice(0, length)).flatMap(({ raw, tokens }) => (tokens === undefined ? [raw] : []));
        const whole = plain(text.length);
        assert.equal(whole.join('\n'), text.slice(100_000));
        for (const [index, raw] of whole.entries()) {
          assert.ok(index === 0 || !/^[\r\n]/.test(raw), 'begins with text');
          assert.ok(index === whole.length - 1 || (raw.length >= 4_000 && !/[\r\n]$/.test(raw)), 'ends with text');
        }
        for (let length = 100_001; length < text.length; length += 997) {
          const before = plain(length);
          assert.deepEqual(before.slice(0, -1), whole.slice(0, before.length - 1));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('parses each character a few times at most while an answer grows by small pieces', () => {
    const text = `${markdownAnswer}\n\n`.repeat(80).slice(0, 90_000);
    const lexer = new MarkdownLexer(parser);
    const step = 100;
    for (let length = step; length <= text.length; length += step) lexer.lex(text.slice(0, length));
    const perPiece = lexer.parsedCharacters / (text.length / step);
    assert.ok(perPiece < 600, `${perPiece} characters were parsed for each piece of ${step}`);
  });

  it('parses nothing more and keeps its blocks while the plain end of a long answer grows', () => {
    const text = `${markdownAnswer}\n\n`.repeat(300).slice(0, 130_000);
    const lexer = new MarkdownLexer(parser);
    const before = lexer.lex(text.slice(0, 110_000));
    const parsed = lexer.parsedCharacters;
    for (let length = 110_000; length <= text.length; length += 1_000) {
      const blocks = lexer.lex(text.slice(0, length));
      const isSame = before.slice(0, -1).every((block, index) => block === blocks[index]);
      assert.ok(isSame, `${length} characters`);
    }
    assert.equal(lexer.parsedCharacters, parsed);
  });
});
