import { sharedEnds } from '../../../../src/workspace/edits/sharedEnds';
import { isBlank, textKinds, textOf, type Change, type Kind } from './kind';

/** Blank lines of the quote, with lines on both sides. */
function innerBlanks({ oldLines }: Change): readonly number[] {
  const first = oldLines.findIndex((line) => !isBlank(line));
  const last = oldLines.findLastIndex((line) => !isBlank(line));
  return oldLines.flatMap((line, index) => (isBlank(line) && index > first && index < last ? [index] : []));
}

function countBlank(lines: readonly string[]): number {
  return lines.filter(isBlank).length;
}

/** Mistakes in blank lines. */
export const blankLineKinds: readonly Kind[] = [
  {
    name: 'a blank line lost, old text only',
    expects: 'applied',
    isAltering: true,
    write: (change, random) => {
      const { oldLines, newLines, end } = change;
      const blanks = innerBlanks(change);
      const at = blanks[Math.floor(random() * blanks.length)];
      // An edit cannot remove a blank line that it does not quote.
      if (at === undefined || countBlank(newLines) < countBlank(oldLines)) return undefined;
      return [{ oldText: textOf(oldLines.toSpliced(at, 1), end), newText: textOf(newLines, end) }];
    },
  },
  {
    name: 'all blank lines lost, both texts',
    expects: 'applied',
    isAltering: true,
    write: (change) => {
      const { oldLines, newLines, end } = change;
      if (innerBlanks(change).length === 0) return undefined;
      // New blank lines would get lost, and the edit could not remove one.
      const { head, tail } = sharedEnds(oldLines, newLines);
      const changed = [oldLines, newLines].flatMap((lines) => lines.slice(head, lines.length - tail));
      if (changed.some(isBlank)) return undefined;
      if (isBlank(oldLines[0] ?? '') || isBlank(oldLines.at(-1) ?? '')) return undefined;
      const solid = (lines: readonly string[]): string =>
        textOf(
          lines.filter((line) => !isBlank(line)),
          end,
        );
      return [{ oldText: solid(oldLines), newText: solid(newLines) }];
    },
  },
  {
    name: 'a blank line added, old text only',
    expects: 'applied',
    isAltering: true,
    write: ({ oldLines, newLines, end }, random) => {
      // A blank line that the edit adds would be both in the quote and in the new text.
      if (oldLines.length < 2 || countBlank(newLines) > countBlank(oldLines)) return undefined;
      const at = 1 + Math.floor(random() * (oldLines.length - 1));
      return [{ oldText: textOf(oldLines.toSpliced(at, 0, ''), end), newText: textOf(newLines, end) }];
    },
  },
  {
    name: 'a blank line added, both texts',
    expects: 'applied',
    isAltering: true,
    write: ({ oldLines, newLines, end }, random) => {
      // Between two lines that stay neighbours.
      const places = oldLines.flatMap((line, index) => {
        const next = oldLines[index + 1];
        const at = newLines.findIndex((other, newIndex) => other === line && newLines[newIndex + 1] === next);
        return next !== undefined && at !== -1 && !isBlank(line) && !isBlank(next) && newLines.lastIndexOf(line) === at
          ? [[index + 1, at + 1] as const]
          : [];
      });
      const place = places[Math.floor(random() * places.length)];
      if (!place) return undefined;
      return [
        {
          oldText: textOf(oldLines.toSpliced(place[0], 0, ''), end),
          newText: textOf(newLines.toSpliced(place[1], 0, ''), end),
        },
      ];
    },
  },
  ...textKinds(
    'every line followed by a blank line',
    // A blank line that the edit adds would be both in the quote and in the new text.
    (_random, { newLines }) =>
      newLines.some(isBlank)
        ? undefined
        : (text) => {
            const lines = text.replace(/\n$/, '').split('\n');
            return lines.length < 2 || lines.some(isBlank)
              ? undefined
              : lines.join('\n\n') + (text.endsWith('\n') ? '\n' : '');
          },
    { isAltering: true },
  ),
];
