import {
  isBlank,
  isChosen,
  lineKinds,
  pick,
  sharedIndentation,
  textKinds,
  textOf,
  type Change,
  type Kind,
} from './kind';

/**
 * A blank line that the edit adds or removes where the mistake is would be both in the quote and in the new text, or in
 * none. `added`: the blank lines that the mistake adds to the quote.
 */
function keepsBlankStart({ oldLines, newLines }: Pick<Change, 'oldLines' | 'newLines'>, added = 1): boolean {
  if (newLines.length === 0) return true;
  return (
    isBlank(oldLines[0] ?? '') === isBlank(newLines[0] ?? '') && blankStart(newLines) - blankStart(oldLines) !== added
  );
}

function keepsBlankEnd({ oldLines, newLines }: Change, added = 1): boolean {
  return keepsBlankStart({ oldLines: oldLines.toReversed(), newLines: newLines.toReversed() }, added);
}

/** How many lines at the start are blank. */
function blankStart(lines: readonly string[]): number {
  const first = lines.findIndex((line) => !isBlank(line));
  return first === -1 ? lines.length : first;
}

/** The blanks at the end of a line; all of a blank line. */
function trailingOf(line = ''): string {
  return line.slice(line.trimEnd().length);
}

/** Mistakes in blanks and line ends. */
export const whitespaceKinds: readonly Kind[] = [
  // Trailing blanks that the edit adds itself cannot be told from those of the mistake.
  ...lineKinds('trailing blanks added', (random, { oldLines, newLines }) => {
    if (newLines.some((line) => trailingOf(line) !== '' && !oldLines.includes(line))) return undefined;
    const blanks = pick([' ', '  ', '   ', '\t'], random);
    return (line) => (isChosen(line, 2) ? line + blanks : line);
  }),
  // A change of trailing blanks, and one more line with them, would get lost too.
  ...lineKinds('trailing blanks lost', (_random, { oldLines, newLines }) => {
    const countOf = (lines: readonly string[], line: string): number => lines.filter((other) => other === line).length;
    const isLost = [...oldLines, ...newLines].some(
      (line) => trailingOf(line) !== '' && countOf(oldLines, line) !== countOf(newLines, line),
    );
    return isLost ? undefined : (line) => line.trimEnd();
  }),
  // A change of the blanks of a blank line, and one more such line, would get lost.
  ...lineKinds('blanks on blank lines', (random, { oldLines, newLines }) => {
    const withBlanks = (lines: readonly string[]): number =>
      lines.filter((line) => line !== '' && isBlank(line)).length;
    if (withBlanks(oldLines) !== withBlanks(newLines)) return undefined;
    const blanks = pick(['  ', '    ', '\t'], random);
    return (line) => (line === '' ? blanks : line);
  }),
  ...textKinds('a final newline more', (_random, change) =>
    keepsBlankEnd(change) ? (text) => `${text}\n` : undefined,
  ),
  ...textKinds('two final newlines more', (_random, change) =>
    keepsBlankEnd(change, 2) ? (text) => `${text}\n\n` : undefined,
  ),
  ...textKinds(
    'a final newline less',
    (_random, change) =>
      keepsBlankEnd(change) && !(change.newLines.length === 0 && isBlank(change.oldLines.at(-1) ?? ''))
        ? (text) => (text.endsWith('\n') ? text.slice(0, -1) : undefined)
        : undefined,
    { sides: ['both'] },
  ),
  ...textKinds('newline and blanks at the end', (random) => {
    const tail = `\n${pick(['  ', '    ', '        ', '\t'], random)}`;
    return (text) => text.replace(/\n$/, '') + tail;
  }),
  ...textKinds('a newline at the start', (_random, change) =>
    keepsBlankStart(change) ? (text) => `\n${text}` : undefined,
  ),
  ...textKinds('newline and blanks at both ends', (random, change) => {
    if (!keepsBlankStart(change)) return undefined;
    const tail = pick(['  ', '    ', '\t'], random);
    return (text) => `\n${text.replace(/\n$/, '')}\n${tail}`;
  }),
  ...textKinds('a newline at both ends', (_random, change) =>
    keepsBlankStart(change) ? (text) => `\n${text}${text.endsWith('\n') ? '' : '\n'}` : undefined,
  ),
  {
    name: 'final newline of the new text lost',
    expects: 'applied',
    write: ({ oldLines, newLines }) =>
      newLines.length === 0 || isBlank(newLines.at(-1) ?? '')
        ? undefined
        : [{ oldText: textOf(oldLines, '\n'), newText: textOf(newLines, '') }],
  },
  {
    name: 'trimmed texts',
    expects: 'applied',
    write: ({ oldLines, newLines }) => {
      if ([oldLines[0], oldLines.at(-1), newLines[0], newLines.at(-1)].some((line) => isBlank(line ?? '')))
        return undefined;
      // A change of this indentation, and of the blanks at the end, would get lost too.
      if (sharedIndentation([oldLines[0] ?? '']) !== sharedIndentation([newLines[0] ?? ''])) return undefined;
      if (trailingOf(oldLines.at(-1)) !== trailingOf(newLines.at(-1))) return undefined;
      return [{ oldText: textOf(oldLines, '').trim(), newText: textOf(newLines, '').trim() }];
    },
  },
  ...textKinds('indentation of the first line lost', (_random, { oldLines, newLines }) =>
    // A change of this indentation would get lost too.
    /^\s*/.exec(oldLines[0] ?? '')?.[0] !== /^\s*/.exec(newLines[0] ?? '')?.[0] || isBlank(oldLines[0] ?? '')
      ? undefined
      : (text) => text.replace(/^[ \t]+/, ''),
  ),
  ...lineKinds('indentation lost', (_random, { oldLines, newLines }) => {
    const shared = sharedIndentation([...oldLines, ...newLines]);
    // A change of the blanks of a blank line would get lost too.
    if ([...oldLines, ...newLines].some((line) => line !== '' && isBlank(line))) return undefined;
    // So would a change that moves all lines.
    const bodies = new Set(oldLines.map((line) => line.trim()));
    const isMoved = newLines.some((line) => bodies.has(line.trim()) && !oldLines.includes(line));
    const isAllMoved = isMoved && sharedIndentation(oldLines) !== sharedIndentation(newLines);
    return shared === '' || isAllMoved
      ? undefined
      : (line) => (line.startsWith(shared) ? line.slice(shared.length) : line);
  }),
  ...lineKinds('indentation shifted', (random) => {
    const more = pick(['  ', '    ', '\t'], random);
    return (line) => (isBlank(line) ? line : more + line);
  }),
  // A change from tabs to spaces, or the reverse, would get lost too.
  ...lineKinds('spaces for tabs', (random, { oldLines, newLines }) => {
    const width = pick([2, 4, 8], random);
    if (newLines.some((line) => /^\t* {2}/.test(line) && !oldLines.includes(line))) return undefined;
    return (line) => line.replace(/^\t+/, (tabs) => ' '.repeat(width * tabs.length));
  }),
  ...lineKinds('tabs for spaces', (_random, { fileLines, oldLines, newLines }) => {
    if (newLines.some((line) => /^ *\t/.test(line) && !oldLines.includes(line))) return undefined;
    const widths = fileLines.map((line) => /^ */.exec(line)?.[0].length ?? 0).filter((width) => width > 1);
    const width = widths.every((one) => one % 4 === 0) ? 4 : 2;
    return (line) =>
      line.replace(
        /^ +/,
        (blanks) => '\t'.repeat(Math.floor(blanks.length / width)) + ' '.repeat(blanks.length % width),
      );
  }),
  // A change of the depth of a line that stays would look like one of the width.
  ...lineKinds('other width of indentation', (_random, { fileLines, oldLines, newLines }) => {
    const bodies = new Set(oldLines.map((line) => line.trim()));
    if (newLines.some((line) => bodies.has(line.trim()) && !oldLines.includes(line))) return undefined;
    const widths = [...fileLines, ...newLines]
      .map((line) => /^ */.exec(line)?.[0].length ?? 0)
      .filter((width) => width > 0);
    if (widths.some((width) => width % 2 !== 0)) return undefined;
    const isWide = widths.every((width) => width % 4 === 0);
    const rewrite = (line: string): string =>
      line.replace(/^ +/, (blanks) => ' '.repeat(isWide ? blanks.length / 2 : blanks.length * 2));
    // So would a change of a line that moves it just as the mistake does.
    const indentationOf = (line = ''): string => /^ */.exec(line)?.[0] ?? '';
    const isHidden = (line: string, index: number): boolean => {
      const indentation = indentationOf(newLines[index]);
      return indentation !== indentationOf(line) && indentation === indentationOf(rewrite(line));
    };
    return oldLines.length === newLines.length && oldLines.some(isHidden) ? undefined : rewrite;
  }),
  ...lineKinds('runs of blanks as one', (_random, { oldLines, newLines }) => {
    const collapse = (line: string): string => line.replaceAll(/(\S)[ \t]{2,}(?=\S)/g, '$1 ');
    // A change of only these blanks would get lost too.
    const bodies = new Set(oldLines.map((line) => line.trim()));
    const known = new Set(oldLines.map((line) => collapse(line).trim()));
    const isLost = newLines.some((line) => known.has(collapse(line).trim()) && !bodies.has(line.trim()));
    return isLost ? undefined : collapse;
  }),
  ...lineKinds(
    'blanks doubled within lines',
    () => (line) => (isChosen(line, 3) ? line.replace(/(\S) (?=\S)/, '$1  ') : line),
  ),
  ...textKinds('CRLF', () => (text) => text.replaceAll('\n', '\r\n')),
  ...textKinds('CR', () => (text) => text.replaceAll('\n', '\r')),
  ...lineKinds('mixed line ends', () => (line) => (isChosen(line, 2) ? `${line}\r` : line)),
  ...textKinds('byte order mark', () => (text) => `\uFEFF${text}`),
  ...lineKinds('no-break spaces', (_random, { oldLines, newLines }) =>
    [...oldLines, ...newLines].some((line) => line.includes('\u00A0'))
      ? undefined
      : (line) => line.replaceAll(/(\S) (?=\S)/g, '$1\u00A0'),
  ),
  ...lineKinds(
    'no-break spaces as indentation',
    () => (line) => line.replace(/^ +/, (blanks) => '\u00A0'.repeat(blanks.length)),
  ),
  ...lineKinds('zero-width characters', (random) => {
    const mark = pick(['\u200B', '\u2060', '\uFEFF', '\u00AD'], random);
    return (line) => (isChosen(line, 2) ? line.replace(/(\w)(?=\W)/, `$1${mark}`) : line);
  }),
];
