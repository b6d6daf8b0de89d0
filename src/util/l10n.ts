let translations: Readonly<Record<string, unknown>> = {};
let language: string | undefined;
let decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 1, useGrouping: false });

interface L10nConfig {
  readonly contents: Readonly<Record<string, unknown>>;
  /** Of dates, numbers and lists, such as `de`. Absent: English numbers. */
  readonly language?: string | undefined;
}

/** Sets the translations of this process or page: English text → text in the person's language. */
export function config(settings: L10nConfig): void {
  translations = settings.contents;
  language = settings.language;
  decimals = new Intl.NumberFormat(language ?? 'en', { maximumFractionDigits: 1, useGrouping: false });
}

/**
 * Translates a text for a person, as `vscode.l10n.t` does for files that import `vscode`. `{0}` stands for the first value, and so
 * on. A text without a translation stays English. Never use it for a text that a model reads: models get English.
 *
 * The first argument is one string literal: a test compares all of them with the translations. Call it when the text is shown,
 * not when a module is loaded: a page loads modules before it knows its translations.
 */
export function t(message: string, ...values: readonly (string | number | boolean)[]): string {
  const translated = translations[message];
  const text = typeof translated === 'string' ? translated : message;
  if (values.length === 0) return text;
  return text.replaceAll(/\{(\d+)\}/g, (placeholder, index) => String(values[Number(index)] ?? placeholder));
}

/** A number with at most one digit after the decimal sign. */
export function decimal(value: number): string {
  return decimals.format(value);
}

/** A day, such as `Nov 21, 2026`. `timeMs`: since 1970. */
export function date(timeMs: number): string {
  return new Date(timeMs).toLocaleDateString(language, { year: 'numeric', month: 'short', day: 'numeric' });
}

/** Texts as one enumeration: `a, b, and c`. */
export function list(texts: readonly string[]): string {
  return new Intl.ListFormat(language ?? 'en', { type: 'conjunction' }).format(texts);
}
