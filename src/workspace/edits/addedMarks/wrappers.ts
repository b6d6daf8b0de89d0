import type { FileLines } from '../fileLines';
import { isBlank, linesOf, textOf, trimBlankEnds } from '../lineEnds';
import type { TextEdit } from '../textEdit';
import { isDiffHeader } from '../unwrapping/diffSigns';
import { markerKindOf } from '../unwrapping/markers';
import { innerOf, withoutTags } from '../unwrapping/tags';
import { hasAddedFence } from './fences';
import { isInQuotationMarks } from './quotationMarks';
import { isSameText } from './sameText';

/** Words for marks around the new text, or at one of its ends, if the old text has none. */
export function wrapperOf(file: FileLines, edit: TextEdit): string | undefined {
  const { oldText, newText } = edit;
  const [old, fresh] = [linesOf(oldText), trimBlankEnds(linesOf(newText))];
  if (hasAddedFence(file, old, fresh)) return 'a code fence';
  const [tagged] = withoutTags({ oldText: newText, newText: oldText });
  if (tagged?.newText === oldText && !isSameText(tagged.oldText, oldText)) return 'a tag around it';
  if (isInOwnTag(file, edit) || isBeforeIndentation(edit)) return 'a tag around it';
  const isTagged = isInUnknownTag(fresh) && !isInUnknownTag(trimBlankEnds(old));
  if (isTagged && !file.text.includes('</') && !isSameText(textOf(fresh.slice(1, -1)), oldText))
    return 'a tag around it';
  if (isJsonField(newText) && (!/^\s*\{(?![{%])/.test(oldText) || hasOwnField(file, newText))) return 'JSON around it';
  if (/\\n(?:\s*|"? *)$/.test(newText) && oldText.endsWith('\n') && !/\\n"?\s*$/.test(oldText))
    return 'an escaped line end';
  if (/^(?:\s*\\n[ \t]|[ \t]*["'`]\\n)/.test(newText) && oldText.startsWith('\n')) return 'an escaped line end';
  if (beginsEscaped(file, edit)) return 'an escaped line end';
  if (isInQuotationMarks(file, edit)) return 'quotation marks around it';
  const isKnown = [...old, file.contentOf(0)].some(isDiffHeader);
  if (isDiffHeader(fresh[0] ?? '') && (!isKnown || isPartOfDiff(old, fresh))) return 'the header of a diff';
  if (SPECIAL_TOKEN.test(newText) && !SPECIAL_TOKEN.test(file.text)) return 'a special token';
  return hasEndMarker(old, fresh) ? 'a mark of a search and replace block' : undefined;
}

/** Whether only the new text begins with an escaped line end. A file without such lines has no commands that begin so. */
function beginsEscaped(file: FileLines, { oldText, newText }: TextEdit): boolean {
  const isOne = newText.startsWith('\\n') && !/\n(?!$)/.test(newText);
  return isOne && !oldText.includes('\\n') && !/^[ \t]*\\/m.test(file.text);
}

/** Whether the new text is a part of a diff with nothing but added lines, where the old text has no lines of such a part. */
function isPartOfDiff(old: readonly string[], fresh: readonly string[]): boolean {
  const [head = '', ...lines] = fresh;
  const hasPart = old.some((line) => /^@@|^\+(?!\+\+ )/.test(line));
  const isPart = lines.length > 0 && lines.every((line) => line.startsWith('+')) && !hasPart;
  // A header with a sign is a line of a diff of diffs.
  return head.startsWith('@@') && (isPart || lines.some((line) => /^[-+ ]@@ /.test(line)));
}

/** The start of a tag that models write around the texts of an edit. */
const OWN_TAG =
  /^\s*(<(?:!\[CDATA\[|(?:(?:old|new)_?(?:text|str|string|code|content)|search|replace(?:ment)?|original|updated|snippet)\b))/i;

/** Whether only the new text stands in such a tag. The old text may begin or end with another one. */
function isInOwnTag(file: FileLines, { oldText, newText }: TextEdit): boolean {
  const opening = OWN_TAG.exec(newText)?.[1];
  if (opening === undefined || hasAtStart(file, opening) || innerOf(oldText) !== undefined) return false;
  const inner = innerOf(newText);
  return inner !== undefined && !isSameText(inner, oldText);
}

/** Whether a tag around the new text stands before the indentation of its first line, as nobody writes it. */
function isBeforeIndentation({ oldText, newText }: TextEdit): boolean {
  const indentation = /^[ \t]+(?=\S)/.exec(oldText)?.[0];
  const inner = innerOf(newText);
  return (
    indentation !== undefined &&
    newText.startsWith('<') &&
    inner?.replace(/^[ \t]*\n/, '').startsWith(indentation) === true &&
    !isSameText(inner, oldText)
  );
}

/** Whether the file has such a start of a tag where one may stand: at the start of a line, or behind another tag. */
function hasAtStart(file: FileLines, opening: string): boolean {
  return new RegExp(`(?:^|>)[ \\t]*${opening.replaceAll('[', '\\[')}`, 'm').test(file.text);
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

/** Whether the field has a name that only tools have. */
function hasOwnField(file: FileLines, text: string): boolean {
  const name = /^\s*\{\s*("new_?(?:text|str|string)")/i.exec(text)?.[1];
  return name !== undefined && !file.text.includes(name);
}

function hasEndMarker(old: readonly string[], fresh: readonly string[]): boolean {
  const [first, last] = [fresh[0], fresh.at(-1)].map((line) => markerKindOf(line ?? ''));
  const kinds = new Set(old.map(markerKindOf));
  if (kinds.has('start') || kinds.has('end')) {
    // A whole conflict ends with the name of a version. Its marks are text.
    const isWhole = old.some((line) => /^>{5,9}/.test(line));
    const isLone = fresh.filter((line) => markerKindOf(line) !== undefined).length === 1;
    return isWhole && isLone && last === 'end' && !old.includes(fresh.at(-1) ?? '');
  }
  // A whole conflict is text, unless its first part is the quote.
  if (first === 'start' && last === 'end') {
    const middle = fresh.findIndex((line) => markerKindOf(line) === 'middle');
    const isBlock = /SEARCH|ORIGINAL/i.test(fresh[0] ?? '');
    return middle !== -1 && (isBlock || isSameText(textOf(fresh.slice(1, middle)), textOf(old)));
  }
  if (last === 'end' || first === 'start') return true;
  // A row of equals signs may also be a line of a heading.
  return (
    first === 'middle' &&
    !kinds.has('middle') &&
    fresh.filter((line) => !isBlank(line) && markerKindOf(line) === 'middle').length === 1
  );
}
