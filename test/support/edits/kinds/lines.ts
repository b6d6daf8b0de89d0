import { isBlank, pick, textOf, type Change, type Kind } from './kind';

/** Lines with a quoted line on both sides, which the edit keeps. Each is once in both texts. */
function keptLines({ oldLines, newLines }: Change): readonly (readonly [number, number])[] {
  return oldLines.flatMap((line, index) => {
    const at = newLines.indexOf(line);
    const isInside = index > 0 && index + 1 < oldLines.length && at > 0 && at + 1 < newLines.length;
    const isOnce = oldLines.lastIndexOf(line) === oldLines.indexOf(line) && newLines.lastIndexOf(line) === at;
    const hasSameNeighbours = oldLines[index - 1] === newLines[at - 1] && oldLines[index + 1] === newLines[at + 1];
    return isInside && isOnce && hasSameNeighbours && !isBlank(line) ? [[index, at] as const] : [];
  });
}

const ELISIONS = ['...', '// ...', '# ...', '    ...', '/* ... */', '[...]'];
const PLACEHOLDERS = [
  '// ... existing code ...',
  '// other code',
  '# rest of the code',
  '// remaining code',
  '// etc.',
  '// Your code goes here',
  '// 省略',
  '// ... (lines 10-40)',
  '-- ... --',
  '<!-- ... -->',
  '/* ... rest unchanged ... */',
];

/** Whole lines that are missing or replaced by something else. */
export const lineKindsOfContent: readonly Kind[] = [
  {
    name: 'a context line missing, both texts',
    expects: 'applied',
    isAltering: true,
    write: (change, random) => {
      const { oldLines, newLines, end } = change;
      const kept = keptLines(change);
      const place = kept[Math.floor(random() * kept.length)];
      if (!place) return undefined;
      return [
        {
          oldText: textOf(oldLines.toSpliced(place[0], 1), end),
          newText: textOf(newLines.toSpliced(place[1], 1), end),
        },
      ];
    },
  },
  {
    name: 'a context line missing, old text only',
    expects: 'guarded',
    isAltering: true,
    write: (change, random) => {
      const { oldLines, newLines, end } = change;
      const kept = keptLines(change);
      const place = kept[Math.floor(random() * kept.length)];
      return place && [{ oldText: textOf(oldLines.toSpliced(place[0], 1), end), newText: textOf(newLines, end) }];
    },
  },
  {
    name: 'middle of the quote elided',
    expects: 'guarded',
    write: ({ oldLines, newLines, end }, random) => {
      if (oldLines.length < 4) return undefined;
      const elided = oldLines.toSpliced(1, oldLines.length - 2, pick(ELISIONS, random));
      return [{ oldText: textOf(elided, end), newText: textOf(newLines, end) }];
    },
  },
  {
    name: 'a placeholder in the new text',
    expects: 'guarded',
    write: ({ fileLines, oldLines, newLines, end }, random) => {
      if (newLines.length < 3) return undefined;
      const placeholder = pick(PLACEHOLDERS, random);
      if (fileLines.some((line) => line.trim() === placeholder)) return undefined;
      const elided = newLines.toSpliced(1, newLines.length - 2, placeholder);
      return [{ oldText: textOf(oldLines, end), newText: textOf(elided, end) }];
    },
  },
  {
    name: 'a part of the first and last line',
    expects: 'guarded',
    isAltering: true,
    write: ({ oldLines, newLines }) => {
      const [first = '', last = ''] = [oldLines[0], oldLines.at(-1)];
      if (oldLines.length < 3 || first.trim().length < 6 || last.trim().length < 6) return undefined;
      const torn = oldLines.with(0, first.trimStart().slice(2)).with(-1, last.trimEnd().slice(0, -2));
      return [{ oldText: textOf(torn, ''), newText: textOf(newLines, '') }];
    },
  },
];

/** Several edits in one call. */
export const batchKinds: readonly Kind[] = [
  {
    name: 'the same edit twice',
    expects: 'guarded',
    write: ({ oldLines, newLines, end }) => {
      const edit = { oldText: textOf(oldLines, end), newText: textOf(newLines, end) };
      return [edit, edit];
    },
  },
  {
    name: 'the same edit twice, once with trailing blanks',
    expects: 'guarded',
    write: ({ oldLines, newLines, end }) => [
      { oldText: textOf(oldLines, end), newText: textOf(newLines, end) },
      {
        oldText: textOf(
          oldLines.map((line) => `${line} `),
          end,
        ),
        newText: textOf(newLines, end),
      },
    ],
  },
  {
    name: 'a second edit of the result',
    expects: 'applied',
    write: ({ oldLines, newLines, end }, random) => {
      if (newLines.length < 2) return undefined;
      const middle = newLines.map((line) => (isBlank(line) ? line : `${line} draft${Math.floor(random() * 1000)}`));
      return [
        { oldText: textOf(oldLines, end), newText: textOf(middle, end) },
        { oldText: textOf(middle, end), newText: textOf(newLines, end) },
      ];
    },
  },
];
