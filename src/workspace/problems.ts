import type { Problem } from './ports';

const MAX_PROBLEMS = 10;
const MAX_MESSAGE = 240;

/**
 * The problems of `after` that are new, errors first, then by line. Problems are compared by message, not by line, because
 * edits move lines. If a message occurs more often than before, the additional ones are new.
 */
export function newProblems(before: readonly Problem[], after: readonly Problem[]): readonly Problem[] {
  const known = new Counts();
  const knownLines = new Counts();
  for (const problem of before) {
    known.add(keyOf(problem));
    knownLines.add(keyAndLine(problem));
  }
  // Problems at their old line are matched first: they are surely old.
  const moved = after.filter((problem) => {
    const isAtOldLine = knownLines.take(keyAndLine(problem));
    if (isAtOldLine) known.take(keyOf(problem));
    return !isAtOldLine;
  });
  return sortProblems(moved.filter((problem) => !known.take(keyOf(problem))));
}

class Counts {
  readonly #counts = new Map<string, number>();

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Whether there was one more. */
  take(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count > 0) this.#counts.set(key, count - 1);
    return count > 0;
  }
}

/** Longer messages that begin alike count as the same. */
const MAX_COMPARED = 2_000;

function keyOf({ severity, message, source }: Problem): string {
  return JSON.stringify([severity, source, message.slice(0, MAX_COMPARED)]);
}

function keyAndLine(problem: Problem): string {
  return `${problem.line} ${keyOf(problem)}`;
}

/** Errors first, then by line. */
function sortProblems(problems: readonly Problem[]): readonly Problem[] {
  const rank = ({ severity }: Problem): number => (severity === 'error' ? 0 : 1);
  return problems.toSorted((a, b) => rank(a) - rank(b) || a.line - b.line);
}

/** One line for each problem, for a model: at most `most`, and the number of the others. */
export function listProblems(problems: readonly Problem[], most = MAX_PROBLEMS): string {
  const sorted = sortProblems(problems);
  const lines = sorted.slice(0, most).map(({ line, severity, message, source }) => {
    const words = message.slice(0, MAX_COMPARED).replaceAll(/\s+/g, ' ').trim();
    const shown = words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words;
    return `line ${line}: ${severity}: ${shown}${source === undefined ? '' : ` (${source})`}`;
  });
  const left = sorted.length - lines.length;
  return left > 0 ? [...lines, `and ${left} more`].join('\n') : lines.join('\n');
}
