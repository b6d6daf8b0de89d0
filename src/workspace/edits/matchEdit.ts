import type { FileLines } from './fileLines';
import { matchBlankLines } from './rungs/blankLines';
import { matchExact, matchLineEnds } from './rungs/exact';
import { matchIndentation } from './rungs/indentation';
import { matchNear } from './rungs/nearMatch';
import type { Replacement, RungResult, TextEdit } from './rungs/rung';
import { matchTrailingSpace } from './rungs/trailingSpace';
import { matchTypography } from './rungs/typography';
import { matchWrapping } from './rungs/wrapping';

export type { TextEdit } from './rungs/rung';

/** The way in which a quote was found in the file, from strict to tolerant. */
export type MatchKind = (typeof LADDER)[number]['name'];

export type Match =
  | { readonly kind: 'found'; readonly match: MatchKind; readonly replacement: Replacement }
  | Exclude<RungResult, { readonly kind: 'found' }>;

/**
 * Finds the one place that an edit means. Tries the rungs from strict to tolerant; the first rung that finds a place decides.
 * Several places are ambiguous. The replacement changes only what the model changed and keeps the file's other bytes.
 * `oldText` must not be empty. `strictOnly`: only quotes without mistakes.
 */
export function matchEdit(file: FileLines, edit: TextEdit, options: { readonly strictOnly?: boolean } = {}): Match {
  for (const { name, match } of options.strictOnly ? LADDER.slice(0, STRICT_RUNGS) : LADDER) {
    const result = match(file, edit);
    if (result.kind === 'found') return { ...result, match: name };
    if (result.kind !== 'none') return result;
  }
  return { kind: 'none' };
}

const LADDER = [
  { name: 'exact', match: matchExact },
  { name: 'line_ends', match: matchLineEnds },
  { name: 'trailing_space', match: matchTrailingSpace },
  { name: 'typography', match: matchTypography },
  { name: 'wrapping', match: matchWrapping },
  { name: 'indentation', match: matchIndentation },
  { name: 'blank_lines', match: matchBlankLines },
  { name: 'near', match: (file: FileLines, edit: TextEdit) => matchNear(file, edit) },
] as const;

const STRICT_RUNGS = 2;

/** The more tolerant of two kinds. */
export function looserMatch(a: MatchKind, b: MatchKind): MatchKind {
  const rank = (kind: MatchKind): number => LADDER.findIndex(({ name }) => name === kind);
  return rank(a) >= rank(b) ? a : b;
}
