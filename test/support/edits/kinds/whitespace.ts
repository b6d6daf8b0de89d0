import { isBlank, isChosen, lineKinds, pick, sharedIndentation, textKinds, textOf, type Kind } from './kind';

/** Mistakes in blanks and line ends. */
export const whitespaceKinds: readonly Kind[] = [
  ...lineKinds('trailing blanks added', (random) => {
    const blanks = pick([' ', '  ', '   ', '\t'], random);
    return (line) => (isChosen(line, 2) ? line + blanks : line);
  }),
  // A change of trailing blanks would get lost too.
  ...lineKinds('trailing blanks lost', (_random, { oldLines, newLines }) =>
    oldLines.some((line) => line !== line.trimEnd() && !newLines.includes(line)) ||
    newLines.some((line) => line !== line.trimEnd() && !oldLines.includes(line))
      ? undefined
      : (line) => line.trimEnd(),
  ),
  ...lineKinds('blanks on blank lines', (random) => {
    const blanks = pick(['  ', '    ', '\t'], random);
    return (line) => (line === '' ? blanks : line);
  }),
  ...textKinds('a final newline more', () => (text) => `${text}\n`),
  ...textKinds('two final newlines more', () => (text) => `${text}\n\n`),
  ...textKinds('a final newline less', () => (text) => (text.endsWith('\n') ? text.slice(0, -1) : undefined), {
    sides: ['both'],
  }),
  ...textKinds('newline and blanks at the end', (random) => {
    const tail = `\n${pick(['  ', '    ', '        ', '\t'], random)}`;
    return (text) => text.replace(/\n$/, '') + tail;
  }),
  ...textKinds('a newline at the start', () => (text) => `\n${text}`),
  ...textKinds('newline and blanks at both ends', (random) => {
    const tail = pick(['  ', '    ', '\t'], random);
    return (text) => `\n${text.replace(/\n$/, '')}\n${tail}`;
  }),
  ...textKinds('a newline at both ends', () => (text) => `\n${text}${text.endsWith('\n') ? '' : '\n'}`),
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
    return shared === '' ? undefined : (line) => (line.startsWith(shared) ? line.slice(shared.length) : line);
  }),
  ...lineKinds('indentation shifted', (random) => {
    const more = pick(['  ', '    ', '\t'], random);
    return (line) => (isBlank(line) ? line : more + line);
  }),
  ...lineKinds('spaces for tabs', (random) => {
    const width = pick([2, 4, 8], random);
    return (line) => line.replace(/^\t+/, (tabs) => ' '.repeat(width * tabs.length));
  }),
  ...lineKinds('tabs for spaces', (_random, { fileLines }) => {
    const widths = fileLines.map((line) => /^ */.exec(line)?.[0].length ?? 0).filter((width) => width > 1);
    const width = widths.every((one) => one % 4 === 0) ? 4 : 2;
    return (line) =>
      line.replace(
        /^ +/,
        (blanks) => '\t'.repeat(Math.floor(blanks.length / width)) + ' '.repeat(blanks.length % width),
      );
  }),
  ...lineKinds('other width of indentation', (_random, { fileLines }) => {
    const widths = fileLines.map((line) => /^ */.exec(line)?.[0].length ?? 0).filter((width) => width > 0);
    if (widths.some((width) => width % 2 !== 0)) return undefined;
    const isWide = widths.every((width) => width % 4 === 0);
    return (line) => line.replace(/^ +/, (blanks) => ' '.repeat(isWide ? blanks.length / 2 : blanks.length * 2));
  }),
  ...lineKinds('runs of blanks as one', () => (line) => line.replaceAll(/(\S)[ \t]{2,}(?=\S)/g, '$1 ')),
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
