import type { FolderReading } from '../../paths/folderReading';
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

/** The endings of well-known types, in all versions. */
const ENDINGS_OF_TYPE: Readonly<Record<string, string>> = {
  c: 'c h C H in cats',
  cpp: 'C H h in cpp hpp cxx hxx cc hh inl',
  cs: 'cs',
  css: 'css scss',
  go: 'go',
  html: 'htm html ejs',
  java: 'java jsp jspx properties',
  js: 'js jsx cjs mjs vue',
  json: 'json sarif lock',
  markdown: 'markdown md mdown mdwn mdx mkd mkdn',
  md: 'markdown md mdown mdwn mdx mkd mkdn',
  php: 'php php3 php4 php5 php7 php8 pht phtml',
  py: 'py pyi',
  python: 'py pyi',
  rust: 'rs',
  sql: 'psql sql',
  toml: 'toml lock',
  ts: 'ts tsx cts mts',
  typescript: 'ts tsx cts mts',
  yaml: 'yaml yml',
};

const plain = profile('pattern then folders', RIPGREP, { leavesLinks: true, obeysIgnoreFiles: true });

/**
 * ripgrep without `-L`. A glob decides before ignore files do, so a file that it names is read in any case. Files of a type are read
 * although they are hidden: `.env` is of the type `sh`.
 */
const judge: Profile = (args) => {
  const call = plain(args);
  const found = readFlags(args, RIPGREP);
  if (typeof call === 'string' || !found.ok) return call;
  const valuesOf = (option: RegExp): readonly string[] =>
    found.values.flatMap(({ name, value }) => (option.test(name) ? [value] : []));
  const endings = valuesOf(/^g(?:lob)?$/)
    .filter((glob) => !glob.startsWith('!'))
    .flatMap(endingsOf);
  if (endings.length > 0) {
    const isNamed = (name: string): boolean => endings.some((ending) => name.endsWith(ending));
    return { ...call, folders: { ...call.folders, readsFile: isNamed, bringsBack: isNamed } };
  }
  const types = valuesOf(/^t(?:ype)?$/);
  if (types.length === 0) return call;
  const bringsBack: FolderReading['bringsBack'] = (name, kind) =>
    kind === 'file' && name.startsWith('.') && types.some((type) => isOfType(name, type));
  return { ...call, folders: { ...call.folders, bringsBack } };
};

/** Other types may be of any name. */
function isOfType(name: string, type: string): boolean {
  if (!Object.hasOwn(ENDINGS_OF_TYPE, type)) return true;
  return ENDINGS_OF_TYPE[type]?.split(' ').some((ending) => name.endsWith(`.${ending}`)) === true;
}

/** `.ts` and `.tsx` of `src/*.{ts,tsx}`. */
function endingsOf(glob: string): readonly string[] {
  const ending = glob.slice(glob.lastIndexOf('*.') + 2);
  return ending
    .replaceAll(/[{}]/g, '')
    .split(',')
    .map((word) => `.${word}`);
}

export const rg = Object.assign(judge, { table: RIPGREP });
