import fc from 'fast-check';

/** A function that reads text of somebody else, and pieces of text that mean something to it. */
export interface Reader {
  readonly read: (text: string) => unknown;
  readonly pieces: readonly string[];
}

const SLOW_MS = 5_000;
const LARGEST = 65_536;
const COMMON_PIECES = [
  '',
  ' ',
  '\n',
  '\t',
  'a',
  '0',
  '\\',
  '"',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '<',
  '>',
  '/',
  '.',
  '\0',
  '\u2028',
];

/**
 * A text that makes a reader slow; `undefined` if none was found. Feeds it beginnings, one or two repeats and ends of its
 * pieces, in growing sizes. 65,536 characters take a linear reader milliseconds and a quadratic one many seconds. Stops at the
 * size where a cubic or an exponential one becomes slow.
 */
export function findSlowText({ read, pieces }: Reader, { runs }: { readonly runs: number }): string | undefined {
  const piece = fc.constantFrom(...pieces, ...pieces, ...COMMON_PIECES);
  const repeated = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
  // A pattern may need a long run before another long run, which its end then lets it try in every split.
  const another = fc.option(repeated, { nil: '' });
  const texts = fc.tuple(piece, piece, repeated, another, piece, piece);
  for (const [first, second, repeat, then, last, end] of fc.sample(texts, runs)) {
    if (repeat === '') continue;
    for (let size = 16; size <= LARGEST; size *= size < 4_096 ? 2 : 4) {
      const half = then === '' ? size : size / 2;
      const rest = then === '' ? '' : then.repeat(Math.ceil(half / then.length));
      const text = first + second + repeat.repeat(Math.ceil(half / repeat.length)) + rest + last + end;
      // Compiling and collecting garbage may slow the first time.
      const once = cpuMsOf(() => read(text));
      const ms =
        once > SLOW_MS
          ? Math.min(
              once,
              cpuMsOf(() => read(text)),
            )
          : once;
      if (ms > SLOW_MS)
        return `${ms} ms for ${size} characters: ${JSON.stringify([first + second, repeat, then, last + end])}`;
    }
  }
  return undefined;
}

/** Milliseconds of processor time of this process, so a busy machine does not count. */
export function cpuMsOf(work: () => unknown): number {
  const start = process.cpuUsage();
  try {
    work();
  } catch {
    // Refusing a text is an answer too.
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
