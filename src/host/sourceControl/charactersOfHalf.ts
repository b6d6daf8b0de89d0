/** Characters of a token, low: code has short ones. */
const CHARACTERS_PER_TOKEN = 3;
/** In tokens, where it is not known. */
const USUAL_WINDOW = 8192;

/** The characters that fill half of a model's window, given in tokens; the rest is for the prompt and the answer. */
export function charactersOfHalf(contextWindow = USUAL_WINDOW): number {
  return Math.floor(contextWindow / 2) * CHARACTERS_PER_TOKEN;
}
