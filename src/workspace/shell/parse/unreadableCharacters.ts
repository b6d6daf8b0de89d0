const MAX_LENGTH = 10_000;

/**
 * What makes a command line unfit for analysis before any grammar looks at it, in words for people; `undefined` when
 * nothing does. Shells, grammars, terminals and people disagree about such characters, so none of them is guessed at.
 */
export function findUnreadable(command: string): string | undefined {
  if (command.trim() === '') return 'the command is empty';
  if (command.length > MAX_LENGTH) return `the command is ${command.length} characters long`;
  if (!command.isWellFormed()) return 'it contains broken Unicode';
  if (command.includes('\n')) return 'it has more than one line';
  if (CONTROL.test(command)) return 'it contains control characters';
  if (INVISIBLE.test(command)) return 'it contains invisible or direction-changing characters';
  if (UNUSUAL_SPACE.test(command)) return 'it contains unusual spaces';
  if (hasLookAlike(command)) return 'it contains characters that look like others';
  return undefined;
}

/** Tabs are ordinary blanks to every shell. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;
const UNUSUAL_SPACE = /(?! )\p{Z}/u;

/** Full-width and other forms of ASCII characters, and words that mix alphabets which look alike. */
function hasLookAlike(command: string): boolean {
  if (ASCII.test(command)) return false;
  for (const character of command) {
    if (!ASCII.test(character) && /^[\x20-\x7e]+$/.test(character.normalize('NFKC'))) return true;
  }
  return command
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .some((word) => /\p{Script=Latin}/u.test(word) && SIMILAR_SCRIPTS.test(word));
}

// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;
const SIMILAR_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u;
