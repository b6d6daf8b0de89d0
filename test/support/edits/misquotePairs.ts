import { isMisquote, misquotes, type Misquote } from './sloppyEdits';

/** Mistakes in the order in which they can follow one another: wrong memory first, changes to the text last. */
const ORDER = [
  'one letter wrong in a block',
  'a blank line dropped',
  'dedented block',
  'tabs as spaces',
  'spaces as tabs',
  'curly quotes',
  'HTML entities',
  'trailing spaces',
  'line-number prefixes',
  'escaped quotes and newlines',
  'wrapped in a code fence',
  'CRLF',
  'missing final newline',
];

const PAIRS_THAT_EXCLUDE_EACH_OTHER: ReadonlySet<string> = new Set([
  'tabs as spaces, spaces as tabs',
  // An escaped newline and a real newline are different characters.
  'escaped quotes and newlines, CRLF',
  'CRLF, missing final newline',
]);

/** Every pair of ways in which models misquote files, one applied after the other. */
export const misquotePairs: readonly Misquote[] = misquotes
  .toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name))
  .flatMap((first, index, all) => all.slice(index + 1).map((second) => inTurn(first, second)))
  .filter(({ name }) => !PAIRS_THAT_EXCLUDE_EACH_OTHER.has(name));

function inTurn(first: Misquote, second: Misquote): Misquote {
  return {
    name: `${first.name}, ${second.name}`,
    minLines: Math.max(first.minLines, second.minLines),
    isAltering: (first.isAltering ?? false) || (second.isAltering ?? false),
    write: (edit, random) => {
      const once = first.write(edit, random);
      if (!once || !isMisquote(first, edit.oldLines, once.oldText)) return undefined;
      const oldLines = linesOf(once.oldText);
      const twice = second.write({ ...edit, oldLines, newLines: linesOf(once.newText) }, random);
      if (!twice || !isMisquote(second, oldLines, twice.oldText)) return undefined;
      return {
        ...twice,
        quotedLines: twice.quotedLines ?? once.quotedLines,
        saidText: second.isAltering ? twice.oldText : once.oldText,
      };
    },
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
