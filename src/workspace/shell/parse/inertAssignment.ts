/**
 * Variables before a command that only choose language, colour, width or a pager that shows everything. Written without
 * quotes. Any other can make a program run or read something else.
 */
const INERT = new RegExp(
  '^(?:' +
    [
      String.raw`(?:LANG|LANGUAGE|LC_[A-Z]{3,10})=(?:C|POSIX|C\.UTF-8|C\.utf8|en_US\.UTF-8)`,
      String.raw`(?:NO_COLOR|CI)=1`,
      String.raw`(?:FORCE_COLOR|CLICOLOR|GIT_OPTIONAL_LOCKS)=0`,
      String.raw`(?:GIT_PAGER|PAGER)=(?:cat)?`,
      String.raw`TERM=dumb`,
      String.raw`TZ=UTC`,
      String.raw`COLUMNS=\d{1,4}`,
    ].join('|') +
    ')$',
);

/** Whether a word in front of a command only sets such a variable. */
export function isInertAssignment(word: string): boolean {
  return INERT.test(word);
}
