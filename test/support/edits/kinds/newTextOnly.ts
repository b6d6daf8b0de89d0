import { blankLineKinds } from './blankLines';
import { characterKinds } from './characters';
import { textOf, type Change, type Kind } from './kind';
import { misreadingKinds } from './misreadings';
import { whitespaceKinds } from './whitespace';
import { wrappingKinds } from './wrapping';

const NAMES = [
  'code fence',
  'tags',
  'CDATA',
  'tags and CDATA',
  'search and replace markers',
  'line numbers',
  'diff signs before all lines',
  'unified diff',
  'quotation marks around the text',
  'quote signs of a mail',
  'typographic quotes',
  'HTML entities',
  'escaped for JSON',
  'escaped for JSON in quotation marks',
  'escaped quotes',
  'escaped newlines',
  'backslashes doubled',
  'no-break spaces',
  'zero-width characters',
  'trailing blanks added',
  'indentation shifted',
  'indentation of the first line lost',
  'spaces for tabs',
  'tabs for spaces',
  'line numbers with a zero before',
  'JSON with the text as a field',
];

/** Whether the edit has another change than the mistake, and a line that it keeps, so that the mistake shows. */
function showsMistake(newText: string, { oldLines, newLines }: Change): boolean {
  const meant = textOf(newLines, '').trim();
  const words = (lines: readonly string[]): readonly string[] =>
    lines.map((line) => line.trim()).filter((line) => /\w/.test(line));
  const [old, fresh] = [words(oldLines), words(newLines)];
  const isChanged = fresh.some((line) => !old.includes(line)) || old.some((line) => !fresh.includes(line));
  const written = new Set(newText.split('\n'));
  const kept = newLines.filter((line) => /\w/.test(line) && oldLines.includes(line));
  const isShown = newText.includes(meant) ? newText.trim() !== meant : kept.some((line) => !written.has(line));
  return isChanged && isShown;
}

/** Mistakes that only the new text has. Nothing may be written as it is; as it is meant is right too. */
export const newTextKinds: readonly Kind[] = [
  ...whitespaceKinds,
  ...blankLineKinds,
  ...wrappingKinds,
  ...characterKinds,
  ...misreadingKinds,
].flatMap(({ name, write }) => {
  const [base, side] = name.split(/, (?=both texts$)/);
  if (side === undefined || base === undefined || !NAMES.includes(base)) return [];
  return [
    {
      name: `${base}, new text only`,
      expects: 'guarded',
      write: (change, random) => {
        const newText = write(change, random)?.[0]?.newText;
        const oldText = textOf(change.oldLines, change.end);
        return newText !== undefined && showsMistake(newText, change) ? [{ oldText, newText }] : undefined;
      },
    } satisfies Kind,
  ];
});
