import { readFlags, type FlagTable } from './flags';
import { unknownArgument, type Profile, type ProfileTable } from './profile';

/** The kind of the arguments that are not flags. `text` names no file. */
type Operands = 'files' | 'folders' | 'text' | 'none' | 'pattern then files';

function profile(operands: Operands, table: FlagTable = {}): Profile {
  return (args) => {
    const found = readFlags(args, table);
    if (!found.ok) return unknownArgument(found.unknown);
    switch (operands) {
      case 'none':
        return found.operands[0] === undefined ? { reads: [] } : unknownArgument(found.operands[0]);
      case 'text':
        return { reads: [] };
      case 'files':
        return { reads: found.operands.filter((operand) => operand !== '-') };
      case 'folders':
        return { reads: found.operands.length === 0 ? ['.'] : found.operands };
      case 'pattern then files': {
        const hasPattern = found.flags.has('e') || found.flags.has('regexp');
        return { reads: (hasPattern ? found.operands : found.operands.slice(1)).filter((operand) => operand !== '-') };
      }
    }
  };
}

const NUMBER = /^[+-]?\d+$/;

/** For programs that read no file of the current folder to show their version. */
const versionOnly: Profile = (args) =>
  args.length === 1 && (args[0] === '--version' || args[0] === '-V')
    ? { reads: [] }
    : 'may do more than show its version';

const echo: Profile = (args) => {
  // With -e, and in some shells without it, escapes reach the terminal.
  const escape = args.find((arg) => arg.includes('\\'));
  if (escape !== undefined) return unknownArgument(escape);
  const words = args[0] === '-n' ? args.slice(1) : args;
  return /^-[neE]+$/.test(words[0] ?? '') ? unknownArgument(words[0] ?? '') : { reads: [] };
};

const FIND_TESTS_WITH_VALUE = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -type -maxdepth -mindepth -size -mtime -mmin -ctime -cmin -atime -amin ' +
    '-perm -user -group'
  ).split(' '),
);
const FIND_WORDS = new Set(
  '-a -and -o -or -not ! -print -print0 -prune -empty -true -false -daystart -xdev -mount -depth -ls'.split(' '),
);

const find: Profile = (args) => {
  const firstTest = args.findIndex((arg) => arg.startsWith('-') || arg === '!' || arg === '(');
  const folders = args.slice(0, firstTest < 0 ? args.length : firstTest);
  const tests = args.slice(folders.length);
  for (let index = 0; index < tests.length; index += 1) {
    const test = tests[index] ?? '';
    if (FIND_TESTS_WITH_VALUE.has(test)) index += 1;
    else if (!FIND_WORDS.has(test) && test !== '(' && test !== ')') return unknownArgument(test);
  }
  return { reads: folders.length === 0 ? ['.'] : folders };
};

const grepFlags: FlagTable = {
  short: 'inlLcvwxHhoqsEFGPaIbzT',
  shortWithValue: 'eABCm',
  long:
    'ignore-case line-number files-with-matches files-without-match count invert-match word-regexp line-regexp with-filename ' +
    'no-filename only-matching quiet silent no-messages extended-regexp fixed-strings basic-regexp perl-regexp text ' +
    'regexp= after-context= before-context= context= max-count= color? colour?',
  allowsNumber: true,
};

/** Only ripgrep may search folders: it leaves out hidden and ignored files by default. */
const rg: Profile = (args) => {
  const found = readFlags(args, {
    short: 'inlcvwxHoqsFSIN0',
    shortWithValue: 'eABCmtTd',
    long:
      'ignore-case line-number files-with-matches count count-matches invert-match word-regexp line-regexp with-filename ' +
      'no-filename only-matching quiet fixed-strings smart-case case-sensitive no-heading heading files-without-match column ' +
      'no-line-number stats trim vimgrep regexp= after-context= before-context= context= max-count= type= type-not= ' +
      'max-depth= color= max-columns=',
  });
  if (!found.ok) return unknownArgument(found.unknown);
  const paths = found.flags.has('e') || found.flags.has('regexp') ? found.operands : found.operands.slice(1);
  return { reads: paths.length === 0 ? ['.'] : paths };
};

