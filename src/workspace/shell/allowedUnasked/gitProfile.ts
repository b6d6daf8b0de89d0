import { readFlags, type FlagTable } from './flags';
import { CAN_CHANGE_THINGS, unknownArgument, type Profile } from './profile';

interface GitCommand {
  readonly table: FlagTable;
  /** `revisions or files`: `name:path` reads that path. Anything else may be a revision, and is checked as a path. */
  readonly operands: 'none' | 'revisions or files' | 'text';
  readonly content?: 'always' | 'with a patch' | undefined;
}

const DIFF_LONG =
  'stat? shortstat numstat dirstat? summary name-only name-status cached staged patch unified= minimal patience histogram ' +
  'ignore-all-space ignore-space-change ignore-blank-lines ignore-space-at-eol word-diff? color? no-color no-renames ' +
  'find-renames? find-copies? diff-filter= check exit-code quiet raw full-index no-ext-diff no-textconv merge-base ' +
  'function-context no-patch relative? diff-algorithm= abbrev? no-prefix text';

const LOG_LONG =
  `${DIFF_LONG} oneline graph decorate? no-decorate all branches? tags? remotes? author= committer= grep= since= after= until= ` +
  'before= max-count= skip= first-parent merges no-merges reverse date= format= pretty? abbrev-commit no-abbrev-commit follow ' +
  'topo-order date-order left-right cherry-pick ancestry-path full-history simplify-merges regexp-ignore-case relative-date ' +
  'extended-regexp fixed-strings invert-grep all-match name-status';

/** %G… and %+G… check signatures, which runs a program that the configuration names. */
const SAFE_VALUE = /^(?!.*%[-+ ]?G)/s;
/** One field of a reference, but not its signature: that runs a program too. */
const SORT_KEY = /^-?(?!signature)[a-z]+$/;

const DIFF: FlagTable = { short: 'pubwRzasM', shortWithValue: 'US', long: DIFF_LONG, value: SAFE_VALUE };
const LOG: FlagTable = {
  short: 'pubwRzasimMEFg',
  shortWithValue: 'nSGUL',
  long: LOG_LONG,
  allowsNumber: true,
  value: SAFE_VALUE,
};

/** Subcommands that only read with these flags. Branches and tags can be listed but not named, so none is created. */
const COMMANDS: Readonly<Record<string, GitCommand>> = {
  status: {
    table: {
      short: 'sbz',
      long: 'short branch long porcelain? untracked-files? ignored? show-stash ahead-behind no-ahead-behind renames no-renames',
    },
    operands: 'revisions or files',
  },
  diff: { table: DIFF, operands: 'revisions or files', content: 'always' },
  log: { table: LOG, operands: 'revisions or files', content: 'with a patch' },
  show: { table: LOG, operands: 'revisions or files', content: 'always' },
  branch: {
    table: {
      short: 'avrl',
      long: 'all list remotes verbose show-current no-color color? sort= column? no-column merged no-merged',
      value: SORT_KEY,
    },
    operands: 'none',
  },
  tag: { table: { short: 'l', long: 'list sort= no-column', value: SORT_KEY }, operands: 'none' },
  'rev-parse': {
    table: {
      long:
        'short? abbrev-ref? show-toplevel show-prefix show-cdup git-dir absolute-git-dir is-inside-work-tree ' +
        'is-inside-git-dir is-bare-repository verify quiet symbolic-full-name symbolic git-common-dir',
      short: 'q',
    },
    operands: 'revisions or files',
  },
  'ls-files': {
    table: {
      short: 'cdmosuktvz',
      long: 'cached deleted modified others stage unmerged killed exclude-standard full-name error-unmatch directory abbrev?',
    },
    operands: 'revisions or files',
  },
  blame: {
    table: { short: 'wMCeslftnp', shortWithValue: 'L', long: 'porcelain line-porcelain show-email date= root' },
    operands: 'revisions or files',
    content: 'always',
  },
  describe: { table: { long: 'tags all always dirty? long exact-match abbrev= match= exclude=' }, operands: 'none' },
  'merge-base': { table: { short: 'a', long: 'all is-ancestor fork-point octopus' }, operands: 'text' },
};

/** git with a subcommand that only reads. Options before the subcommand can name programs and folders, so they ask. */
export const gitProfile: Profile = (args) => {
  const words = args[0] === '--no-pager' ? args.slice(1) : args;
  const [name = '', ...rest] = words;
  if (words.length === 1 && name === '--version') return { reads: [] };
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return CAN_CHANGE_THINGS;
  // A table of letters cannot express -u, -uno, -unormal and -uall of status.
  const args_ = name === 'status' ? rest.filter((arg) => !/^-u(?:no|normal|all)?$/.test(arg)) : rest;
  const found = readFlags(args_, command.table);
  if (!found.ok) return unknownArgument(found.unknown);
  const { flags, operands } = found;
  if (operands[0] !== undefined && command.operands === 'none') return unknownArgument(operands[0]);
  const reads: string[] = [];
  for (const operand of command.operands === 'revisions or files' ? operands : []) {
    // Pathspec magic, paths in the index, and paths outside the repository, which git would compare as plain folders.
    if (/^(?::|\.\.(?:[\\/]|$)|[\\/]|[A-Za-z]:[\\/])/.test(operand)) return unknownArgument(operand);
    reads.push(operand.slice(operand.indexOf(':') + 1));
  }
  const hasPatch = ['p', 'u', 'patch', 'S', 'G', 'L', 'U', 'unified', 'word-diff'].some((flag) => flags.has(flag));
  const showsContent = command.content === 'always' || (command.content === 'with a patch' && hasPatch);
  return { reads, git: { showsContent } };
};
