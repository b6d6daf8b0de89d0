/** Replaces one part of a text. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}
