import type { FileLines } from '../fileLines';
import { isBlank, linesOf, textOf, trimBlankEnds } from '../lineEnds';
import type { TextEdit } from '../textEdit';
import { isDiffHeader } from '../unwrapping/diffSigns';
import { isFenceLine } from '../unwrapping/fence';
import { markerKindOf } from '../unwrapping/markers';
import { withoutTags } from '../unwrapping/tags';
import { isSameText } from './sameText';

/** Words for marks around the new text, or at one of its ends, if the old text has none. */
export function wrapperOf(file: FileLines, { oldText, newText }: TextEdit): string | undefined {
  const [old, fresh] = [linesOf(oldText), trimBlankEnds(linesOf(newText))];
  if (hasFence(old, fresh)) return 'a code fence';
  const [tagged] = withoutTags({ oldText: newText, newText: oldText });
  if (tagged?.newText === oldText && !isSameText(tagged.oldText, oldText)) return 'a tag around it';
  const isTagged = isInUnknownTag(fresh) && !isInUnknownTag(trimBlankEnds(old));
  if (isTagged && !file.text.includes('</') && !isSameText(textOf(fresh.slice(1, -1)), oldText))
    return 'a tag around it';
  if (isJsonField(newText) && !oldText.trimStart().startsWith('{')) return 'JSON around it';
  if (isQuoted(file, newText, oldText)) return 'quotation marks around it';
  if (/\\n(?:\s*|"? *)$/.test(newText) && oldText.endsWith('\n') && !/\\n"?\s*$/.test(oldText))
    return 'an escaped line end';
  if (isDiffHeader(fresh[0] ?? '') && ![...old, file.contentOf(0)].some(isDiffHeader)) return 'the header of a diff';
  if (SPECIAL_TOKEN.test(newText) && !SPECIAL_TOKEN.test(file.text)) return 'a special token';
  return hasEndMarker(old, fresh) ? 'a mark of a search and replace block' : undefined;
}

/** A fence around the whole new text or kept lines of it, or one at its first or last line that belongs to no other. */
function hasFence(old: readonly string[], fresh: readonly string[]): boolean {
  const [fences, known] = [fresh, old].map((lines) => lines.filter(isFenceLine)) as [string[], string[]];
  const isAtEnd = isFenceLine(fresh[0] ?? '') || isFenceLine(fresh.at(-1) ?? '');
  if (known.length === 0 && fences.length % 2 === 1) return isAtEnd;
  if (known.length === 0 && fences.length === 2) {
    const [from, to] = [fresh.findIndex(isFenceLine), fresh.findLastIndex(isFenceLine)];
    const keepsInside = fresh.slice(from + 1, to).some((line) => !isBlank(line) && old.includes(line));
    const isWhole = from === 0 && to === fresh.length - 1;
    const isChanged = !isSameText(textOf(fresh.filter((line) => !isFenceLine(line))), textOf(old));
    return isChanged && (keepsInside || isWhole);
  }
  const isAround = isFenceLine(fresh[0] ?? '') && fresh.at(-1)?.trim() === markOf(fresh[0] ?? '');
  // Fences come in pairs: with another parity, the lines of the old text are none, or their partners would be left.
  const isUneven = (fences.length - known.length) % 2 !== 0;
  // The fence of the old text may get another language, but not where text is around it.
  const isOther = !isFenceLine(trimBlankEnds(old)[0] ?? '') && !known.some((line) => line.trim() === fresh[0]?.trim());
  const isMore = fences.length > known.length && fences.slice(1, -1).join('\n') === known.join('\n');
  const isAdded = isUneven || isOther || isMore;
  return isAround && isAdded && !isSameText(textOf(fresh.slice(1, -1)), textOf(old));
}

function markOf(fence: string): string {
  return /`+|~+/.exec(fence)?.[0] ?? '';
}

/** Whether the first and the last line are a tag of any name. In a file with markup it is text. */
function isInUnknownTag(lines: readonly string[]): boolean {
  const name = /^<(\w+)(?: [^<>]*)?>$/.exec(lines[0] ?? '')?.[1];
  return name !== undefined && lines.at(-1) === `</${name}>`;
}

/** A mark with which chat templates end a text. */
const SPECIAL_TOKEN = /<\|\w+\|>\s*$/;

/** Whether a text is a JSON object with the new text in its only field. */
function isJsonField(text: string): boolean {
  return /^\s*\{\s*"(?:new_?(?:text|str|string)|replace(?:ment)?|content|code|text)"\s*:\s*"(?:[^"\\]|\\.)*"\s*\}\s*$/i.test(
    text,
  );
}

/**
 * Whether a quotation mark before the first line belongs to the one after the last. In a file that
 * has three of them elsewhere, or in the place of a comment, three around new lines only are a description.
 */
function isQuoted(file: FileLines, text: string, oldText: string): boolean {
  const [lines, old] = [text.trimEnd().split('\n'), linesOf(oldText)];
  const mark = /^(?:"{3}|'{3}|"(?!")|'(?!')|`(?!`))/.exec(text)?.[0];
  if (mark === undefined || oldText.startsWith(mark.charAt(0)) || !text.trimEnd().endsWith(mark)) return false;
  if (isSameText(text.trim().slice(mark.length, -mark.length), oldText)) return false;
  // A file of one value, such as a version, has no quotation marks around it.
  if (lines.length < 2) return isOneLine(file);
  const isForComment = old.every(isBlankOrComment) && !isComment(lines[0]?.slice(mark.length) ?? '');
  const isDescription = mark.length === 3 && (file.text.includes(mark) || isForComment);
  if (isDescription && !lines.some((line) => !isBlank(line) && old.includes(line))) return false;
  if (mark.length === 1) {
    // In some languages a mark begins comments.
    const beginsLines = file.text.startsWith(mark) || file.text.includes(`\n${mark}`);
    if (beginsLines && lines.every((line) => line.startsWith(mark))) return false;
    // A mark alone in a line, as no line of the file has it.
    if (lines.at(-1)?.trim() === mark && !file.text.includes(`\n${mark}\n`)) return true;
  }
  return [lines[0], lines.at(-1)].every((line) => (line?.split(mark).length ?? 0) % 2 === 0);
}

/** Whether the file has one line and nothing else. */
export function isOneLine(file: FileLines): boolean {
  return !isBlank(file.contentOf(0)) && !file.text.trimEnd().includes('\n');
}

function isBlankOrComment(line: string): boolean {
  return isBlank(line) || isComment(line);
}

function isComment(line: string): boolean {
  return /^\s*(?:#|\/[/*]|\*|--)/.test(line);
}

function hasEndMarker(old: readonly string[], fresh: readonly string[]): boolean {
  if (old.some((line) => markerKindOf(line) !== undefined)) return false;
  const [first, last] = [fresh[0], fresh.at(-1)].map((line) => markerKindOf(line ?? ''));
  // A whole conflict is text, unless its first part is the quote.
  if (first === 'start' && last === 'end') {
    const middle = fresh.findIndex((line) => markerKindOf(line) === 'middle');
    const isBlock = /SEARCH|ORIGINAL/i.test(fresh[0] ?? '');
    return middle !== -1 && (isBlock || isSameText(textOf(fresh.slice(1, middle)), textOf(old)));
  }
  if (last === 'end' || first === 'start') return true;
  // A row of equals signs may also be a line of a heading.
  return first === 'middle' && fresh.filter((line) => !isBlank(line) && markerKindOf(line) === 'middle').length === 1;
}
