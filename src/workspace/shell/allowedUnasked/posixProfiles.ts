import * as l10n from '../../../util/l10n';
import { dumpProfiles } from './dumpProfiles';
import { echo, printf } from './echoProfiles';
import { find } from './findProfile';
import { ANY, NUMBER, WHEN, type FlagTable } from './flags';
import { machineProfiles } from './machineProfiles';
import { NAMES_ONLY, profile } from './operands';
import { rg } from './ripgrepProfile';
import { unknownArgument, type Profile, type ProfileTable } from './profile';

const COUNT = /^[+-]?\d+[bkKMG]?$/;

/** Looks names up in PATH. A name with a folder would tell whether that file exists. */
function lookUp(isOption: (word: string) => boolean): Profile {
  return (args) => {
    const strange = args.find((word, index) => !(index === 0 && isOption(word)) && !/^\w[\w.+-]*$/.test(word));
    return strange === undefined ? { reads: [] } : unknownArgument(strange);
  };
}

const diff = profile('files', {
  short: 'abBcdiqrstuwy',
  long:
    'brief report-identical-files text ignore-all-space ignore-space-change ignore-blank-lines ignore-case minimal recursive ' +
    'side-by-side strip-trailing-cr suppress-common-lines expand-tabs',
  values: { 'U C W L I x width label exclude ignore-matching-lines': ANY },
  optional: { 'unified context': NUMBER, color: WHEN },
});

/** Sums of files. Not -c, which reads a list of files. */
const sum = profile('files', { short: 'btz', long: 'binary text zero tag' });

const grepFlags: FlagTable = {
  short: 'inlLcvwxHhoqsEFGPaIbzTrR',
  long:
    'ignore-case line-number files-with-matches files-without-match count invert-match word-regexp line-regexp with-filename ' +
    'no-filename only-matching quiet silent no-messages extended-regexp fixed-strings basic-regexp perl-regexp text recursive dereference-recursive',
  // The walk through the folder follows links, as -R does.
  recursive: 'r R recursive dereference-recursive',
  values: { 'e regexp include exclude exclude-dir': ANY, 'A B C m after-context before-context max-count': NUMBER },
  // BSD takes no next word for `--context`.
  optional: { context: NUMBER, 'color colour': WHEN },
  allowsNumber: true,
};

const tail: FlagTable = {
  short: 'qvz',
  long: 'quiet silent verbose',
  values: { 'n c lines bytes': COUNT },
  allowsNumber: true,
};

/**
 * Programs of POSIX systems with the flags that only read. With other arguments `date`, `hostname` and others set
 * things.
 */
export const posixProfiles: ProfileTable = {
  ...dumpProfiles,
  ...machineProfiles,
  basename: profile('text', { short: 'az', long: 'multiple', values: { 's suffix': ANY } }),
  cat: profile('files', {
    short: 'AbeEnstTuv',
    long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
  }),
  cksum: profile('files'),
  cmp: profile('files', { short: 'bls', long: 'print-bytes silent quiet verbose' }),
  command: lookUp((word) => word === '-v' || word === '-V'),
  comm: profile('files', { short: '123iz' }),
  column: profile('files', { short: 'tx', long: 'table', values: { 's separator': ANY, c: NUMBER } }),
  cut: profile('files', {
    short: 'sz',
    long: 'complement only-delimited',
    values: { 'b c d f bytes characters delimiter fields output-delimiter': ANY },
  }),
  date: (args) =>
    args.every((arg) => arg === '-u' || arg === '-I' || arg === '-R' || arg.startsWith('+'))
      ? { reads: [] }
      : l10n.t('may do more than show the time'),
  df: profile('folders', { short: 'hHkTilaP', long: 'human-readable si print-type inodes local all portability' }),
  // Given a folder, it also reads files in it.
  diff: (args) => {
    const call = diff(args);
    return typeof call === 'string' ? call : { ...call, isRecursive: true };
  },
  dirname: profile('text', { short: 'z' }),
  du: profile('folders', {
    short: 'hsackmbx0',
    long: 'human-readable summarize all total bytes one-file-system apparent-size si',
    values: { 'd max-depth': NUMBER },
  }),
  echo,
  expr: profile('text'),
  false: profile('text'),
  // Not -x, -X and -l, which run programs, nor -L, which follows links.
  fd: profile(
    'pattern then folders',
    {
      short: 'HIsiaFp0u1',
      long: 'hidden no-ignore case-sensitive ignore-case absolute-path fixed-strings full-path print0 unrestricted',
      values: { 'e extension t type E exclude': /^[\w.*/{},-]+$/, 'd max-depth': NUMBER },
    },
    NAMES_ONLY,
  ),
  file: profile('files', { short: 'biN0', long: 'brief mime mime-type mime-encoding' }),
  find,
  grep: profile('pattern then files', grepFlags),
  egrep: profile('pattern then files', grepFlags),
  fgrep: profile('pattern then files', grepFlags),
  head: profile('files', tail),
  hostname: profile('none'),
  id: profile('none', { short: 'ugnGr', long: 'user group name groups real' }),
  // Without -H and -L, which look at what links lead to.
  ls: profile('folders', {
    short: 'aAbBcCdfFgGhiklmnopqQrRsStuvxXZ1',
    long:
      'all almost-all author escape directory file-type full-time human-readable si inode kibibytes numeric-uid-gid literal ' +
      'quote-name reverse recursive size group-directories-first no-group',
    // For BSD, -w and -I have no value.
    values: { 'w I': 'file', 'format sort time time-style indicator-style ignore hide width': ANY },
    optional: { 'classify color': WHEN },
  }),
  md5sum: sum,
  nl: profile('files', { short: 'p', values: { 'b n w s v i': ANY } }),
  paste: profile('files', { short: 's', values: { d: ANY } }),
  printf,
  pwd: profile('none', { short: 'LP' }),
  readlink: profile('names', { short: 'femnqsvz' }),
  realpath: profile('names', { short: 'emsqzLP' }),
  rg,
  sha1sum: sum,
  sha256sum: sum,
  sha512sum: sum,
  sort: profile('files', {
    short: 'bdfghiMnrRsuVz',
    long: 'ignore-case numeric-sort human-numeric-sort general-numeric-sort reverse unique version-sort stable',
    values: { 'k t key field-separator': ANY },
  }),
  seq: profile('text'),
  sleep: profile('text'),
  stat: profile('names', { short: 'Ltf', long: 'dereference file-system terse', values: { 'c format printf': ANY } }),
  tac: profile('files'),
  tail: profile('files', tail),
  tr: profile('text', { short: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1' }),
  // Not -l, which follows links, nor -o, which writes.
  tree: profile('folders', {
    short: 'adfisphDFnC',
    long: 'noreport dirsfirst du prune',
    values: { L: NUMBER, 'I P': ANY },
  }),
  true: profile('text'),
  type: lookUp((word) => /^-[atp]$/.test(word)),
  uname: profile('none', {
    short: 'asnrvmpio',
    long: 'all kernel-name nodename kernel-release machine operating-system',
  }),
  uniq: profile('one file', { short: 'cdDiuz', values: { 'f s w': NUMBER } }),
  wc: profile('files', { short: 'clmwL', long: 'bytes chars lines words max-line-length' }),
  which: lookUp((word) => word === '-a'),
  whoami: profile('none'),
};
