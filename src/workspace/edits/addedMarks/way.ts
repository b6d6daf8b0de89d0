/** Reads a text without some marks. `undefined` for a text without them, or with some of them bare. */
export type Way = (text: string) => string | undefined;

/** A way in which a model writes a text, with words for it. */
export interface WayOfWriting {
  readonly words: string;
  readonly way: Way;
}
