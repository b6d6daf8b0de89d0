/** The flags of a program that only read. Any other flag is unknown. */
export interface FlagTable {
  /** Letters that may be combined after one dash. */
  readonly short?: string | undefined;
  /** Letters with a value: the rest of the word, or else the next word. */
  readonly shortWithValue?: string | undefined;
  /** Names after two dashes. `name=` takes a value in the same or the next word; `name?` may have one in the same word. */
  readonly long?: string | undefined;
  /** Accepts `-5`, as `head` and `git log` do. */
  readonly allowsNumber?: boolean | undefined;
  /** The pattern of a valid value. Default: any value. */
  readonly value?: RegExp | undefined;
}

export type FlagReading =
  | { readonly ok: true; readonly flags: ReadonlySet<string>; readonly operands: readonly string[] }
  | { readonly ok: false; readonly unknown: string };

/**
 * Splits arguments into flags and operands as GNU getopt does: flags may follow operands, and `--` ends them. Accepts no
 * abbreviations. `flags` has letters and long names without dashes.
 */
export function readFlags(args: readonly string[], table: FlagTable): FlagReading {
  const { short = '', shortWithValue = '', long = '', allowsNumber = false, value } = table;
  const longNames = new Set(long.split(' ').filter((name) => name !== ''));
  const flags = new Set<string>();
  const operands: string[] = [];
  const isValue = (text: string | undefined): boolean => text !== undefined && (value?.test(text) ?? true);

  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const unknown: FlagReading = { ok: false, unknown: arg };
    if (arg === '--') {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      operands.push(arg);
    } else if (arg.startsWith('--')) {
      const equals = arg.indexOf('=');
      const name = arg.slice(2, equals < 0 ? undefined : equals);
      const attached = equals < 0 ? undefined : arg.slice(equals + 1);
      flags.add(name);
      if (longNames.has(`${name}=`)) {
        if (attached === undefined) index += 1;
        if (!isValue(attached ?? args[index])) return unknown;
      } else if (longNames.has(`${name}?`)) {
        if (attached !== undefined && !isValue(attached)) return unknown;
      } else if (!longNames.has(name) || attached !== undefined) {
        return unknown;
      }
    } else if (!(allowsNumber && /^-\d+$/.test(arg))) {
      for (let at = 1; at < arg.length; at += 1) {
        const letter = arg.charAt(at);
        flags.add(letter);
        if (shortWithValue.includes(letter)) {
          const attached = arg.slice(at + 1);
          if (attached === '') index += 1;
          if (!isValue(attached === '' ? args[index] : attached)) return unknown;
          break;
        }
        if (!short.includes(letter)) return unknown;
      }
    }
  }
  return { ok: true, flags, operands };
}
