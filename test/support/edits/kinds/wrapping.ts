import { eachLine, isBlank, lineKinds, pick, textKinds, textOf, type Kind } from './kind';

/** How models and tools write the number before a line. */
export const numberings: readonly ((number: number, line: string) => string)[] = [
  (number, line) => `${number}: ${line}`,
  (number, line) => `${number}| ${line}`,
  (number, line) => `${number}|${line}`,
  (number, line) => `${String(number).padStart(5)}\t${line}`,
  (number, line) => `${String(number).padStart(6)}→${line}`,
  (number, line) => `${String(number).padStart(4)} | ${line}`,
];

const allNumberings = [...numberings, (number: number, line: string) => `L${number}: ${line}`];

const TAGS = ['old_text', 'search', 'code', 'original', 'text', 'old_str', 'find', 'content'];
const NEW_TAGS = ['new_text', 'replace', 'code', 'updated', 'text', 'new_str', 'replace', 'content'];

function finished(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Marks that the model wrote around the texts or before their lines. */
export const wrappingKinds: readonly Kind[] = [
  ...textKinds('code fence', (random) => {
    const language = pick(['', 'ts', 'python', 'c++', 'diff'], random);
    const fence = pick(['```', '```', '~~~', '````'], random);
    const end = pick(['', '\n'], random);
    return (text) => `${fence}${language}\n${finished(text)}${fence}${end}`;
  }),
  ...lineKinds('line numbers', (random, { firstLine }) => {
    const numbering = pick(allNumberings, random);
    return (line, index) => numbering(firstLine + 1 + index, line);
  }),
  ...textKinds('tags', (random, { oldLines, newLines }) => {
    const at = Math.floor(random() * TAGS.length);
    // A blank line directly after a tag looks like the end of the tag's line.
    const gap = isBlank(oldLines[0] ?? '') || isBlank(newLines[0] ?? '') ? '\n' : pick(['\n', ''], random);
    return (text, role) => {
      const tag = (role === 'old' ? TAGS : NEW_TAGS)[at] as string;
      return `<${tag}>${gap}${gap === '' ? text : finished(text)}</${tag}>`;
    };
  }),
  ...textKinds('CDATA', (random, { oldLines, newLines }) => {
    const gap = isBlank(oldLines[0] ?? '') || isBlank(newLines[0] ?? '') ? '\n' : pick(['\n', ''], random);
    return (text) => `<![CDATA[${gap}${gap === '' ? text : finished(text)}]]>`;
  }),
  ...textKinds('tags and CDATA', (_random, { oldLines, newLines }) =>
    isBlank(oldLines[0] ?? '') || isBlank(newLines[0] ?? '')
      ? undefined
      : (text, role) => `<${role}_text><![CDATA[${text}]]></${role}_text>`,
  ),
  ...textKinds('search and replace markers', (random) => {
    const style = Math.floor(random() * 4);
    return (text, role) => {
      const body = finished(text);
      const isOld = role === 'old';
      if (style === 0) return isOld ? `<<<<<<< SEARCH\n${body}=======` : `=======\n${body}>>>>>>> REPLACE`;
      if (style === 1) return isOld ? `<<<<<<< SEARCH\n${body}` : `${body}>>>>>>> REPLACE`;
      if (style === 2) return isOld ? `------- SEARCH\n${body}=======\n` : `=======\n${body}+++++++ REPLACE\n`;
      return isOld ? `<<<<<<< SEARCH\n${body}=======\n` : body;
    };
  }),
  {
    name: 'one whole search and replace block as old text',
    expects: 'applied',
    write: ({ oldLines, newLines, end }) => [
      {
        oldText: `<<<<<<< SEARCH\n${textOf(oldLines, '\n')}=======\n${textOf(newLines, '\n')}>>>>>>> REPLACE${end}`,
        newText: textOf(newLines, end),
      },
    ],
  },
  ...textKinds('diff signs before all lines', (random) => {
    const gap = pick(['', '', ' '], random);
    return (text, role) => eachLine(text, (line) => (role === 'old' ? '-' : '+') + gap + line);
  }),
  ...[true, false].map((isBoth): Kind => ({
    name: `unified diff, ${isBoth ? 'both texts' : 'old text only'}`,
    expects: 'applied',
    write: ({ oldLines, newLines, firstLine, end }, random) => {
      let head = 0;
      while (head < Math.min(oldLines.length, newLines.length) && oldLines[head] === newLines[head]) head++;
      let tail = 0;
      while (
        tail < Math.min(oldLines.length, newLines.length) - head &&
        oldLines.at(-1 - tail) === newLines.at(-1 - tail)
      )
        tail++;
      const header =
        random() < 0.3 ? `@@ -${firstLine + 1},${oldLines.length} +${firstLine + 1},${newLines.length} @@\n` : '';
      const mark = (lines: readonly string[], sign: string): string =>
        header +
        textOf(
          lines.map((line, index) => (index < head || index >= lines.length - tail ? ` ${line}` : sign + line)),
          end,
        );
      if (oldLines.length === head + tail && header === '') return undefined;
      return [{ oldText: mark(oldLines, '-'), newText: isBoth ? mark(newLines, '+') : textOf(newLines, end) }];
    },
  })),
  ...textKinds('quotation marks around the text', (random) => {
    const mark = pick(['"', "'", '`', '"""'], random);
    return (text) => (text.startsWith(mark) || text.endsWith(mark) ? undefined : `${mark}${text}${mark}`);
  }),
  ...lineKinds('quote signs of a mail', () => (line) => `> ${line}`),
];
