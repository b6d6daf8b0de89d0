/** How many elements two sequences share at their start, and how many of the others at their end. */
export function sharedEnds(
  a: ArrayLike<string>,
  b: ArrayLike<string>,
): { readonly head: number; readonly tail: number } {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return { head, tail };
}
