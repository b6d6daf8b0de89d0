/**
 * The options of a program that only read. Any other option is unknown. An option belongs here only if every known
 * implementation (GNU, BusyBox, macOS, FreeBSD) reads as many words for it, or does not know it.
 */
export interface FlagTable {
  /** Letters without a value. They may be combined after one dash. */
  readonly short?: string | undefined;
  /** Names after two dashes, without a value. Abbreviations are unknown. */
  readonly long?: string | undefined;
  /** Options with a value: the rest of the word after a letter, the text after `=`, or else the next word. */
  readonly values?: ValueTable | undefined;
  /** Options that take a value only from the same word, and may be without one. */
  readonly optional?: ValueTable | undefined;
  /** Names of options that make the program show every file below a folder. */
  readonly recursive?: string | undefined;
  /** Accepts `-5`, as `head` and `git log` do. */
  readonly allowsNumber?: boolean | undefined;
}

/** Letters and long names of options, separated by blanks, with the pattern of a valid value. `file`: it is opened. */
export type ValueTable = Readonly<Record<string, RegExp | 'file'>>;

export type FlagReading =
  | {
      readonly ok: true;
      /** Letters and long names, without dashes. */
      readonly flags: ReadonlySet<string>;
      readonly operands: readonly string[];
      /** Each value with its option, without dashes. */
      readonly values: readonly { readonly name: string; readonly value: string }[];
      /**
       * Other words that may be opened: values that name files, and what follows the first operand. BSD programs take all
       * of that for operands, because their options end there.
       */
      readonly alsoOpened: readonly string[];
    }
  | { readonly ok: false; readonly unknown: string };

export const NUMBER = /^\d+$/;
export const ANY = /^/;
/** When to use colour. */
export const WHEN = /^(?:always|auto|never)$/;

/** Splits arguments into flags and operands as GNU getopt does: flags may follow operands, and `--` ends them. */
export function readFlags(args: readonly string[], table: FlagTable): FlagReading {
  const longFlags = new Set(wordsOf(table.long));
  const flags = new Set<string>();
  const operands: string[] = [];
  const values: { readonly name: string; readonly value: string }[] = [];
  const alsoOpened: string[] = [];
  let areOperands = false;

  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (areOperands || !arg.startsWith('-') || arg === '-') {
      operands.push(arg);
      continue;
    }
    const start = index;
    const options = splitOption(arg, table, longFlags);
    if (options === undefined) return { ok: false, unknown: arg };
    areOperands = arg === '--';
    for (const { name, kind, attached } of options) {
      flags.add(name);
      if (kind === 'none' || (kind === 'optional' && attached === undefined)) continue;
      if (attached === undefined) index += 1;
      const value = attached ?? args[index];
      const valid = findValue(kind === 'value' ? table.values : table.optional, name);
      if (value === undefined || (valid instanceof RegExp && !valid.test(value))) return { ok: false, unknown: arg };
      values.push({ name, value });
      if (valid === 'file') alsoOpened.push(value);
    }
    if (operands.length > 0) alsoOpened.push(...args.slice(start, index + 1));
  }
  return { ok: true, flags, operands, values, alsoOpened };
}

interface Option {
  readonly name: string;
  readonly kind: 'none' | 'value' | 'optional';
  /** The value in the same word. */
  readonly attached?: string | undefined;
}

/** The options in one word; none for `--` and for numbers. `undefined`: one of them is unknown. */
function splitOption(arg: string, table: FlagTable, longFlags: ReadonlySet<string>): readonly Option[] | undefined {
  if (arg === '--' || (table.allowsNumber === true && /^-\d+$/.test(arg))) return [];
  if (arg.startsWith('--')) {
    const equals = arg.indexOf('=');
    const name = arg.slice(2, equals < 0 ? undefined : equals);
    const attached = equals < 0 ? undefined : arg.slice(equals + 1);
    // A letter is no long name.
    const kind = name.length < 2 ? undefined : kindOf(name, table, longFlags.has(name));
    return kind === undefined || (kind === 'none' && attached !== undefined) ? undefined : [{ name, kind, attached }];
  }
  const options: Option[] = [];
  for (let at = 1; at < arg.length; at += 1) {
    const name = arg.charAt(at);
    const kind = kindOf(name, table, table.short?.includes(name) === true);
    if (kind === undefined) return undefined;
    const rest = arg.slice(at + 1);
    options.push({ name, kind, attached: kind === 'none' || rest === '' ? undefined : rest });
    if (kind !== 'none') break;
  }
  return options;
}

function kindOf(name: string, table: FlagTable, isFlag: boolean): Option['kind'] | undefined {
  if (findValue(table.values, name) !== undefined) return 'value';
  if (findValue(table.optional, name) !== undefined) return 'optional';
  return isFlag ? 'none' : undefined;
}

function findValue(table: ValueTable | undefined, name: string): RegExp | 'file' | undefined {
  return Object.entries(table ?? {}).find(([names]) => wordsOf(names).includes(name))?.[1];
}

function wordsOf(text = ''): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
