/** The start of a hunk, with the number of its first line in the new file. */
const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * A diff with the number of each line of the new file before it, because small models miscount. The text of a new file, which
 * stands below `New file:`, is counted from 1.
 */
export function numberLines(diff: string): string {
  const isNewFile = diff.startsWith('New file:\n');
  let next = isNewFile ? 0 : undefined;
  const numbered = diff.split('\n').map((line) => {
    const [, first] = isNewFile ? [] : (HUNK.exec(line) ?? []);
    if (first !== undefined) {
      next = Number(first);
      return line;
    }
    // Before the first hunk, a removed line, and a remark such as "No newline at end of file".
    if (next === undefined || (!isNewFile && /^[-\\]/.test(line))) return line;
    next += 1;
    return isNewFile && next === 1 ? line : `${next - 1} ${line}`;
  });
  return numbered.join('\n');
}
