import { linesOf, trimBlankEnds } from '../lineEnds';

/** Whether two texts have the same lines. Their indentation and blank ends do not count. */
export function isSameText(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => trimBlankEnds(linesOf(text)).map((line) => line.trim()));
  return one?.join('\n') === other?.join('\n');
}
