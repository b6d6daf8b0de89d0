import { isBlank, linesOf, textOf } from '../lineEnds';
import type { TextEdit } from '../textEdit';

const HEADER = /^(?:@@ .*@@.*|@@|diff --git .*|index [0-9a-f]+\.\..*|\*{3} (?:Begin Patch|Update File: .*))$/;
const OLD_FILE = /^--- \S/;
const NEW_FILE = /^\+\+\+ \S/;

/**
 * Without the signs of a diff before the lines: `-` and a blank in the old text, `+` and a blank in the new text; or `>
 * `.
 */
export function withoutDiffSigns({ oldText, newText }: TextEdit): readonly TextEdit[] {
  const old = withoutHeader(linesOf(oldText));
  const fresh = withoutHeader(linesOf(newText));
  return SIGNS.flatMap(({ ofOld, ofNew, needs, isDiff }) => {
    if (!old.lines.some((line) => needs.test(line)) && !old.hadHeader) return [];
    const oldBody = stripped(old.lines, ofOld);
    if (!oldBody) return [];
    const isSigned = fresh.hadHeader || fresh.lines.some((line) => /^[-+>]/.test(line));
    if (!isSigned && !isContext(fresh.lines, old.lines)) return [{ oldText: textOf(oldBody), newText }];
    // A new text that is nothing but a header is text.
    const isHeaderText = fresh.hadHeader && (!isDiff || fresh.lines.length === 0);
    if (isHeaderText) return old.hadHeader ? [] : [{ oldText: textOf(oldBody), newText }];
    const newBody = stripped(fresh.lines, ofNew);
    if (!newBody) return [];
    const edits = [{ oldText: textOf(oldBody), newText: textOf(newBody) }];
    // The signs may be text of the new lines.
    const mayBeText = isDiff
      ? !isSameDiff(old, fresh) ||
        (oldBody.some((line) => /^ ?[-+@]/.test(line)) && !keeps(newBody, oldBody, fresh.lines))
      : oldBody.some((line) => needs.test(line)) && !newBody.some((line) => needs.test(line));
    return mayBeText ? [...edits, { oldText: textOf(oldBody), newText }] : edits;
  });
}

const SIGNS: readonly {
  readonly ofOld: RegExp;
  readonly ofNew: RegExp;
  readonly needs: RegExp;
  /** Only a diff has a header. */
  readonly isDiff: boolean;
}[] = [
  { needs: /^-/, ofOld: /^[- ]/, ofNew: /^[+ ]/, isDiff: true },
  { needs: /^- /, ofOld: /^[- ] /, ofNew: /^[+ ] /, isDiff: true },
  { needs: /^> /, ofOld: /^>(?: |$)/, ofNew: /^>(?: |$)/, isDiff: false },
];

/** Whether a line is the header of a part of a diff. */
export function isDiffHeader(line: string): boolean {
  return HEADER.test(line);
}

interface DiffSide {
  readonly lines: readonly string[];
  readonly hadHeader: boolean;
}

/** Whether two texts can be both sides of one diff: both have its header, or none, and the new one has no other context. */
function isSameDiff(old: DiffSide, fresh: DiffSide): boolean {
  const context = new Set(old.lines.filter((line) => line.startsWith(' ')));
  return (
    (old.hadHeader || !fresh.hadHeader) &&
    fresh.lines.every((line) => isBlank(line) || !line.startsWith(' ') || context.has(line))
  );
}

/** Whether the lines without signs have lines of the old text, and those with signs have none. */
function keeps(lines: readonly string[], oldLines: readonly string[], signed: readonly string[]): boolean {
  const known = new Set(oldLines.filter((line) => !isBlank(line)));
  return lines.some((line) => known.has(line)) && !signed.some((line) => known.has(line));
}

/** The lines with the names of the files are a header only together: `--- text` alone is a removed line. */
function withoutHeader(lines: readonly string[]): DiffSide {
  let count = 0;
  for (;;) {
    if (HEADER.test(lines[count] ?? '')) count++;
    else if (OLD_FILE.test(lines[count] ?? '') && NEW_FILE.test(lines[count + 1] ?? '')) count += 2;
    else return { lines: lines.slice(count), hadHeader: count > 0 };
  }
}

/** Every line without its sign. Blank lines may have lost theirs. `undefined` if another line has none. */
function stripped(lines: readonly string[], sign: RegExp): readonly string[] | undefined {
  const isWhole = lines.every((line) => isBlank(line) || sign.test(line));
  return isWhole ? lines.map((line) => (isBlank(line) ? line.slice(1) : line.replace(sign, ''))) : undefined;
}

/** Whether a new text without `+` is made of the context lines of the old text, with their sign. */
function isContext(lines: readonly string[], oldLines: readonly string[]): boolean {
  const context = new Set(oldLines.filter((line) => line.startsWith(' ')));
  return lines.length > 0 && lines.every((line) => isBlank(line) || context.has(line));
}
