import { ANY, readFlags, type FlagTable } from './flags';
import { unknownArgument, type Profile } from './profile';

// Programs whose first operand is a small program of their own.

/** Without a slash or an open class (`[[:`) in brackets, where GNU and BSD end the expression at different places. */
const REGEX = String.raw`(?:[^\\/\[\]\n]|\\[^\n]|\[\^?(?:\]|(?!\]))(?:[^\[\]/\\\n]|\[:[a-z]+:\])*\])*`;
const ADDRESS = String.raw`(?:\d+|\$|/${REGEX}/I?)`;
/** Prints, deletes, numbers, quits or replaces. Never w, e, r and the like, which write, run or read. */
const SED_COMMAND = String.raw`(?:${ADDRESS}(?:,(?:${ADDRESS}|\+\d+))?)?[ ]*!?[ ]*(?:[pd=]|q|s/${REGEX}/(?:[^\\/\n]|\\[^\n])*/[gpiI0-9]*)`;
const SED_SCRIPT = new RegExp(`^[ ]*${SED_COMMAND}(?:[ ]*;[ ]*${SED_COMMAND})*[ ]*;?[ ]*$`);

const SED: FlagTable = {
  short: 'nErz',
  long: 'quiet silent regexp-extended',
  values: { 'e expression': SED_SCRIPT },
};

/** Longer scripts would take the expressions above long. */
const isShort = (script: string): boolean => script.length <= 200;

/** sed with a script that only prints. */
const sed: Profile = (args) => {
  const long = args.find((arg) => !isShort(arg));
  if (long !== undefined) return unknownArgument(long);
  const found = readFlags(args, SED);
  if (!found.ok) return unknownArgument(found.unknown);
  // After an operand, BSD takes -e for a file, and the operand for the script.
  const [late] = found.alsoOpened;
  if (late !== undefined) return unknownArgument(late);
  const hasScript = found.flags.has('e') || found.flags.has('expression');
  const [script = '', ...files] = hasScript ? ['p', ...found.operands] : found.operands;
  return SED_SCRIPT.test(script) ? { reads: files.filter((file) => file !== '-') } : unknownArgument(script);
};

const JQ: FlagTable = {
  short: 'rcesSMCnja',
  long: 'raw-output compact-output exit-status slurp sort-keys monochrome-output color-output null-input join-output ascii-output tab',
  values: { indent: /^\d$/ },
};

/** jq with a filter that reads no environment, no modules and no names of files. */
const jq: Profile = (args) => {
  const found = readFlags(args, JQ);
  const end = args.find((arg) => arg === '--' || arg.startsWith('--indent='));
  if (!found.ok || end !== undefined) return unknownArgument(found.ok ? (end ?? '') : found.unknown);
  const [filter = '.', ...files] = found.operands;
  const strange = /env|input_filename|import|include|module|search_list|\$__prog/i.exec(filter)?.[0];
  return strange === undefined ? { reads: files } : unknownArgument(strange);
};

const UNARY = /^-[bcdefghknprstuwxzGLNOS]$/;
const BINARY = /^(?:=|==|!=|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

/** One test of a file, a text or two numbers. */
const test: Profile = (args) => {
  const [first = '', second = '', third, more] = args[0] === '!' ? args.slice(1) : args;
  if (more === undefined && third !== undefined && BINARY.test(second)) {
    // ksh, which can be `sh`, evaluates other words as expressions, with the commands in them.
    const strange = /^-(?:eq|ne|l[te]|g[te])$/.test(second) && [first, third].find((word) => !/^[+-]?\d+$/.test(word));
    if (typeof strange === 'string') return unknownArgument(strange);
    return { reads: /^-(?:nt|ot|ef)$/.test(second) ? [first, third] : [] };
  }
  if (third !== undefined || !UNARY.test(first)) return unknownArgument(args.join(' '));
  return { reads: /^-[nzt]$/.test(first) ? [] : [second] };
};

/** `[ -f a ]` and `[[ -f a ]]` are `test -f a`. */
const bracket =
  (end: string): Profile =>
  (args) =>
    args.at(-1) === end ? test(args.slice(0, -1)) : unknownArgument(args.join(' '));

const VALUE = String.raw`(?:NR|FNR|NF|length(?:\(\$(?:\d+|NF)\))?|\$(?:\d+|NF))`;
const COMPARISON = String.raw`${VALUE}[ ]*(?:(?:==|!=|>=|<=|>|<)[ ]*\d+|(?:==|!=)[ ]*"[^"\\]*")`;
const LINES = String.raw`/[^/\\\[\]\n]*/`;
const PATTERN = String.raw`(?:${COMPARISON}(?:[ ]*(?:&&|\|\|)[ ]*${COMPARISON})*|${LINES}(?:,[ ]*${LINES})?)`;
/** What `print` prints, without `>` and `|`, which write and run. */
const PRINTED = String.raw`(?:\$(?:\d+|NF)|NR|FNR|NF|FILENAME|length|"[^"\\]*"|[ ,])*`;
const ADDED = String.raw`[a-z]+[ ]*\+=[ ]*(?:\$(?:\d+|NF)|\d+)|[a-z]+\+\+`;
const RULE = String.raw`(?:${PATTERN}[ ]*(?:\{[ ]*(?:print${PRINTED}|${ADDED})[ ]*\})?|\{[ ]*(?:print${PRINTED}|${ADDED})[ ]*\})`;
const END = String.raw`END[ ]*\{[ ]*print[ ]+(?:[a-z]+(?:[ ]*/[ ]*NR)?|NR)[ ]*\}`;
/** Prints lines or fields by their number, their length or a pattern, or adds up a field. */
const AWK_SCRIPT = new RegExp(`^[ ]*(?:${RULE}|(?:${RULE}[ ]*)?${END})[ ]*$`);

/** awk with a script that only prints. */
const awk: Profile = (args) => {
  const found = readFlags(args, { values: { F: ANY } });
  if (!found.ok) return unknownArgument(found.unknown);
  const [script = '', ...files] = found.operands;
  return isShort(script) && AWK_SCRIPT.test(script)
    ? { reads: [...files, ...found.alsoOpened].filter((file) => file !== '-') }
    : unknownArgument(script);
};

export const scriptProfiles = {
  '[': bracket(']'),
  '[[': bracket(']]'),
  awk,
  jq,
  sed: Object.assign(sed, { table: SED }),
  test,
};
