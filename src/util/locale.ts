let language: string | undefined;
/** Made on first use: the first format of a process takes milliseconds. */
let decimals: Intl.NumberFormat | undefined;

/** Sets the language of numbers, dates and enumerations of this process or page, such as `de`. English until then. */
export function setLanguage(tag: string): void {
  language = tag;
  decimals = undefined;
}

/** A number with at most one digit after the decimal sign. */
export function decimal(value: number): string {
  decimals ??= new Intl.NumberFormat(language ?? 'en', { maximumFractionDigits: 1, useGrouping: false });
  return decimals.format(value);
}

/** A day, such as `Nov 21, 2026`. `timeMs`: since 1970. */
export function day(timeMs: number): string {
  return new Date(timeMs).toLocaleDateString(language, { year: 'numeric', month: 'short', day: 'numeric' });
}

/** Texts as one enumeration: `a, b, and c`. */
export function enumeration(texts: readonly string[]): string {
  return new Intl.ListFormat(language ?? 'en', { type: 'conjunction' }).format(texts);
}

/** A number with one digit after the decimal sign. */
export function fixed(value: number): string {
  return value.toLocaleString(language ?? 'en', {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    useGrouping: false,
  });
}

/** A whole number with its digits in groups: `32,768`. */
export function grouped(value: number): string {
  return value.toLocaleString(language ?? 'en');
}
