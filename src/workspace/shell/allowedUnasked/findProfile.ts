import { NAMES_ONLY } from './operands';
import { unknownArgument, type Profile } from './profile';

const FIND_TESTS_WITH_VALUE = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -type -maxdepth -mindepth -size -mtime -mmin -ctime -cmin -atime -amin ' +
    '-perm -user -group'
  ).split(' '),
);
/** They look at the date of the file that follows. */
const FIND_TESTS_WITH_FILE = new Set(['-newer', '-anewer', '-cnewer']);
/** Names, kinds, sizes and dates. Not %Y and %Z: the kind of what a link leads to, and its context. */
const FIND_FORMAT = /^(?=%)(?:[^%\\]|%[-0]?\d{0,3}(?:[pPfhsdmMugUGyinkbl%]|[ATC][@+a-zA-Z])|\\(?:[nt]|0(?!\d)))*$/;
const FIND_WORDS = new Set(
  '-a -and -o -or -not ! -print -print0 -prune -empty -true -false -daystart -xdev -mount -depth -ls'.split(' '),
);

/** find with tests that look at names, kinds, sizes and dates, and actions that only print. */
export const find: Profile = (args) => {
  const firstTest = args.findIndex((arg) => arg.startsWith('-') || arg === '!' || arg === '(');
  const folders = args.slice(0, firstTest < 0 ? args.length : firstTest);
  const tests = args.slice(folders.length);
  const compared: string[] = [];
  for (let index = 0; index < tests.length; index += 1) {
    const test = tests[index] ?? '';
    if (FIND_TESTS_WITH_VALUE.has(test)) index += 1;
    else if (test === '-printf' && FIND_FORMAT.test(tests[index + 1] ?? '')) index += 1;
    else if (FIND_TESTS_WITH_FILE.has(test) && tests[index + 1] !== undefined) compared.push(tests[(index += 1)]!);
    else if (!FIND_WORDS.has(test) && test !== '(' && test !== ')') return unknownArgument(test);
  }
  return { reads: [...(folders.length === 0 ? ['.'] : folders), ...compared], folders: NAMES_ONLY };
};
