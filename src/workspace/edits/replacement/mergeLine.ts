import { diffRuns } from '../diff/lineDiff';
import { sharedEnds } from '../sharedEnds';
import { toPlain, unitsOf } from '../typography';

/** Three versions of one line: as the model quoted it, as it wants it, and as the file has it. */
export interface LineVersions {
  readonly quoted: string;
  readonly wanted: string;
  readonly actual: string;
}

/**
 * The model's change of a line made on the line as the file has it: what stays comes from the file, what is new from the
 * model, passed through `restore`. `undefined` when a change touches the very place that was misquoted.
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
      if (!keep(oldStart, oldEnd)) return undefined;
      continue;
    }
    let inserted = wanted.slice(newStart, newEnd);
    let tail = 0;
    if (!isEqualInPlain) {
      // A word with a wrong letter that becomes another word still has that letter right in the file.
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

/** The words of a quoted line that are not in the file's line: if the model uses them elsewhere, they are wrong there too. */
export function misquotedWords(quoted: string, actual: string): readonly string[] {
  const known = new Set(actual.match(WORD));
  return [...new Set(quoted.match(WORD))].filter((word) => !known.has(word));
}

/** Those words, and the letters around the mistake: another new word may have it too. */
export function misquotedPieces(quoted: string, actual: string): readonly string[] {
  const { head, tail } = sharedEnds(quoted, actual);
  const before = /\w{0,3}$/.exec(quoted.slice(0, head))?.[0] ?? '';
  const after = /^\w{0,3}/.exec(quoted.slice(quoted.length - tail))?.[0] ?? '';
  const piece = before + quoted.slice(head, quoted.length - tail) + after;
  const words = misquotedWords(quoted, actual);
  return piece.length >= 3 && !actual.includes(piece) ? [...words, piece] : words;
}

/** Whether the model got right in the new line what it got wrong in the quote. */
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

/** Both have the same units, each written in its own way. */
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

/** The stretch of the quoted line in which the two differ; empty where the model left something out. */
interface Mistake {
  readonly start: number;
  readonly end: number;
}

function findMistake(quoted: string, actual: string): Mistake {
  const { head, tail } = sharedEnds(quoted, actual);
  return { start: head, end: quoted.length - tail };
}

/** No offset corresponds to one within the mistake. */
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

/** The offset before every token, and the one behind the last. */
function edgesOf(tokens: readonly string[]): readonly number[] {
  const edges = [0];
  for (const token of tokens) edges.push((edges.at(-1) ?? 0) + token.length);
  return edges;
}
