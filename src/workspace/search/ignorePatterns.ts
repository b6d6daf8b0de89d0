import { matchesPattern, parsePattern, type IgnorePattern } from './ignorePattern';

/** The rules of one ignore file. */
export interface IgnoreRules {
  /**
   * Judges a `/`-separated path relative to the file's folder. `/` at its end marks a folder. Throws for a path that is
   * empty, absolute or begins with `.` or `..` as a segment.
   */
  test(relativePath: string): IgnoreVerdict;
}

export interface IgnoreVerdict {
  /** The path, or a folder above it, is ignored. */
  readonly ignored: boolean;
  /** A rule with `!` brings the path back. */
  readonly unignored: boolean;
}

/** Parses the text or the lines of an ignore file, by gitignore(5). A line that cannot match anything is skipped. */
export function parseIgnoreRules(text: string | readonly string[]): IgnoreRules {
  const lines = typeof text === 'string' ? text.replace(/^\uFEFF/, '').split(/\r?\n/) : text;
  const patterns = lines.flatMap((line) => parsePattern(line) ?? []);
  const folders = new Map<string, IgnoreVerdict>();

  function verdictOf(segments: readonly string[], isFolder: boolean): IgnoreVerdict {
    const parent = segments.length > 1 ? verdictOfFolder(segments.slice(0, -1)) : NEITHER;
    return parent.ignored ? parent : lastMatch(patterns, segments, isFolder);
  }

  function verdictOfFolder(segments: readonly string[]): IgnoreVerdict {
    const key = segments.join('/');
    const known = folders.get(key) ?? verdictOf(segments, true);
    folders.set(key, known);
    return known;
  }

  return {
    test(relativePath) {
      if (/^(?:\.{0,2}\/|\.{0,2}$)/.test(relativePath))
        throw new RangeError(`Not below the folder: "${relativePath}".`);
      const segments = relativePath.split('/').filter((segment) => segment !== '');
      return relativePath.endsWith('/') ? verdictOfFolder(segments) : verdictOf(segments, false);
    },
  };
}

const NEITHER: IgnoreVerdict = { ignored: false, unignored: false };

function lastMatch(patterns: readonly IgnorePattern[], segments: readonly string[], isFolder: boolean): IgnoreVerdict {
  const found = patterns.findLast((pattern) => matchesPattern(pattern, segments, isFolder));
  return found ? { ignored: !found.isNegated, unignored: found.isNegated } : NEITHER;
}
