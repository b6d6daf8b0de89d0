import { ANY, NUMBER, readFlags, WHEN, type FlagTable } from './flags';
import { canChangeThings, unknownArgument, type Profile } from './profile';

interface GitCommand {
  readonly table: FlagTable;
  /** `revisions or files`: `name:path` reads that path. Anything else may be a revision, and is checked as a path. */
  readonly operands: 'none' | 'revisions or files' | 'pattern, then revisions or files' | 'text';
  readonly content?: 'always' | 'with a patch' | undefined;
}

/** %G… and %+G… check signatures, which runs a program that the configuration names. */
const SIGNATURE = /%[-+ ]?G/;
/** One field of a reference, but not its signature: that runs a program too. */
const SORT_KEY = /^-?(?!signature)[a-z]+$/;

const DIFF: FlagTable = {
  short: 'pubwRzasM',
  long:
    'shortstat numstat summary name-only name-status cached staged patch minimal patience histogram ignore-all-space ' +
    'ignore-space-change ignore-blank-lines ignore-space-at-eol no-color no-renames check exit-code quiet raw full-index ' +
    'no-ext-diff no-textconv merge-base function-context no-patch no-prefix text',
  values: { 'S G': ANY, 'diff-filter': ANY, 'diff-algorithm': ANY },
  // Git takes no next word for `-U`: it would be a file.
  optional: {
    'U unified': NUMBER,
    'stat dirstat word-diff color find-renames find-copies relative abbrev': ANY,
  },
};

const LOG: FlagTable = {
  short: `${DIFF.short}imEFg`,
  long:
    `${DIFF.long} oneline graph no-decorate all first-parent merges no-merges reverse abbrev-commit no-abbrev-commit follow ` +
    'topo-order date-order left-right cherry-pick ancestry-path full-history simplify-merges regexp-ignore-case relative-date ' +
    'extended-regexp fixed-strings invert-grep all-match',
  values: {
    ...DIFF.values,
    'n L author committer grep since after until before max-count skip date': ANY,
  },
  optional: { ...DIFF.optional, 'decorate branches tags remotes pretty format': ANY },
  allowsNumber: true,
};

/** Subcommands that only read with these flags. Branches and tags can be listed but not named, so none is created. */
const COMMANDS: Readonly<Record<string, GitCommand>> = {
  status: {
    table: {
      short: 'sbz',
      long: 'short branch long show-stash ahead-behind no-ahead-behind renames no-renames',
      optional: { 'u porcelain untracked-files ignored': /^[a-z0-9]+$/ },
    },
    operands: 'revisions or files',
  },
  diff: { table: DIFF, operands: 'revisions or files', content: 'always' },
  log: { table: LOG, operands: 'revisions or files', content: 'with a patch' },
  show: { table: LOG, operands: 'revisions or files', content: 'always' },
  branch: {
    table: {
      short: 'avrl',
      long: 'all list remotes verbose show-current no-color no-column merged no-merged',
      values: { sort: SORT_KEY },
      optional: { 'color column': /^[a-z,]+$/ },
    },
    operands: 'none',
  },
  tag: { table: { short: 'l', long: 'list no-column', values: { sort: SORT_KEY } }, operands: 'none' },
  'rev-parse': {
    table: {
      long:
        'show-toplevel show-prefix show-cdup git-dir absolute-git-dir is-inside-work-tree ' +
        'is-inside-git-dir is-bare-repository verify quiet symbolic-full-name symbolic git-common-dir',
      short: 'q',
      optional: { 'short abbrev-ref': /^[a-z0-9]+$/ },
    },
    operands: 'revisions or files',
  },
  'ls-files': {
    table: {
      short: 'cdmosuktvz',
      long: 'cached deleted modified others stage unmerged killed exclude-standard full-name error-unmatch directory',
      optional: { abbrev: NUMBER },
    },
    operands: 'revisions or files',
  },
  blame: {
    table: {
      short: 'wMCeslftnp',
      long: 'porcelain line-porcelain show-email root',
      values: { 'L date': ANY },
    },
    operands: 'revisions or files',
    content: 'always',
  },
  grep: {
    table: {
      short: 'niIlLcwvhHoEFGPpWqaz',
      long:
        'line-number ignore-case files-with-matches files-without-match name-only count word-regexp invert-match extended-regexp ' +
        'fixed-strings basic-regexp perl-regexp show-function function-context cached heading break all-match and or not ' +
        'quiet full-name text column only-matching no-color',
      values: { e: ANY, 'A B C m after-context before-context max-depth max-count': NUMBER },
      optional: { context: NUMBER, color: WHEN },
      allowsNumber: true,
    },
    operands: 'pattern, then revisions or files',
    content: 'always',
  },
  reflog: { table: LOG, operands: 'none', content: 'with a patch' },
  // Names only: with -v it shows addresses, which may contain passwords.
  remote: { table: {}, operands: 'none' },
  'stash list': { table: LOG, operands: 'none', content: 'with a patch' },
  describe: {
    table: {
      long: 'tags all always long exact-match',
      values: { 'match exclude': ANY },
      optional: { 'dirty abbrev': /^[\w-]+$/ },
    },
    operands: 'none',
  },
  'merge-base': { table: { short: 'a', long: 'all is-ancestor fork-point octopus' }, operands: 'text' },
};

