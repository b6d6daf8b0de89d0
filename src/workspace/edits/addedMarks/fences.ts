import { WHOLE_LINE, type FileLines } from '../fileLines';
import { isBlank, textOf, trimBlankEnds } from '../lineEnds';
import { isFenceLine } from '../unwrapping/fence';
import { isSameText } from './sameText';

/**
 * Whether the new text alone has a code fence around it, or around a part of it that it keeps. `fresh` are its lines without blank
 * ones at the ends.
 */
export function hasAddedFence(file: FileLines, old: readonly string[], fresh: readonly string[]): boolean {
  return hasFence(old, fresh) || leavesFenceOpen(file, old, fresh);
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
  if (!isFenced(fresh) || isSameText(textOf(fresh.slice(1, -1)), textOf(old))) return false;
  // Fences come in pairs: with another parity, the lines of the old text are none, or their partners would be left.
  const isUneven = (fences.length - known.length) % 2 !== 0;
  // The fence of the old text may get another language, but not where text is around it.
  const inner = fences.slice(1, -1);
  const beginsInFence = isFenceLine(trimBlankEnds(old)[0] ?? '');
  // Around other fences, one at another depth is another fence.
  const fenceOf = (line: string): string => (inner.length > 0 ? line.trimEnd() : line.trim());
  const isOther = !beginsInFence && !known.some((line) => fenceOf(line) === fenceOf(fresh[0] ?? ''));
  // The last fence within it closes a block, unless the old text has only a part of one.
  const isPaired = known.length % 2 === 1 || inner.at(-1)?.trim() === markOf(inner.at(-1) ?? '');
  const isMore =
    fences.length > known.length &&
    (inner.join('\n') === known.join('\n') || (inner.length === known.length && !beginsInFence && isPaired));
  const mark = markOf(fresh[0] ?? '');
  // A fence without a language begins no block that begins with another fence.
  const [outer, next] = fences;
  const isNested = [known[0], next].every(hasLanguage) && !hasLanguage(outer);
  const isOtherMark = inner.every((line) => markOf(line) !== mark) && !known.map(markOf).includes(mark);
  return isUneven || isOther || isMore || isNested || isOtherMark;
}

/** Whether the first line is a fence, and the last one its end. */
function isFenced(lines: readonly string[]): boolean {
  const first = lines[0] ?? '';
  return isFenceLine(first) && lines.at(-1)?.trim() === markOf(first);
}

/** Whether fences around the new text leave a block open or closed that the old text leaves otherwise. */
function leavesFenceOpen(file: FileLines, old: readonly string[], fresh: readonly string[]): boolean {
  if (!isFenced(fresh) || !old.some(isFenceLine)) return false;
  const [firstLine] = file.find(old, WHOLE_LINE);
  if (firstLine === undefined) return false;
  const before = Array.from({ length: firstLine }, (_, line) => file.contentOf(line));
  const open = openFence(before, '');
  return (openFence(old, open) === '') !== (openFence(fresh, open) === '');
}

/** The mark of the fence that is open behind some lines; empty for none. */
function openFence(lines: readonly string[], openBefore: string): string {
  let open = openBefore;
  for (const line of lines) {
    if (!isFenceLine(line)) continue;
    const mark = markOf(line);
    if (open === '') open = mark;
    else if (mark.startsWith(open) && !hasLanguage(line)) open = '';
  }
  return open;
}

function hasLanguage(fence = ''): boolean {
  return /\w/.test(fence);
}

function markOf(fence: string): string {
  return /`+|~+/.exec(fence)?.[0] ?? '';
}
