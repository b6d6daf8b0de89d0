import { diffRuns } from '../diff/lineDiff';
import { sharedEnds } from '../sharedEnds';
import { toPlain, unitsOf } from '../typography';

/** Three versions of a line: quoted by the model, wanted by the model, and actual in the file. */
export interface LineVersions {
  readonly quoted: string;
  readonly wanted: string;
  readonly actual: string;
}

/**
 * Applies the model's change of a line to the actual line. Unchanged parts come from the file. New parts come from the model
 * and pass through `restore`. `undefined` if the change touches the misquoted place.
 */
export function mergeLine(
  { quoted, wanted, actual }: LineVersions,
  restore: (text: string) => string | undefined,
): string | undefined {
  if (wanted === quoted) return actual;
  const isEqualInPlain = toPlain(quoted) === toPlain(actual);
  if (!isEqualInPlain && isWrittenRight({ quoted, wanted, actual })) return restore(wanted);
  const mistake = isEqualInPlain ? undefined : findMistake(quoted, actual);
  const offsets = mistake ? offsetsAround(mistake, quoted, actual) : offsetsByUnit(quoted, actual);
  const quotedTokens = tokensOf(quoted);
  const wantedTokens = tokensOf(wanted);
  const quotedEdges = edgesOf(quotedTokens);
  const wantedEdges = edgesOf(wantedTokens);
  let merged = '';
  const keep = (start: number, end: number): boolean => {
    if (start === end) return true;
    const [from, to] = [offsets(start), offsets(end)];
    if (from === undefined || to === undefined) return false;
    merged += actual.slice(from, to);
    return true;
  };
  for (const run of diffRuns(quotedTokens, wantedTokens)) {
    let [oldStart, oldEnd] = [quotedEdges[run.oldStart] ?? 0, quotedEdges[run.oldEnd] ?? 0];
    const [newStart, newEnd] = [wantedEdges[run.newStart] ?? 0, wantedEdges[run.newEnd] ?? 0];
    if (run.isEqual) {
      // Blanks alone that the quote has wrongly may be others of the line.
      const blanks = quoted.slice(oldStart, oldEnd);
      const isLone = blanks.trim() === '' && oldStart > 0 && oldEnd < quoted.length;
      if (isLone && isEqualInPlain && actual.slice(offsets(oldStart), offsets(oldEnd)) !== blanks) return undefined;
      if (!keep(oldStart, oldEnd)) return undefined;
      continue;
    }
    let inserted = wanted.slice(newStart, newEnd);
    let tail = 0;
    if (!isEqualInPlain) {
      // If a misquoted word is replaced by another word, its letters in the file are still correct.
      const ends = sharedEnds(quoted.slice(oldStart, oldEnd), inserted);
      const { head } = ends;
      tail = ends.tail;
      if (!keep(oldStart, oldStart + head)) return undefined;
      inserted = inserted.slice(head, inserted.length - tail);
      oldStart += head;
      oldEnd -= tail;
      if (mistake && oldStart <= mistake.end && oldEnd >= mistake.start) return undefined;
    }
    const restored = restore(inserted);
    if (restored === undefined) return undefined;
    merged += restored;
    if (!keep(oldEnd, oldEnd + tail)) return undefined;
  }
  return merged;
}

/** The words of a quoted line that the file's line does not have. Elsewhere in the new text they are wrong too. */
export function misquotedWords(quoted: string, actual: string): readonly string[] {
  const known = new Set(actual.match(WORD));
  return [...new Set(quoted.match(WORD))].filter((word) => !known.has(word));
}

/** These words, and the letters around the mistake, which another new word may also have. */
export function misquotedPieces(quoted: string, actual: string): readonly string[] {
  const { head, tail } = sharedEnds(quoted, actual);
  const before = /\w{0,3}$/.exec(quoted.slice(0, head))?.[0] ?? '';
  const after = /^\w{0,3}/.exec(quoted.slice(quoted.length - tail))?.[0] ?? '';
  const piece = before + quoted.slice(head, quoted.length - tail) + after;
  const words = misquotedWords(quoted, actual);
  return piece.length >= 3 && !actual.includes(piece) ? [...words, piece] : words;
}

/** Whether the model made the mistake only in the quote, not in the new line. */
function isWrittenRight(versions: LineVersions): boolean {
  const [quoted, wanted, actual] = [versions.quoted, versions.wanted, versions.actual].map(toPlain) as [
    string,
    string,
    string,
  ];
  const wrong = misquotedWords(quoted, actual);
  const right = misquotedWords(actual, quoted);
  const isFree = wrong.every((word) => !wanted.includes(word) || right.some((other) => other.includes(word)));
  return wrong.length > 0 && isFree && right.length > 0 && right.every((word) => wanted.includes(word));
}

const WORD = /[\p{L}\p{N}_$]+/gu;

type Offsets = (offset: number) => number | undefined;

/** Both lines have the same units, written differently. */
function offsetsByUnit(quoted: string, actual: string): Offsets {
  if (quoted === actual) return (offset) => offset;
  const map = new Map<number, number>([[0, 0]]);
  const actualUnits = unitsOf(actual);
  let [from, to] = [0, 0];
  for (const [index, { raw }] of unitsOf(quoted).entries()) {
    from += raw.length;
    to += actualUnits[index]?.raw.length ?? 0;
    map.set(from, to);
  }
  return (offset) => map.get(offset);
}

/** The range of the quoted line that differs; empty if the model left something out. Of equal letters in a row any may be wrong. */
interface Mistake {
  readonly start: number;
  readonly end: number;
}

function findMistake(quoted: string, actual: string): Mistake {
  const { head, tail } = sharedEnds(quoted, actual);
  const most = Math.min(quoted.length, actual.length);
  let longest = tail;
  while (longest < most && quoted.at(-1 - longest) === actual.at(-1 - longest)) longest++;
  return { start: Math.min(head, most - longest), end: quoted.length - tail };
}

/** Offsets within the mistake have no counterpart. */
function offsetsAround({ start, end }: Mistake, quoted: string, actual: string): Offsets {
  return (offset) => {
    if (offset < start || (offset === start && start < end)) return offset;
    if (offset > end || (offset === end && start < end)) return offset + actual.length - quoted.length;
    if (offset === 0) return 0;
    return offset === quoted.length ? actual.length : undefined;
  };
}

function tokensOf(text: string): readonly string[] {
  return text.match(/&(?:[a-zA-Z]{2,4}|#\d{2,3}|#x[\da-fA-F]{2});|\\["']|[\p{L}\p{N}_]+|\s+|[^]/gu) ?? [];
}

/** The offset before each token, and the offset after the last. */
function edgesOf(tokens: readonly string[]): readonly number[] {
  const edges = [0];
  for (const token of tokens) edges.push((edges.at(-1) ?? 0) + token.length);
  return edges;
}
