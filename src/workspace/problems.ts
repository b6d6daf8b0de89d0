import type { Problem } from './ports';

const MAX_PROBLEMS = 10;
const MAX_MESSAGE = 240;

/**
 * The problems of `after` that are new, errors first, then by line. Problems are compared by message, not by line, because
 * edits move lines. If a message occurs more often than before, the additional ones are new.
 */
export function newProblems(before: readonly Problem[], after: readonly Problem[]): readonly Problem[] {
  const known = new Map<string, Problem[]>();
  for (const problem of before) known.set(keyOf(problem), [...(known.get(keyOf(problem)) ?? []), problem]);
  // Problems at their old line are matched first: they are surely old.
  const moved = after.filter((problem) => !takeOut(known, problem, ({ line }) => line === problem.line));
  return sortProblems(moved.filter((problem) => !takeOut(known, problem, () => true)));
}

function takeOut(
  known: ReadonlyMap<string, Problem[]>,
  problem: Problem,
  isMeant: (candidate: Problem) => boolean,
): boolean {
  const candidates = known.get(keyOf(problem)) ?? [];
  const index = candidates.findIndex(isMeant);
  if (index === -1) return false;
  candidates.splice(index, 1);
  return true;
}

function keyOf({ severity, message, source }: Problem): string {
  return JSON.stringify([severity, source, message]);
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
    const words = message.replaceAll(/\s+/g, ' ').trim();
    const shown = words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words;
    return `line ${line}: ${severity}: ${shown}${source === undefined ? '' : ` (${source})`}`;
  });
  const left = sorted.length - lines.length;
  return left > 0 ? [...lines, `and ${left} more`].join('\n') : lines.join('\n');
}
