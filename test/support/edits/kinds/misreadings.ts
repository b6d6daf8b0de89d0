import { isBlank, isChosen, lineKinds, pick, textKinds, type Kind } from './kind';

const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ['a', '\u0430'],
  ['c', '\u0441'],
  ['e', '\u0435'],
  ['o', '\u043E'],
  ['p', '\u0440'],
]);

const COMMENT = /(?:^|\s)(?:\/\/|#) .*$/;

function isCommentOnly(line = ''): boolean {
  return line.trim() !== '' && isBlank(line.replace(COMMENT, ''));
}

function uncommented(text: string): string {
  const lines = text.split('\n').filter((line) => !isCommentOnly(line));
  return lines.map((line) => line.replace(COMMENT, '')).join('\n');
}

const guarded = { expects: 'guarded', isAltering: true } as const;

const GERMAN = '$1 Das hier ist ein Kommentar';

/** Mistakes of small models: they count, shorten, join, split, escape or translate what they quote. */
export const misreadingKinds: readonly Kind[] = [
  ...lineKinds('lines numbered from 1', () => (line, index) => `${index + 1}. ${line}`),
  ...lineKinds('line numbers with a zero before', (_random, { firstLine }) => {
    return (line, index) => `${String(firstLine + 1 + index).padStart(4, '0')}: ${line}`;
  }),
  ...textKinds('the whole text twice', () => (text) => (text.endsWith('\n') ? text : `${text}\n`) + text, {
    ...guarded,
    sides: ['old'],
  }),
  ...lineKinds(
    'long lines shortened with an ellipsis',
    () => (line) => (line.length > 50 ? `${line.slice(0, 40)}\u2026` : line),
    guarded,
  ),
  ...lineKinds(
    'long lines shortened with three dots',
    () => (line) => (line.length > 50 ? `${line.slice(0, 40)}...` : line),
    guarded,
  ),
  ...textKinds('two lines joined', () => (text) => text.replace(/(\S)\n[ \t]*(?=\S)/, '$1 '), guarded),
  ...textKinds(
    'a line split at a comma',
    () => (text) => text.replace(/^([ \t]*)(.*?,) (?=\S)/m, '$1$2\n$1  '),
    guarded,
  ),
  ...lineKinds(
    'Cyrillic look-alikes',
    () => (line) => (isChosen(line, 2) ? line.replace(/[aceop]/, (letter) => LOOK_ALIKES.get(letter) ?? letter) : line),
    guarded,
  ),
  ...textKinds('escaped twice for JSON', () => (text) => JSON.stringify(JSON.stringify(text)), guarded),
  ...textKinds(
    'JSON with the text as a field',
    () => (text, role) => JSON.stringify({ [role === 'old' ? 'oldText' : 'newText']: text }),
    guarded,
  ),
  ...textKinds(
    'comments left out',
    (_random, { oldLines, newLines }) => {
      // A change of a comment, and a comment at an end of the quote, would not be in the edit any more.
      const isLost = oldLines.some((line) => COMMENT.test(line) && !newLines.includes(line));
      const solid = oldLines.filter((line) => !isBlank(line));
      return isLost || isCommentOnly(solid[0]) || isCommentOnly(solid.at(-1)) ? undefined : uncommented;
    },
    guarded,
  ),
  ...lineKinds('comments translated', () => (line) => line.replace(/(\/\/|#) \w.*$/, GERMAN), guarded),
  ...lineKinds('trailing commas lost before a bracket', () => (line) => line.replace(/,(?=\s*$)/, ''), guarded),
  ...lineKinds('blanks inside brackets', () => (line) => line.replaceAll(/([({[])(?=\w)/g, '$1 '), guarded),
  ...lineKinds('no blanks around operators', () => (line) => line.replaceAll(/ (=|\+|:) /g, '$1'), guarded),
  ...textKinds(
    'two attributes or arguments exchanged',
    () => (text) => text.replace(/\((\w+), (\w+)\)/, '($2, $1)'),
    guarded,
  ),
  ...textKinds(
    'a lead-in line',
    (random) => {
      const lead = pick(['Here is the code:', 'Old code:', '// old code', 'In the file:'], random);
      return (text) => `${lead}\n${text}`;
    },
    guarded,
  ),
  ...lineKinds(
    'a cursor or end mark',
    (random) => {
      const mark = pick(['<|endoftext|>', '</s>', '<cursor>', '\u2588'], random);
      return (line, index) => (index === 0 && !isBlank(line) ? line + mark : line);
    },
    guarded,
  ),
  ...lineKinds('ligatures', () => (line) => line.replaceAll('fi', '\uFB01').replaceAll('fl', '\uFB02'), guarded),
  ...lineKinds(
    'tabs and spaces mixed in one block',
    () => (line) => (isChosen(line, 2) ? line.replace(/^ {4}/, '\t') : line),
    guarded,
  ),
  ...lineKinds('numbers written otherwise', () => (line) => line.replaceAll(/\b(\d+)000\b/g, '$1_000'), guarded),
];
