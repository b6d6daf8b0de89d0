/** A line of the file, or the quoted part of it, and its line end. */
export interface ActualLine {
  readonly text: string;
  readonly lineEnd: string;
}

/** A quote, and the lines of the file that it means. */
export interface QuotedPlace {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly actual: readonly ActualLine[];
  /** For each line of `oldLines` its index in `actual`, ascending; -1 for a blank line that the file does not have. */
  readonly actualOf: readonly number[];
  /** The quote begins after the indentation of its first line, or in the middle of that line. */
  readonly isFirstPartial: boolean;
  /** The line end for lines that have no other line to take it from. */
  readonly lineEnd: string;
  readonly fileText: string;
}
