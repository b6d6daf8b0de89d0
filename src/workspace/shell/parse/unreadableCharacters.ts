import * as l10n from '../../../util/l10n';
import { once } from '../../../util/lazy';

const MAX_LENGTH = 10_000;
/** In bytes. Longer ones fit into no argument of a program. */
const MAX_SPELLED_OUT = 120_000;

/**
 * Why the characters of a command line rule out an analysis, or `undefined`. Shells, grammars, terminals and people read
 * such characters differently.
 */
export function findUnreadable(command: string, { isSpelledOut = false } = {}): string | undefined {
  if (command.trim() === '') return l10n.t('it is empty');
  const length = isSpelledOut ? Buffer.byteLength(command) : command.length;
  if (length > (isSpelledOut ? MAX_SPELLED_OUT : MAX_LENGTH))
    return l10n.t('it is {0} characters long', command.length);
  if (!command.isWellFormed()) return l10n.t('it contains broken Unicode');
  if (command.includes('\n')) return l10n.t('it has more than one line');
  if (CONTROL.test(command)) return l10n.t('it contains control characters');
  if (invisible().test(command))
    return l10n.t('it contains invisible characters, or characters that change the direction of text');
  if (unusualSpace().test(command)) return l10n.t('it contains unusual spaces');
  if (hasLookAlike(command)) return l10n.t('it contains characters that look like other ones');
  return undefined;
}

/** Without the tab, which is an ordinary blank in every shell. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;
// Made on first use: Node looks up the characters of such a literal while it loads the file.
const invisible = once(() => new RegExp(String.raw`[\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]`, 'u'));
const unusualSpace = once(() => new RegExp(String.raw`(?! )\p{Z}`, 'u'));

/** Finds other forms of ASCII characters, such as full-width ones, and words that mix similar alphabets. */
function hasLookAlike(command: string): boolean {
  if (ASCII.test(command)) return false;
  for (const character of command) {
    if (!ASCII.test(character) && /^[\x20-\x7e]+$/.test(character.normalize('NFKC'))) return true;
  }
  return command.split(betweenWords()).some((word) => latin().test(word) && similarScripts().test(word));
}

// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;
const betweenWords = once(() => new RegExp(String.raw`[^\p{L}\p{M}\p{N}]+`, 'u'));
const latin = once(() => new RegExp(String.raw`\p{Script=Latin}`, 'u'));
const similarScripts = once(() => {
  const scripts = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic'];
  return new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u');
});