/** The options of each subcommand. */
export const gitTables: Readonly<Record<string, FlagTable>> = Object.fromEntries(
  Object.entries(COMMANDS).map(([name, { table }]) => [name, table]),
);

/** git with a subcommand that only reads. Options before the subcommand can name programs and folders, so they ask. */
export const gitProfile: Profile = (args) => {
  const words = args[0] === '--no-pager' ? args.slice(1) : args;
  const length = words[0] === 'stash' ? 2 : 1;
  const name = words.slice(0, length).join(' ');
  const rest = words.slice(length);
  if (words.length === 1 && name === '--version') return { reads: [] };
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return canChangeThings();
  const signature = rest.find((word) => SIGNATURE.test(word));
  if (signature !== undefined) return unknownArgument(signature);
  const found = readFlags(rest, command.table);
  if (!found.ok) return unknownArgument(found.unknown);
  const { flags, operands } = found;
  if (operands[0] !== undefined && command.operands === 'none') return unknownArgument(operands[0]);
  const reads: string[] = [];
  const isPatternFirst = command.operands === 'pattern, then revisions or files' && !flags.has('e');
  // After `--` the first operand may be a file.
  const checked = isPatternFirst && args[args.indexOf(operands[0] ?? '') - 1] !== '--' ? operands.slice(1) : operands;
  for (const operand of command.operands.endsWith('revisions or files') ? checked : []) {
    // Pathspec magic, paths in the index, and paths outside the repository, which git would compare as plain folders.
    if (/^(?::|\.\.(?:[\\/]|$)|[\\/]|[A-Za-z]:[\\/])/.test(operand)) return unknownArgument(operand);
    reads.push(...(operand.includes(':') ? textsAfterColons(operand) : [operand]));
  }
  for (const { name: option, value } of found.values) if (option === 'L') reads.push(...textsAfterColons(value));
  const hasPatch = ['p', 'u', 'patch', 'S', 'G', 'L', 'U', 'unified', 'word-diff'].some((flag) => flags.has(flag));
  const showsContent = command.content === 'always' || (command.content === 'with a patch' && hasPatch);
  // In the work tree, `git grep` follows a folder that was replaced by a link.
  const readsWorkTree = name === 'grep' && !flags.has('cached');
  return { reads, git: { showsContent, ...(readsWorkTree && { readsWorkTree }) } };
};

/**
 * The possible files in `HEAD:file`, `-L 1,5:file` and `-L :function:file`. What comes before the file can have colons too:
 * `HEAD@{10:00}:file`, `HEAD^{/fix: it}:file`.
 */
function textsAfterColons(text: string): readonly string[] {
  const parts = text.split(':');
  return parts.slice(1).map((_, index) => parts.slice(index + 1).join(':'));
}
