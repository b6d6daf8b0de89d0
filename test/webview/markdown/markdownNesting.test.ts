import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createMarkdownParser } from '../../../src/webview/markdown/markdownParser';
import type { MarkdownBlock } from '../../../src/webview/markdown/markdownBlock';
import { MarkdownLexer } from '../../../src/webview/markdown/markdownLexer';
import { maxBlockLevels, maxInlineLevels } from '../../../src/webview/markdown/boundedNesting';
import { hostileMarkdown, nestedMarkdown, repeatedMarkdown } from '../../support/markdown/nestedMarkdown';

const parser = createMarkdownParser();
const blocksOf = (text: string): readonly MarkdownBlock[] => new MarkdownLexer(parser).lex(text);

/** The HTML before it is sanitised. A plain block becomes text, so its tags are no elements. */
const render = (block: MarkdownBlock): string =>
  block.tokens === undefined
    ? parser.utils.escapeHtml(block.raw)
    : parser.renderer.render([...block.tokens], parser.options, {});

/** The deepest nesting of elements. */
function depthOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z]+\d?)\b/g)) {
    if (name === 'br' || name === 'hr') continue;
    depth += slash === '/' ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }
  assert.equal(depth, 0, 'every element is closed');
  return deepest;
}

/** Two elements a block level at most, then a paragraph, inline elements, code or a table. */
const maxDepth = maxBlockLevels + 4 + maxInlineLevels + 6;

/** Fences hide their first line, tables cells without a column, definitions all of their text. */
const mayHideText = /```|~~~|\||\]:/;

const countLetters = (text: string): number => text.split('X').length - 1;

function checkRendering(text: string): void {
  const html = blocksOf(text).map(render);
  for (const part of html) assert.ok(depthOf(part) <= maxDepth, `depth ${depthOf(part)}`);
  if (mayHideText.test(text)) return;
  const shown = html.join('').replaceAll(/<[^<>]*>|&\w+;|&#\d+;/g, '');
  assert.ok(countLetters(shown) >= countLetters(text), 'no letter is lost');
}

describe('nested Markdown', function () {
  this.timeout(120_000);

  for (const [name, text] of Object.entries(hostileMarkdown)) {
    it(`has bounded depth: ${name}`, () => checkRendering(text));
  }

  it('has bounded depth, and loses no text, whatever nests in whatever', () => {
    fc.assert(
      fc.property(nestedMarkdown, (text) => checkRendering(text)),
      { numRuns: 500 },
    );
  });

  it('has bounded depth when pieces are repeated', () => {
    fc.assert(
      fc.property(repeatedMarkdown, (text) => checkRendering(text)),
      { numRuns: 300 },
    );
  });

  it('keeps ordinary nesting', () => {
    const [block] = blocksOf('> - one\n>   - two\n>     - *three **four***');
    assert.ok(block);
    assert.match(render(block), /<blockquote>.*<ul>.*<ul>.*<ul>.*<em>three <strong>four<\/strong><\/em>/s);
  });

  it('shows text beyond the limits as it was written', () => {
    const long = `# Title\n\n${'word '.repeat(30_000)}\n\n*end*`;
    const blocks = blocksOf(long);
    assert.equal(blocks.at(-1)?.tokens, undefined);
    assert.match(blocks.at(-1)?.raw ?? '', /\*end\*$/);
    const many = blocksOf('# a\n'.repeat(5_000));
    const plain = many.slice(3_000);
    assert.ok(plain.every(({ tokens }) => tokens === undefined));
    assert.equal(plain.map(({ raw }) => raw).join('\n'), '# a\n'.repeat(2_000));
  });
});
