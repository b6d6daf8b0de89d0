import { JsonBalance } from '../calls/jsonBalance';

/**
 * The pieces of data that holds several values one after the other: `{…}{…}`, `{…}, {…}`, `{…}data: {…}` or `{…}[DONE]`. A rest that
 * is no whole value comes last. `undefined`: it does not begin with a whole object or list.
 */
export function gluedPieces(data: string): readonly string[] | undefined {
  const pieces: string[] = [];
  const between = /[\s,]*(?:data:\s*)*/y;
  for (let at = 0; at < data.length;) {
    between.lastIndex = at;
    between.test(data);
    at = between.lastIndex;
    if (at === data.length) break;
    const length = data.startsWith(DONE, at) ? DONE.length : lengthOfJson(data, at);
    if (length === -1 && pieces.length === 0) return undefined;
    const end = length === -1 ? data.length : at + length;
    pieces.push(data.slice(at, end));
    at = end;
  }
  return pieces;
}

const DONE = '[DONE]';

/** -1: none begins at `from`, or its end is missing. */
function lengthOfJson(data: string, from: number): number {
  if (data[from] !== '{' && data[from] !== '[') return -1;
  return new JsonBalance().feed(data.slice(from));
}
