import { isChosen, lineKinds, pick, textKinds, type Kind } from './kind';

/** Quotes as a word processor writes them. */
export function curl(text: string): string {
  return text
    .replaceAll(/(^|[\s([{=:,])"/gm, '$1\u201C')
    .replaceAll('"', '\u201D')
    .replaceAll(/(^|[\s([{=:,])'/gm, '$1\u2018')
    .replaceAll("'", '\u2019');
}

function entities(text: string, isWhole: boolean): string {
  const start = isWhole ? text.replaceAll('&', '&amp;') : text;
  const brackets = start.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return isWhole ? brackets.replaceAll('"', '&quot;').replaceAll("'", '&#39;') : brackets;
}

/** The same characters written in another way. */
export const characterKinds: readonly Kind[] = [
  // In a file with straight and curly quotes, the edit may be about them.
  ...textKinds('typographic quotes', (_random, { newLines }) =>
    newLines.some((line) => /[\u2018-\u201D]/.test(line)) ? undefined : curl,
  ),
  ...textKinds('dashes for hyphens', () => (text) => text.replaceAll(/(?<=\s)-(?=\s)/g, '\u2013')),
  ...textKinds('an ellipsis for three dots', () => (text) => text.replaceAll('...', '\u2026')),
  ...textKinds('HTML entities', (random) => {
    const isWhole = random() < 0.5;
    // Without `&amp;`, nobody can tell an entity of the text from an encoded bracket.
    return (text) => (!isWhole && /&[lg]t;/.test(text) ? undefined : entities(text, isWhole));
  }),
  ...textKinds('escaped for JSON', () => (text) => JSON.stringify(text).slice(1, -1)),
  ...textKinds('escaped for JSON in quotation marks', () => (text) => JSON.stringify(text)),
  ...textKinds('escaped quotes', () => (text) => text.replaceAll('"', '\\"')),
  ...textKinds('escaped newlines', () => (text) => (text.includes('\\n') ? undefined : text.replaceAll('\n', '\\n'))),
  ...textKinds('backslashes doubled', () => (text) => text.replaceAll('\\', '\\\\')),
  ...textKinds('backslashes halved', () => (text) => text.replaceAll('\\\\', '\\'), { sides: ['old'] }),
  ...textKinds('decomposed letters', () => (text) => text.normalize('NFD')),
  ...textKinds('composed letters', () => (text) => text.normalize('NFC')),
  ...textKinds(
    'full-width punctuation',
    (random) => {
      const [plain, wide] = pick(
        [
          [',', '\uFF0C'],
          [':', '\uFF1A'],
          ['(', '\uFF08'],
        ] as const,
        random,
      );
      return (text) => text.replace(plain, wide);
    },
    { expects: 'guarded' },
  ),
  ...textKinds(
    'other quotes',
    (random) => {
      const [from, to] = pick(
        [
          ['"', "'"],
          ["'", '"'],
          ['"', '`'],
        ] as const,
        random,
      );
      return (text) => text.replaceAll(from, to);
    },
    { expects: 'guarded', isAltering: true, sides: ['old', 'both'] },
  ),
  ...lineKinds(
    'a final semicolon or comma lost',
    () => (line) => (isChosen(line, 2) ? line.replace(/[;,]$/, '') : line),
    {
      expects: 'guarded',
      isAltering: true,
    },
  ),
  ...lineKinds(
    'a final semicolon added',
    () => (line) => (/[\w)]$/.test(line) && isChosen(line, 2) ? `${line};` : line),
    {
      expects: 'guarded',
      isAltering: true,
    },
  ),
  ...lineKinds(
    'other case',
    () => (line) => (isChosen(line, 3) ? line.replace(/[a-z]\w+/, (word) => word.toUpperCase()) : line),
    {
      expects: 'guarded',
      isAltering: true,
    },
  ),
  ...lineKinds('a letter wrong', () => (line) => (isChosen(line, 3) ? line.replace(/(\w)[a-z](?=\w)/, '$1q') : line), {
    expects: 'guarded',
    isAltering: true,
  }),
];
