import ignore from 'ignore';

/**
 * Whether a `/`-separated relative path matches a glob of a model: `*.ts` at any depth, `src/**` from the top, `{a,b}` and
 * `*.ts, *.tsx` for alternatives. Same rules as in git and ripgrep.
 */
export function matchesGlob(relativePath: string, glob: string): boolean {
  return ignore().add(expandAlternatives(glob)).ignores(relativePath);
}

/** `*.{ts,tsx}` -> `*.ts`, `*.tsx`. Expands the innermost braces first. A comma outside braces separates globs. */
export function expandAlternatives(glob: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(glob);
  if (!braces)
    return glob
      .split(',')
      .map((part) => part.trim().replace(/^\.\//, ''))
      .filter(Boolean);
  const before = glob.slice(0, braces.index);
  const after = glob.slice(braces.index + braces[0].length);
  return (braces[1] ?? '').split(',').flatMap((choice) => expandAlternatives(`${before}${choice.trim()}${after}`));
}
