import type { FileLines } from '../fileLines';
import { isBlank } from '../lineEnds';
import { learnIndentation, partsOf } from '../replacement/indentation';

/** The lines of the file that a quote means, counted from 0. */
export interface LinePlace {
  readonly firstLine: number;
  readonly lastLine: number;
  /** For each quoted line the file's line; -1 for a blank line that the file does not have. */
  readonly lineOf: readonly number[];
}

/** A place of lines that follow each other. */
export function placeFrom(firstLine: number, count: number): LinePlace {
  return {
    firstLine,
    lastLine: firstLine + count - 1,
    lineOf: Array.from({ length: count }, (_, index) => firstLine + index),
  };
}

/** Whether one rule leads from the quoted indentation to the file's. */
export function isIndentedAlike(file: FileLines, quoted: readonly string[], { lineOf }: LinePlace): boolean {
  const pairs = quoted.flatMap((line, index) => {
    const actual = lineOf[index] ?? -1;
    if (actual === -1 || isBlank(line)) return [];
    return [{ quoted: partsOf(line).indentation, actual: partsOf(file.contentOf(actual)).indentation }];
  });
  return learnIndentation(pairs) !== undefined;
}
