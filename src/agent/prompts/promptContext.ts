/** A piece of text that goes to the model with a prompt. */
export interface PromptContext {
  /** For people: `src/main.ts:3-9`. */
  readonly label: string;
  /** The text for the model: path, line numbers and content. */
  readonly content: string;
}
