const MAX_NAMED = 5;
/** Shorter names are ordinary words. */
const MIN_LENGTH = 6;

/** The names that a text contains as a whole word, at most five. */
export function mentionedVariables(names: readonly string[], texts: readonly string[]): readonly string[] {
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
  return names.filter((name) => name.length >= MIN_LENGTH && words.has(name)).slice(0, MAX_NAMED);
}
