/** A literal that is not translated although it looks like a text for people. */
export interface Exemption {
  /** The file, or the start of its path. */
  readonly file: string;
  /** The text as `readSourceTexts` gives it. Absent: every text of the file. */
  readonly text?: string | RegExp;
  /** Why no person reads it, or why people read it in English. */
  readonly reason: string;
}

/** The folders and files of `src` whose texts are all translated. Another one is added when it is done. */
export const translatedParts: readonly string[] = [];

/** Kept few: a position that never holds a text belongs into `textPositions.ts`. */
export const exemptions: readonly Exemption[] = [];
