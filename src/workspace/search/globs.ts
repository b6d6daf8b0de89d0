import { parseIgnoreRules } from './ignorePatterns';

const MAX_GLOB_LENGTH = 1_000;
const MAX_ALTERNATIVES = 500;

/** A glob is too long, or stands for too many alternatives. The message names the glob and the limit. */
export class GlobLimitError extends Error {
  override readonly name = 'GlobLimitError';
}

/**
 * Whether a `/`-separated relative path matches a glob of a model: `*.ts` at any depth, `src/**` from the top, `{a,b}` and
 * `*.ts, *.tsx` for alternatives. Same rules as in git and ripgrep. Throws `GlobLimitError`.
 */
export function matchesGlob(relativePath: string, glob: string): boolean {
  return compileGlob(glob)(relativePath);
}

/** A glob for many paths; see `matchesGlob`. Throws `GlobLimitError`. */
export function compileGlob(glob: string): (relativePath: string) => boolean {
  const rules = parseIgnoreRules(expandAlternatives(glob));
  return (relativePath) => rules.test(relativePath).ignored;
}

/**
 * The names that a glob of files allows (`src/lib/*.ts` -> `*.ts`), if all of them only name extensions. Then a file's own
 * name must match: a folder called `x.ts` is not meant. Letters match in either case. Throws `GlobLimitError`.
 */
export function extensionGlobs(glob: string): readonly string[] | undefined {
  const names = expandAlternatives(glob)
    .filter((part) => !part.startsWith('!'))
    .map((part) => part.split('/').at(-1) ?? '');
  return names.length > 0 && names.every((name) => /^\*(?:\.[A-Za-z0-9_-]+)+$/.test(name)) ? names : undefined;
}

/** As `compileGlob`, for files only; see `extensionGlobs`. */
export function compileFileGlob(glob: string): (relativePath: string) => boolean {
  const matches = compileGlob(glob);
  const endings = extensionGlobs(glob)?.map((name) => name.slice(1).toLowerCase());
  if (!endings) return matches;
  return (relativePath) => {
    const name = relativePath.toLowerCase();
    return endings.some((ending) => name.endsWith(ending)) && matches(relativePath);
  };
}

/** The error for a glob above the limits, with the way out. */
export function findGlobProblem(glob: string): string | undefined {
  try {
    expandAlternatives(glob);
    return undefined;
  } catch (error) {
    if (error instanceof GlobLimitError) return error.message;
    throw error;
  }
}

/**
 * `*.{ts,tsx}` -> `*.ts`, `*.tsx`. A comma outside braces separates globs. A brace without its partner is literal. Throws
 * `GlobLimitError`.
 */
export function expandAlternatives(glob: string): string[] {
  if (glob.length > MAX_GLOB_LENGTH) {
    throw refuse(glob, `is longer than ${MAX_GLOB_LENGTH.toLocaleString('en')} characters`);
  }
  const partnered = findPartners(glob);
  let open: Alternatives = { complete: [], current: [''] };
  const around: Alternatives[] = [];
  for (const [index, character] of [...glob].entries()) {
    if (character === '{' && partnered.has(index)) {
      around.push(open);
      open = { complete: [], current: [''] };
    } else if (character === '}' && partnered.has(index)) {
      const choices = [...open.complete, ...open.current].map((choice) => choice.trim());
      open = around.pop() ?? open;
      limit(glob, open.current.length * choices.length + open.complete.length);
      open.current = open.current.flatMap((start) => choices.map((choice) => start + choice));
    } else if (character === ',') {
      limit(glob, open.complete.length + open.current.length + 1);
      open.complete.push(...open.current);
      open.current = [''];
    } else {
      open.current = open.current.map((start) => start + character);
    }
  }
  return [...open.complete, ...open.current].map((part) => part.trim().replace(/^\.\//, '')).filter(Boolean);
}

interface Alternatives {
  readonly complete: string[];
  /** The alternatives of the text since the last comma. */
  current: string[];
}

/** The places of all braces that have a partner, counted in code points. */
function findPartners(glob: string): ReadonlySet<number> {
  const partnered = new Set<number>();
  const open: number[] = [];
  for (const [index, character] of [...glob].entries()) {
    if (character === '{') open.push(index);
    if (character !== '}') continue;
    const start = open.pop();
    if (start !== undefined) partnered.add(start).add(index);
  }
  return partnered;
}

function limit(glob: string, count: number): void {
  if (count > MAX_ALTERNATIVES) throw refuse(glob, `stands for more than ${MAX_ALTERNATIVES} patterns`);
}

function refuse(glob: string, problem: string): GlobLimitError {
  const shown = glob.length > 60 ? `${glob.slice(0, 60)}…` : glob;
  return new GlobLimitError(`The pattern ${JSON.stringify(shown)} ${problem}. Use fewer alternatives in braces.`);
}
