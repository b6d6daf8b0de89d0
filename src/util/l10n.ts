let translations: Readonly<Record<string, unknown>> = {};

/** Sets the translations of this process or page: English text → text in the person's language. */
export function config({ contents }: { readonly contents: Readonly<Record<string, unknown>> }): void {
  translations = contents;
}

/**
 * Translates a text for a person, as `vscode.l10n.t` does for files that import `vscode`. `{0}` stands for the first value, and so
 * on. A text without a translation stays English. Never use it for a text that a model reads: models get English.
 *
 * The first argument is one string literal: a test compares all of them with the translations.
 */
export function t(message: string, ...values: readonly (string | number | boolean)[]): string {
  const translated = translations[message];
  const text = typeof translated === 'string' ? translated : message;
  if (values.length === 0) return text;
  return text.replaceAll(/\{(\d+)\}/g, (placeholder, index) => String(values[Number(index)] ?? placeholder));
}
