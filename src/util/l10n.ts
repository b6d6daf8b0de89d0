let translations: Readonly<Record<string, unknown>> = {};

/** Sets the translations of this process or page: English text → text in the person's language. */
export function config({ contents }: { readonly contents: Readonly<Record<string, unknown>> }): void {
  translations = contents;
}

/**
 * Translates a text for a person, as `vscode.l10n.t` does for files that import `vscode`. `{0}` stands for the first value, and so
 * on. A text without a translation stays English. Never use it for a text that a model reads: models get English.
 *
 * The first argument is one string literal: a test compares all of them with the translations. Call it when the text is shown,
 * not when a module is loaded: the page loads some modules before it knows its translations.
 */
export function t(message: string, ...values: readonly (string | number | boolean)[]): string {
  const translated = translations[message];
  const text = typeof translated === 'string' ? translated : message;
  if (values.length === 0) return text;
  return text.replaceAll(/\{(\d+)\}/g, (placeholder, index) => String(values[Number(index)] ?? placeholder));
}

/** The same for a text with values that are no text, such as elements. Gives the pieces of the text with the values between them. */
export function parts<Value>(message: string, ...values: readonly Value[]): readonly (string | Value)[] {
  // Odd pieces are the numbers of placeholders.
  return t(message)
    .split(/\{(\d+)\}/)
    .map((piece, index) => (index % 2 === 0 ? piece : (values[Number(piece)] ?? `{${piece}}`)));
}
