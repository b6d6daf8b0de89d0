import * as l10n from '../../util/l10n';

/**
 * Why a command asks, in the words a person reads on its card. `judgeCommand.ts` and `assessCommand.ts` decide;
 * `agent/approval/callReasons.ts` has the reasons that come from modes, rules and unseen edits.
 */

export function asksBecause(reason: string): string {
  return l10n.t('Asks because {0}.', reason);
}

/** Why the words of a command line do not show what it runs. Completes "Cannot be checked in advance: …". */
export const uncheckable = {
  get unparsed() {
    return l10n.t('it could not be parsed');
  },
  get ambiguous() {
    return l10n.t('it can be read in more than one way');
  },
  get openQuote() {
    return l10n.t('a quote is not closed');
  },
  get missingCommand() {
    return l10n.t('a command is missing');
  },
  get setsVariable() {
    return l10n.t('it sets a variable');
  },
  get notAscii() {
    return l10n.t('it contains characters outside quotes that are not ASCII');
  },
  get homeFolder() {
    return l10n.t('it uses a home folder (`~`)');
  },
};

/** The reason for an unquoted character that a POSIX shell does not take literally. `rest` begins with it. */
export function uncheckableCharacter(rest: string): string {
  const character = rest.charAt(0);
  if (character > '\u007e') return uncheckable.notAscii;
  if (rest.startsWith('$(')) return l10n.t('it runs another command (`$(…)`)');
  if (character === '`') return l10n.t('it runs another command in backticks');
  const variable = /^\$\{?([A-Za-z_]\w*|[0-9@*#?$!-])/.exec(rest)?.[1];
  if (variable !== undefined) return l10n.t('it uses a variable (`{0}`)', `$${variable}`);
  return knownCharacter(character) ?? l10n.t('it contains `{0}`', character);
}

function knownCharacter(character: string): string | undefined {
  switch (character) {
    case '*':
    case '?':
      return l10n.t('it contains a file pattern (`{0}`)', character);
    case '[':
    case ']':
      return l10n.t('it contains a file pattern or a test (`{0}`)', character);
    case '{':
    case '}':
      return l10n.t('it contains a group or a list in braces (`{0}`)', character);
    case '(':
    case ')':
      return l10n.t('it contains a subshell or a function (`{0}`)', character);
    case '<':
      return l10n.t('it reads from a file (`{0}`)', character);
    case '>':
      return l10n.t('it writes to a file (`{0}`)', character);
    case '&':
      return l10n.t('it starts a command in the background (`{0}`)', character);
    case '|':
    case ';':
      return l10n.t('it joins commands in an unusual way (`{0}`)', character);
    case '~':
      return l10n.t('it uses a home folder (`{0}`)', character);
    case '#':
      return l10n.t('it contains a comment (`{0}`)', character);
    default:
      return undefined;
  }
}

/** Why a command that was read may still do harm. Completes "Asks because …". */
export const unsafe = {
  get inTerminal() {
    return l10n.t('a terminal can have aliases for its words');
  },
  get otherFolder() {
    return l10n.t('it is allowed in another folder only, and can do something else here');
  },
  elsewhere: (name: string, file: string, place: string): string =>
    l10n.t('`{0}` would start {1}, which is {2}', name, file, place),
  dependsOnFolder: (name: string, entry: string): string =>
    l10n.t('`{0}` depends on the current folder: PATH contains "{1}"', name, entry),
  ofVersionManager: (name: string): string =>
    l10n.t('a version manager starts `{0}`, so files of the folder decide what runs', name),
  noProgram: (name: string): string => l10n.t('`{0}` is in no folder of PATH', name),
  leavesFolder: (file: string): string => l10n.t('`{0}` goes into a folder and out again', file),
  startsInHome: (file: string): string => l10n.t('`{0}` starts with ~', file),
  isOutside: (file: string): string => l10n.t('`{0}` is outside the workspace', file),
  looseAfterFolder: (operator: string): string => l10n.t('what follows `{0}` would also run if `cd` failed', operator),
  noFolder: (folder: string): string => l10n.t('`{0}` is not a folder', folder),
  isProtected: (file: string): string => l10n.t('{0} is protected', file),
  contains: (folder: string, file: string): string => l10n.t('`{0}` contains {1}, which is protected', folder, file),
  leadsOutside: (folder: string, link: string): string =>
    l10n.t('`{0}` contains {1}, a link to a place outside the workspace', folder, link),
  hasTooManyMatches: (pattern: string): string =>
    l10n.t('there are too many files to find out what `{0}` matches', pattern),
  hasDoubledSlash: (pattern: string): string => l10n.t('`{0}` has a doubled slash', pattern),
  matchesParent: (pattern: string): string => l10n.t('`{0}` can match the folder itself and the one above it', pattern),
  matchesStrange: (pattern: string, name: string): string =>
    l10n.t('`{0}` matches {1}, which programs can take for something else', pattern, JSON.stringify(name)),
  matchesUnreadable: (problem: string): string => l10n.t('with the files that its patterns match, {0}', problem),
  hasTooManyFiles: (path: string): string =>
    l10n.t('there are too many files to find out whether `{0}` shows protected ones', path),
};
