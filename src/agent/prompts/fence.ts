/** A code fence longer than any run of backticks inside, so that the text cannot end it. */
export function fenceFor(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(3, longest + 1));
}
