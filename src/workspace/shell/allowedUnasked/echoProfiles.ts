import { unknownArgument, type Profile } from './profile';

/** echo without escapes. */
export const echo: Profile = (args) => {
  // With -e, and in some shells without it, escapes reach the terminal.
  const escape = args.find((arg) => arg.includes('\\'));
  if (escape !== undefined) return unknownArgument(escape);
  const words = args[0] === '-n' ? args.slice(1) : args;
  return /^-[neE]+$/.test(words[0] ?? '') ? unknownArgument(words[0] ?? '') : { reads: [] };
};

/** One piece of a format that prints a text or a number. Without `%n`, `%b`, `%(…)T`, and widths that make long outputs. */
const PRINTF_PIECE = /%%|%[-+ 0#]*\d{0,3}(?:\.\d{0,3})?([scdiuoxX])|\\[nt\\]|[^%\\]/gy;

/** printf with a format of known pieces. Its numbers must be numbers: some shells evaluate them as expressions. */
export const printf: Profile = ([format = '', ...values]) => {
  const pieces = [...format.matchAll(PRINTF_PIECE)];
  const length = pieces.reduce((sum, [piece]) => sum + piece.length, 0);
  if (format.startsWith('-') || length < format.length) return unknownArgument(format);
  const hasNumbers = pieces.some(([, kind]) => kind !== undefined && /[diuoxX]/.test(kind));
  const strange = values.find((value) => value.includes('\\') || (hasNumbers && !/^[+-]?\d{1,18}$/.test(value)));
  return strange === undefined ? { reads: [] } : unknownArgument(strange);
};
