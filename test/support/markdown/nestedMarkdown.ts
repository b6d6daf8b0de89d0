import fc from 'fast-check';

const times = (piece: string, count: number): string => piece.repeat(count);
const steps = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Texts of at most 50,000 characters that cost a naive parser its stack or minutes. Each holds the letter X. */
export const hostileMarkdown: Readonly<Record<string, string>> = {
  'mixed quotes and lists': `${times('> - * + ', 625)}X`,
  'lists in one line': `${times('- ', 5_000)}X`,
  'mixed lists in one line': `${times('* + - ', 5_000)}X`,
  'numbered lists in one line': `${times('1. ', 5_000)}X`,
  'quotes without blanks': `${times('>', 20_000)}X`,
  'quotes with blanks': `${times('> ', 20_000)}X`,
  'lists in steps': steps(200, (index) => `${times('  ', index)}- X`),
  'quotes in steps': steps(200, (index) => `${times('>', index)} X`),
  'quotes in steps down': steps(200, (index) => `${times('>', 200 - index)} X`),
  'quotes and lists in steps': steps(100, (index) => `${times('> - ', index)}X`),
  'lazy lines after deep quotes': `${times('>', 5_000)} X\n${times('X\n', 5_000)}`,
  'code in deep lists': `${times('- ', 500)}\`\`\`\nX\n\`\`\``,
  'headings in deep quotes': `${times('> ', 500)}# X`,
  'emphasis inside emphasis': `${times('*a **b ', 2_000)}X${times(' b** a*', 2_000)}`,
  'strong text in strong text': `${times('**x ', 5_000)}X${times(' x**', 5_000)}`,
  'underscores inside underscores': `${times('_a __b ', 2_000)}X${times(' b__ a_', 2_000)}`,
  'struck text in struck text': `${times('~~a *b ', 2_000)}X${times(' b* a~~', 2_000)}`,
  'open emphasis': `${times('*a ', 10_000)}X`,
  'runs of stars': `${times('*', 30_000)}X${times('*', 30_000)}`,
  'three stars': `${times('***a ', 4_000)}X${times('a***', 4_000)}`,
  'open brackets': `${times('[', 30_000)}X`,
  'brackets in brackets': `${times('[', 15_000)}X${times(']', 15_000)}`,
  'links in links': `${times('[', 8_000)}X${times('](u)', 8_000)}`,
  'images in images': `${times('![', 8_000)}X${times('](u)', 8_000)}`,
  'links with emphasis': times('*[X](b)', 5_000),
  'half links': times('[X](', 8_000),
  'parentheses in an address': `[X](${times('(', 20_000)}`,
  'backticks of growing length': steps(250, (index) => `${times('`', index + 1)} X`).replaceAll('\n', ' '),
  backticks: times('`X ', 12_000),
  'nested HTML': `${times('<div>', 6_000)}X${times('</div>', 6_000)}`,
  'HTML in blocks': `${times('<div>\n\n', 3_000)}X`,
  'open tags': `${times('<X b="', 6_000)}`,
  comments: `${times('<!-- X ', 5_000)}`,
  'a table with many columns': `|${times('X|', 4_000)}\n|${times('-|', 4_000)}\n${times('|X\n', 4_000)}`,
  'a table with many rows': `|a|b|\n|-|-|\n${times('|X|*X*|\n', 4_000)}`,
  'many definitions and links': `${times('[a]: u\n', 2_000)}\n${times('[a] X ', 4_000)}`,
  'one long address used often': `[a]: https://x/${times('y', 20_000)}\n\n${times('[a] X ', 4_000)}`,
  'an open title': `[a]: u "${times('X\n', 10_000)}`,
  addresses: times('http://X.a ', 4_000),
  'mail addresses': `${times('X@', 20_000)}a`,
  entities: times('&X', 20_000),
  backslashes: `${times('\\', 40_000)}X`,
  tabs: `${times('\t', 30_000)}X`,
  'hidden characters between letters': times('X\u200B', 20_000),
  'code in code': `\`\`\`js\n${times('`${\n', 3_500)}X\n\`\`\``,
  'an open fence in deep quotes': `${times('> ', 300)}\`\`\`js\nX`,
};

/** 5,000 characters of quotes and lists in each other, in no order that repeats: repeated text is cut off. */
export function unevenNesting(): string {
  let state = 1;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return `${Array.from({ length: 2_500 }, () => ['> ', '- ', '* ', '+ '][next() % 4]).join('')}X`;
}

const word = fc.constantFrom('X', 'X a', 'aXb', 'X.', 'X\\', '&amp; X', '\u202EX', '$X$');
const blockOpeners = ['> ', '>', '- ', '* ', '+ ', '1. ', '10) ', '    ', '  ', '\t', '# ', '- [ ] ', '> - * + '];
const inlinePairs: readonly (readonly [string, string])[] = [
  ['*', '*'],
  ['**', '**'],
  ['_', '_'],
  ['__', '__'],
  ['***', '***'],
  ['~~', '~~'],
  ['`', '`'],
  ['``', '``'],
  ['[', '](https://example.com)'],
  ['[', '](<u> "t")'],
  ['![', '](u)'],
  ['[', '][a]'],
  ['<b>', '</b>'],
  ['<', '>'],
  ['(', ')'],
];

const inline: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 12, withCrossShrink: true },
    word,
    fc.tuple(fc.constantFrom(...inlinePairs), tie('text')).map(([[open, close], text]) => `${open}${text}${close}`),
    fc.tuple(tie('text'), tie('text')).map((parts) => parts.join(' ')),
  ),
})).text;

/** Wraps a text in the same pair many times. */
const deepInline = fc
  .tuple(
    fc.array(fc.constantFrom(...inlinePairs), { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 400 }),
    inline,
  )
  .map(([pairs, count, text]) => {
    const open = pairs.map(([start]) => start).join('a ');
    const close = [...pairs]
      .reverse()
      .map(([, end]) => end)
      .join(' a');
    return `${times(open, count)}${text}${times(close, count)}`;
  });

const line = fc
  .tuple(
    fc.array(fc.constantFrom(...blockOpeners), { maxLength: 6 }),
    fc.integer({ min: 1, max: 120 }),
    fc.oneof(inline, deepInline),
  )
  .map(([openers, count, text]) => times(openers.join(''), count) + text);

/** Blocks in blocks, a line at a time, with deep emphasis and links, fences, tables and definitions between them. */
export const nestedMarkdown: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: line },
      {
        weight: 2,
        arbitrary: fc.constantFrom('', '```', '~~~js', '|X|X|\n|-|:-:|\n|X|', '[a]: https://X', '---', '==='),
      },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((lines) => lines.join('\n'));

/** A few pieces of Markdown's syntax, repeated up to 2,000 times, then the letter X. */
export const repeatedMarkdown: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        ...blockOpeners,
        ...inlinePairs.flat(),
        ...[
          '\n',
          '\n\n',
          ' ',
          'a',
          '|',
          '|-|\n',
          '```',
          '<br>',
          '<!--',
          '\\',
          '&#42;',
          'http://a',
          'a@b.c',
          '[x]: y\n',
        ],
      ),
      { minLength: 1, maxLength: 5 },
    ),
    fc.integer({ min: 1, max: 2_000 }),
  )
  .map(([pieces, count]) => `${times(pieces.join(''), count)}X`);
