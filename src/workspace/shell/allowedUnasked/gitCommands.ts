import { ANY, NUMBER, WHEN, type FlagTable } from './flags';

/**
 * `files`: names as they are. `revisions or files`: `name:path` reads that path. Anything else may be a revision, and is checked
 * as a path. `listed`: text, but only with the option that lists; without it, it would be created. `one`: a second one would be
 * written.
 */
type GitOperands =
  'none' | 'files' | 'revisions or files' | 'pattern, then revisions or files' | 'text' | 'listed' | 'one';

/** What a subcommand of git may have without a question. */
export interface GitCommand {
  readonly table: FlagTable;
  readonly operands: GitOperands;
  readonly content?: 'always' | 'with a patch' | undefined;
  /** Without one of its options it would change things. */
  readonly needsOption?: true | undefined;
}

/** One field of a reference, but not its signature: that runs a program too. */
const SORT_KEY = /^-?(?!signature)[a-z]+$/;

/** Fields of a reference without signatures, which run a program, without the content of what it names, and without huge widths. */
const REF_FORMAT = /^(?!.*%\([^)]*(?:signature|raw|contents|trailers|describe|align[^)]*\d{4}))/s;

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

const BLAME: GitCommand = {
  table: {
    short: 'wMCeslftnp',
    long: 'porcelain line-porcelain show-email root',
    values: { 'L date': ANY },
  },
  operands: 'revisions or files',
  content: 'always',
};

/** Subcommands that only read with these flags. Branches and tags can be listed but not named, so none is created. */
export const gitCommands: Readonly<Record<string, GitCommand>> = {
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
    operands: 'listed',
  },
  tag: {
    table: { short: 'l', long: 'list no-column', values: { sort: SORT_KEY }, optional: { n: NUMBER } },
    operands: 'listed',
  },
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
  annotate: BLAME,
  blame: BLAME,
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
  // The configuration can make it show content.
  'stash show': {
    table: { long: 'stat numstat shortstat name-only name-status' },
    operands: 'text',
    content: 'always',
  },
  version: { table: { long: 'build-options' }, operands: 'none' },
  'ls-tree': {
    table: {
      short: 'dtrlz',
      long: 'long name-only name-status object-only full-name full-tree',
      optional: { abbrev: NUMBER },
    },
    operands: 'revisions or files',
  },
  'rev-list': {
    table: {
      long:
        'count all first-parent merges no-merges reverse oneline parents children left-right cherry-pick ancestry-path ' +
        'topo-order date-order abbrev-commit no-abbrev-commit timestamp regexp-ignore-case extended-regexp fixed-strings',
      values: { 'n author committer grep since after until before max-count skip': ANY },
      optional: { 'branches tags remotes abbrev': ANY },
      allowsNumber: true,
    },
    operands: 'revisions or files',
  },
  // Not --textconv and --filters, which run programs, nor --batch, which reads names.
  'cat-file': { table: { short: 'ptse' }, operands: 'revisions or files', content: 'always' },
  'diff-tree': {
    table: { ...DIFF, short: `${DIFF.short}rtm`, long: `${DIFF.long} no-commit-id root` },
    operands: 'revisions or files',
    content: 'with a patch',
  },
  'diff-index': { table: DIFF, operands: 'revisions or files', content: 'with a patch' },
  'diff-files': { table: DIFF, operands: 'revisions or files', content: 'with a patch' },
  whatchanged: { table: LOG, operands: 'revisions or files', content: 'with a patch' },
  shortlog: {
    table: {
      short: 'snec',
      long: 'summary numbered email committer all merges no-merges',
      values: { 'since after until before author grep': ANY },
    },
    operands: 'revisions or files',
  },
  'show-ref': { table: { short: 'dq', long: 'heads branches tags head dereference verify quiet' }, operands: 'text' },
  'for-each-ref': {
    table: { values: { sort: SORT_KEY, count: NUMBER, format: REF_FORMAT }, long: 'ignore-case' },
    operands: 'text',
  },
  'symbolic-ref': { table: { short: 'q', long: 'short quiet' }, operands: 'one' },
  'name-rev': { table: { long: 'name-only tags always no-undefined' }, operands: 'text' },
  archive: { table: { short: 'l', long: 'list' }, operands: 'none', needsOption: true },
  // These show what a patch would change.
  apply: { table: { long: 'stat numstat summary' }, operands: 'files', needsOption: true },
  'notes list': { table: {}, operands: 'text' },
  'range-diff': { table: DIFF, operands: 'text', content: 'always' },
  cherry: { table: { short: 'v' }, operands: 'text' },
  'count-objects': { table: { short: 'vH', long: 'verbose human-readable' }, operands: 'none' },
  'check-ignore': {
    table: { short: 'vnq', long: 'verbose non-matching quiet no-index' },
    operands: 'revisions or files',
  },
  'merge-base': { table: { short: 'a', long: 'all is-ancestor fork-point octopus' }, operands: 'text' },
};
