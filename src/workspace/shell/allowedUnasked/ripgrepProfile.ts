import { ANY, NUMBER, readFlags, type FlagTable } from './flags';
import { profile } from './operands';
import type { Profile } from './profile';

/** Without the options that follow links, run programs, and read hidden and ignored files. */
const RIPGREP: FlagTable = {
  short: 'inlcvwxHoqsFSIN0UP',
  long:
    'ignore-case line-number files-with-matches count count-matches invert-match word-regexp line-regexp with-filename ' +
    'no-filename only-matching quiet fixed-strings smart-case case-sensitive no-heading heading files-without-match column ' +
    'no-line-number stats trim vimgrep files multiline pcre2 no-messages no-config type-list',
  values: {
    'e regexp t T type type-not color': ANY,
    'A B C m d after-context before-context context max-count max-depth max-columns': NUMBER,
    // `!` leaves files out. Others must end in a plain ending: such a file is read even if it is hidden or ignored.
    'g glob': /^(?:!.*|(?:[\w.*-]+\/)*\*\.(?:\w+(?:\.\w+)*|\{\w+(?:,\w+)+\}))$/,
    'sort sortr': /^(?:path|none)$/,
  },
};

const plain = profile('pattern then folders', RIPGREP, { leavesLinks: true, obeysIgnoreFiles: true });

/** ripgrep without `-L`. A glob decides before ignore files do, so a file that it names is read in any case. */
const judge: Profile = (args) => {
  const call = plain(args);
  const found = readFlags(args, RIPGREP);
  if (typeof call === 'string' || !found.ok) return call;
  const globs = found.values.flatMap(({ name, value }) => (/^g(?:lob)?$/.test(name) ? [value] : []));
  const endings = globs.filter((glob) => !glob.startsWith('!')).flatMap(endingsOf);
  if (endings.length === 0) return call;
  const isNamed = (name: string): boolean => endings.some((ending) => name.endsWith(ending));
  return { ...call, folders: { ...call.folders, readsFile: isNamed, bringsBack: isNamed } };
};

/** `.ts` and `.tsx` of `src/*.{ts,tsx}`. */
function endingsOf(glob: string): readonly string[] {
  const ending = glob.slice(glob.lastIndexOf('*.') + 2);
  return ending
    .replaceAll(/[{}]/g, '')
    .split(',')
    .map((word) => `.${word}`);
}

export const rg = Object.assign(judge, { table: RIPGREP });
