/** The first line of `after` that differs from `before`, from 1. `before` is `null` for a new file. */
export function firstChangedLine(before: string | null, after: string): number {
  if (before === null) return 1;
  const end = Math.min(before.length, after.length);
  let line = 1;
  for (let index = 0; index < end && before[index] === after[index]; index += 1) if (after[index] === '\n') line += 1;
  return line;
}
