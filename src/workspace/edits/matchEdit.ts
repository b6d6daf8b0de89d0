import type { FileLines } from './fileLines';
import { BYTE_ORDER_MARK, hasLoneReturn } from './lineEnds';
import { matchBlankLines } from './matchers/blankLines';
import { matchExact, matchLineEnds } from './matchers/exact';
import { matchIndentation } from './matchers/indentation';
import { matchMissingLine } from './matchers/missingLine';
import { matchNear } from './matchers/nearMatch';
import type { Replacement, MatchResult } from './matchers/matcher';
import type { MatchKind } from './matchKind';
import type { TextEdit } from './textEdit';
import { matchTrailingSpace } from './matchers/trailingSpace';
import { matchTypography } from './matchers/typography';
import { matchWrapping } from './matchers/wrapping';

export type { TextEdit } from './textEdit';

export type Match =
  | { readonly kind: 'found'; readonly match: MatchKind; readonly replacement: Replacement }
  | Exclude<MatchResult, { readonly kind: 'found' }>;

/**
 * Finds the one place that an edit means. Tries the matchers from strict to tolerant; the first matcher that finds a
 * place decides. Several places are ambiguous. The replacement changes only what the model changed and keeps the file's
 * other bytes. `oldText` must not be empty. `strictOnly`: only quotes without mistakes.
 */
export function matchEdit(file: FileLines, edit: TextEdit, options: { readonly strictOnly?: boolean } = {}): Match {
  for (const { name, match } of options.strictOnly ? MATCHERS.slice(0, STRICT_MATCHERS) : MATCHERS) {
    const result = match(file, edit);
    if (result.kind === 'found') {
      const isLiteral = name === 'exact' || name === 'line_ends';
      const { start, end } = result.replacement;
      const isUnclear =
        addsByteOrderMark(file, edit) ||
        changesOnlyReturns(file, result.replacement) ||
        hasLoneReturn(file.text.slice(start, end) + result.replacement.text);
      return !isLiteral && isUnclear ? unclearAt(file, result.replacement) : { ...result, match: name };
    }
    if (result.kind !== 'none') return result;
  }
  return { kind: 'none' };
}

/** Whether only the new text has a byte order mark. A quote with a mistake does not show if it is meant. */
function addsByteOrderMark(file: FileLines, { oldText, newText }: TextEdit): boolean {
  return [file.text, oldText].every((text) => !text.includes(BYTE_ORDER_MARK)) && newText.includes(BYTE_ORDER_MARK);
}

/** Whether nothing but returns would be lost or added. A quote with a mistake does not show if that is meant. */
function changesOnlyReturns(file: FileLines, { start, end, text }: Replacement): boolean {
  const old = file.text.slice(start, end);
  return old !== text && old.replaceAll('\r', '') === text.replaceAll('\r', '');
}

function unclearAt(file: FileLines, { start, end }: Replacement): Match {
  const firstLine = file.lineAt(start);
  return { kind: 'unclear', firstLine, lastLine: Math.max(firstLine, file.lineAt(Math.max(0, end - 1))) };
}

const MATCHERS = [
  { name: 'exact', match: matchExact },
  { name: 'line_ends', match: matchLineEnds },
  { name: 'trailing_space', match: matchTrailingSpace },
  { name: 'typography', match: matchTypography },
  { name: 'indentation', match: matchIndentation },
  { name: 'blank_lines', match: matchBlankLines },
  { name: 'wrapping', match: matchWrapping },
  { name: 'missing_line', match: (file: FileLines, edit: TextEdit) => matchMissingLine(file, edit) },
  { name: 'near', match: (file: FileLines, edit: TextEdit) => matchNear(file, edit) },
] as const satisfies readonly { readonly name: MatchKind; readonly match: unknown }[];

const STRICT_MATCHERS = 2;

/** The more tolerant of two kinds. */
export function looserMatch(a: MatchKind, b: MatchKind): MatchKind {
  const rank = (kind: MatchKind): number => MATCHERS.findIndex(({ name }) => name === kind);
  return rank(a) >= rank(b) ? a : b;
}
