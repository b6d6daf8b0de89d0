/**
 * Why a command asks, in the words a person reads on its card. `judgeCommand.ts` and `assessCommand.ts` decide;
 * `agent/approval/callReasons.ts` has the reasons that come from modes, rules and unseen edits.
 */

export function asksBecause(reason: string): string {
  return `Asks because ${reason}.`;
}

/** Why the words of a command line do not show what it runs. Completes "Cannot be checked in advance: …". */
export const uncheckable = {
  unparsed: 'it could not be parsed',
  ambiguous: 'it can be read in more than one way',
  openQuote: 'a quote is not closed',
  missingCommand: 'a command is missing',
  setsVariable: 'it sets a variable',
  notAscii: 'it contains characters outside quotes that are not ASCII',
  homeFolder: 'it uses a home folder (`~`)',
} as const;

/** The reason for an unquoted character that a POSIX shell does not take literally. `rest` begins with it. */
export function uncheckableCharacter(rest: string): string {
  const character = rest.charAt(0);
  if (character > '\u007e') return uncheckable.notAscii;
  if (rest.startsWith('$(')) return 'it runs another command (`$(…)`)';
  if (character === '`') return 'it runs another command in backticks';
  const variable = /^\$\{?([A-Za-z_]\w*|[0-9@*#?$!-])/.exec(rest)?.[1];
  if (variable !== undefined) return `it uses a variable (\`$${variable}\`)`;
  const known = CHARACTERS[character];
  return known === undefined ? `it contains \`${character}\`` : `it ${known} (\`${character}\`)`;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '*': 'contains a file pattern',
  '?': 'contains a file pattern',
  '[': 'contains a file pattern or a test',
  ']': 'contains a file pattern or a test',
  '{': 'contains a group or a list in braces',
  '}': 'contains a group or a list in braces',
  '(': 'contains a subshell or a function',
  ')': 'contains a subshell or a function',
  '<': 'reads from a file',
  '>': 'writes to a file',
  '&': 'starts a command in the background',
  '|': 'joins commands in an unusual way',
  ';': 'joins commands in an unusual way',
  '~': 'uses a home folder',
  '#': 'contains a comment',
};

/** Why a command that was read may still do harm. Completes "Asks because …". */
export const unsafe = {
  inTerminal: 'a terminal can have aliases for its words',
  otherFolder: 'it is allowed in another folder only, and can do something else here',
  elsewhere: (name: string, file: string, place: string): string =>
    `\`${name}\` would start ${file}, which is ${place}`,
  dependsOnFolder: (name: string, entry: string): string =>
    `\`${name}\` depends on the current folder: PATH contains "${entry}"`,
  ofVersionManager: (name: string): string =>
    `a version manager starts \`${name}\`, so files of the folder decide what runs`,
  noProgram: (name: string): string => `\`${name}\` is in no folder of PATH`,
  leavesFolder: (file: string): string => `\`${file}\` goes into a folder and out again`,
  startsInHome: (file: string): string => `\`${file}\` starts with ~`,
  isOutside: (file: string): string => `\`${file}\` is outside the workspace`,
  looseAfterFolder: (operator: string): string => `what follows \`${operator}\` would also run if \`cd\` failed`,
  noFolder: (folder: string): string => `\`${folder}\` is not a folder`,
  isProtected: (file: string): string => `${file} is protected`,
  contains: (folder: string, file: string): string => `\`${folder}\` contains ${file}, which is protected`,
  leadsOutside: (folder: string, link: string): string =>
    `\`${folder}\` contains ${link}, a link to a place outside the workspace`,
  hasTooManyMatches: (pattern: string): string => `there are too many files to find out what \`${pattern}\` matches`,
  hasDoubledSlash: (pattern: string): string => `\`${pattern}\` has a doubled slash`,
  matchesParent: (pattern: string): string => `\`${pattern}\` can match the folder itself and the one above it`,
  matchesStrange: (pattern: string, name: string): string =>
    `\`${pattern}\` matches ${JSON.stringify(name)}, which programs can take for something else`,
  matchesUnreadable: (problem: string): string => `with the files that its patterns match, ${problem}`,
  hasTooManyFiles: (path: string): string =>
    `there are too many files to find out whether \`${path}\` shows protected ones`,
} as const;