const uniq: Profile = (args) => {
  const found = readFlags(args, { short: 'cdDiuz', shortWithValue: 'fsw', value: NUMBER });
  if (!found.ok) return unknownArgument(found.unknown);
  const [input, output] = found.operands;
  if (output !== undefined) return `would write to \`${output}\``;
  return { reads: input === undefined || input === '-' ? [] : [input] };
};

const tail: FlagTable = {
  short: 'qvz',
  shortWithValue: 'nc',
  long: 'lines= bytes= quiet silent verbose',
  allowsNumber: true,
  value: /^[+-]?\d+[bkKMG]?$/,
};

/** Programs of POSIX systems with the flags that only read. With other arguments `date`, `hostname` and others set things. */
export const posixProfiles: ProfileTable = {
  basename: profile('text', { short: 'az', shortWithValue: 's', long: 'multiple suffix=' }),
  cat: profile('files', {
    short: 'AbeEnstTuv',
    long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
  }),
  cksum: profile('files'),
  cmp: profile('files', { short: 'bls', long: 'print-bytes silent quiet verbose' }),
  comm: profile('files', { short: '123iz' }),
  cut: profile('files', {
    short: 'sz',
    shortWithValue: 'bcdf',
    long: 'bytes= characters= delimiter= fields= complement only-delimited output-delimiter=',
  }),
  date: (args) =>
    args.every((arg) => arg === '-u' || arg === '-I' || arg === '-R' || arg.startsWith('+'))
      ? { reads: [] }
      : 'may do more than show the time',
  df: profile('folders', { short: 'hHkTilaP', long: 'human-readable si print-type inodes local all portability' }),
  dirname: profile('text', { short: 'z' }),
  du: profile('folders', {
    short: 'hsackmbx0',
    shortWithValue: 'd',
    long: 'human-readable summarize all total bytes max-depth= one-file-system apparent-size si',
    value: NUMBER,
  }),
  echo,
  false: profile('text'),
  file: profile('files', { short: 'biN0', long: 'brief mime mime-type mime-encoding' }),
  find,
  grep: profile('pattern then files', grepFlags),
  egrep: profile('pattern then files', grepFlags),
  fgrep: profile('pattern then files', grepFlags),
  head: profile('files', tail),
  hostname: profile('none'),
  id: profile('none', { short: 'ugnGr', long: 'user group name groups real' }),
  ls: profile('folders', {
    short: 'aAbBcCdfFgGhiklmnopqQrRsStuvxXZ1',
    shortWithValue: 'wI',
    long:
      'all almost-all author escape directory classify? file-type full-time human-readable si inode kibibytes dereference numeric-uid-gid ' +
      'literal quote-name reverse recursive size group-directories-first no-group color? format= sort= time= ' +
      'time-style= indicator-style= ignore= hide= width=',
  }),
  nl: profile('files', { short: 'p', shortWithValue: 'bnwsvi' }),
  node: (args) => (args.length === 1 && (args[0] === '-v' || args[0] === '--version') ? { reads: [] } : 'runs code'),
  nproc: profile('none', { long: 'all' }),
  pwd: profile('none', { short: 'LP' }),
  python: versionOnly,
  python3: versionOnly,
  readlink: profile('files', { short: 'femnqsvz' }),
  realpath: profile('files', { short: 'emsqzLP' }),
  rg,
  sort: profile('files', {
    short: 'bdfghiMnrRsuVz',
    shortWithValue: 'kt',
    long: 'ignore-case numeric-sort human-numeric-sort general-numeric-sort reverse unique version-sort stable key= field-separator=',
  }),
  stat: profile('files', { short: 'Ltf', shortWithValue: 'c', long: 'dereference file-system terse format= printf=' }),
  tac: profile('files'),
  tail: profile('files', tail),
  tr: profile('text', { short: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1' }),
  true: profile('text'),
  uname: profile('none', {
    short: 'asnrvmpio',
    long: 'all kernel-name nodename kernel-release machine operating-system',
  }),
  uniq,
  wc: profile('files', { short: 'clmwL', long: 'bytes chars lines words max-line-length' }),
  which: profile('text', { short: 'a' }),
  whoami: profile('none'),
};
