import { WITHOUT_INDENTATION, type FileLines } from './fileLines';

/** The notes of `read_file` about left-out text. Edits that contain such a note are refused. */
export const readNotices = {
  lineCut: (line: number, maxChars: number): string =>
    `[Line ${line} is too long; only its first ${maxChars} characters are shown.]`,
  more: (nextLine: number): string => `[There is more. Continue with start_line ${nextLine}.]`,
} as const;

const NOTICE =
  /^\[(?:Line \d+ is too long; only its first \d+ characters are shown\.|There is more\. Continue with start_line \d+\.)\]$/;

/** A line of `text` that is a note of `read_file` and not in the file. */
export function findReadNotice(file: FileLines | undefined, text: string): string | undefined {
  if (!text.includes('[')) return undefined;
  const notice = text
    .split('\n')
    .find((line) => NOTICE.test(line.trim()))
    ?.trim();
  return notice === undefined || file?.indexBy(WITHOUT_INDENTATION).idOf.has(notice) ? undefined : notice;
}
