import { quoteWord } from '../commandRules';

/** The calls that xargs starts for an input, as words or as written. `undefined`: it cannot be told. */
export type XargsCalls = (input: string) => readonly (readonly string[] | string)[] | undefined;

interface Options {
  readonly call: readonly string[];
  /** Ends an item. Absent: blanks and line ends. */
  readonly delimiter?: string | undefined;
  /** What is replaced by each item. */
  readonly replaced?: string | undefined;
  readonly perCall?: number | undefined;
  readonly skipsEmpty: boolean;
}

/** Reads the arguments of xargs. `undefined`: one of them is not known. */
export function readXargs(args: readonly string[]): XargsCalls | undefined {
  const options = readOptions(args);
  return options && ((input) => callsFor(input, options));
}

const LONG: Readonly<Record<string, string>> = {
  '--null': '-0',
  '--no-run-if-empty': '-r',
  '--max-args': '-n',
  '--max-procs': '-P',
  '--delimiter': '-d',
};

function readOptions(args: readonly string[]): Options | undefined {
  let found: Omit<Options, 'call'> = { skipsEmpty: false };
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('-') || arg === '-') return { ...found, call: args.slice(index) };
    const [long = '', value] = arg.split('=', 2);
    const letters = arg.startsWith('--') ? (LONG[long] ?? '') + (value ?? '') : arg;
    for (let at = 1; at < letters.length; at += 1) {
      const letter = letters.charAt(at);
      if (letter === '0') found = { ...found, delimiter: '\0' };
      else if (letter === 'r') found = { ...found, skipsEmpty: true };
      else {
        const attached = letters.slice(at + 1);
        if (attached === '') index += 1;
        const next = withValue(found, letter, attached === '' ? (args[index] ?? '') : attached);
        if (!next) return undefined;
        found = next;
        break;
      }
    }
    if (letters.length < 2) return undefined;
  }
  return { ...found, call: ['echo'] };
}

function withValue(found: Omit<Options, 'call'>, letter: string, value: string): Omit<Options, 'call'> | undefined {
  const isNumber = /^[1-9]\d{0,5}$/.test(value);
  if (letter === 'n' && isNumber) return { ...found, perCall: Number(value) };
  // How many run at a time changes only their order.
  if (letter === 'P' && /^\d{1,3}$/.test(value)) return found;
  if (letter === 'I' && value !== '') return { ...found, replaced: value };
  if (letter === 'd' && (value === '\n' || value === String.raw`\n`)) return { ...found, delimiter: '\n' };
  return undefined;
}

function callsFor(input: string, options: Options): ReturnType<XargsCalls> {
  const { call, replaced, perCall, skipsEmpty } = options;
  const items = itemsOf(input, options);
  if (!items) return undefined;
  if (replaced !== undefined)
    return items.map((item) => call.map((word, index) => (index === 0 ? word : word.replaceAll(replaced, item))));
  // The call without any words: it reads an empty input.
  if (items.length === 0) return skipsEmpty ? [] : [`true | ${call.map(quoteWord).join(' ')}`];
  if (perCall === undefined) return [[...call, ...items]];
  const batches = Math.ceil(items.length / perCall);
  return Array.from({ length: batches }, (_, index) => [
    ...call,
    ...items.slice(index * perCall, (index + 1) * perCall),
  ]);
}

/** Quotes and backslashes have a meaning of their own in it, unless a delimiter is named. */
function itemsOf(input: string, { delimiter, replaced }: Options): readonly string[] | undefined {
  if (delimiter !== undefined) {
    const items = input.split(delimiter);
    return items.at(-1) === '' ? items.slice(0, -1) : items;
  }
  if (/['"\\]/.test(input)) return undefined;
  const items = replaced === undefined ? input.split(/[ \t\n]+/) : input.split('\n').map((line) => line.trimStart());
  return items.filter((item) => item !== '');
}
