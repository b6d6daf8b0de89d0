import { readFlags, type FlagTable } from './flags';
import { gitCommands } from './gitCommands';
import { canChangeThings, unknownArgument, type Profile } from './profile';

/** %G… and %+G… check signatures, which runs a program that the configuration names. */
const SIGNATURE = /%[-+ ]?G/;
/** Leaves files out, so nothing more is shown. Other magic of pathspecs can lead elsewhere. */
const EXCLUDED = /^:(?:\(exclude\)|!)(?!.*\.\.)[\w.*][\w./*-]*$/;
/** Settings that hold no address and no program, and no secret. */
const HARMLESS_KEY =
  /^(?:user\.(?:name|email)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.default|core\.(?:autocrlf|eol|filemode|ignorecase|bare|safecrlf)|branch\.[\w./-]+\.(?:remote|merge))$/i;
/** Options with which git shows lines of files, or tells whether they match. */
const SHOWS_LINES = ['p', 'u', 'patch', 'S', 'G', 'L', 'U', 'unified', 'word-diff', 'check'];
/** The options of each subcommand. */
export const gitTables: Readonly<Record<string, FlagTable>> = Object.fromEntries(
  Object.entries(gitCommands).map(([name, { table }]) => [name, table]),
);

/**
 * git with a subcommand that only reads. Of the options before the subcommand, `-C folder` is known: git then works in that folder. Others
 * can name programs, and other repositories.
 */
export const gitProfile: Profile = (args) => {
  const { words, folder } = splitGlobalOptions(args);
  if (folder !== undefined && (folder === '' || folder.startsWith('-'))) return unknownArgument('-C');
  const call = judgeSubcommand(words);
  if (typeof call === 'string' || folder === undefined) return call;
  // Put together without resolving `..`, which is refused later.
  const reads = [folder, ...call.reads.map((read) => `${folder}/${read}`)];
  return { ...call, reads, git: { showsContent: false, ...call.git, folder } };
};

/** Takes `--no-pager` and one `-C folder` off. */
function splitGlobalOptions(args: readonly string[]): {
  readonly words: readonly string[];
  readonly folder?: string | undefined;
} {
  const withoutPager = (words: readonly string[]): readonly string[] =>
    words[0] === '--no-pager' ? words.slice(1) : words;
  const words = withoutPager(args);
  return words[0] === '-C' ? { words: withoutPager(words.slice(2)), folder: words[1] ?? '' } : { words };
}

const judgeSubcommand: Profile = (words) => {
  const length = words[0] === 'stash' || words[0] === 'notes' ? 2 : 1;
  const name = words.slice(0, length).join(' ');
  const rest = words.slice(length);
  if (words.length === 1 && name === '--version') return { reads: [] };
  if (name === 'config') return showsSetting(rest) ? { reads: [], git: { showsContent: false } } : canChangeThings();
  const command = Object.hasOwn(gitCommands, name) ? gitCommands[name] : undefined;
  if (!command) return canChangeThings();
  const signature = rest.find((word) => SIGNATURE.test(word));
  if (signature !== undefined) return unknownArgument(signature);
  const found = readFlags(rest, command.table);
  if (!found.ok) return unknownArgument(found.unknown);
  const { flags, operands } = found;
  if (command.needsOption && flags.size === 0) return canChangeThings();
  const surplus = operands[command.operands === 'none' ? 0 : 1];
  if (surplus !== undefined && /^(?:none|one)$/.test(command.operands)) return unknownArgument(surplus);
  // In old versions, `git branch -l name` makes a branch.
  const isList = flags.has('list') || (name === 'tag' && (flags.has('l') || flags.has('n')));
  if (operands[0] !== undefined && command.operands === 'listed' && !isList) return unknownArgument(operands[0]);
  const reads: string[] = command.operands === 'files' ? operands.filter((operand) => operand !== '-') : [];
  const isPatternFirst = command.operands === 'pattern, then revisions or files' && !flags.has('e');
  // After `--` the first operand may be a file.
  const checked = isPatternFirst && words[words.indexOf(operands[0] ?? '') - 1] !== '--' ? operands.slice(1) : operands;
  for (const operand of command.operands.endsWith('revisions or files') ? checked : []) {
    if (EXCLUDED.test(operand)) continue;
    // Pathspec magic, paths in the index, and paths outside the repository, which git would compare as plain folders.
    if (/^(?::|\.\.(?:[\\/]|$)|[\\/]|[A-Za-z]:[\\/])/.test(operand)) return unknownArgument(operand);
    reads.push(...(operand.includes(':') ? textsAfterColons(operand) : [operand]));
  }
  for (const { name: option, value } of found.values) if (option === 'L') reads.push(...textsAfterColons(value));
  const hasPatch = SHOWS_LINES.some((flag) => flags.has(flag));
  const showsContent = command.content === 'always' || (command.content === 'with a patch' && hasPatch);
  // In the work tree, `git grep` follows a folder that was replaced by a link.
  const readsWorkTree = name === 'grep' && !flags.has('cached');
  const showsReflog =
    /^(?:reflog|stash list)$/.test(name) || (command.table === gitCommands['log']?.table && flags.has('g'));
  const readsChanges = showsContent && /^diff(?:-files|-index)?$/.test(name);
  return {
    reads,
    git: {
      showsContent,
      ...(readsWorkTree && { readsWorkTree }),
      ...(readsChanges && { readsChanges }),
      ...(showsReflog && { showsReflog }),
    },
  };
};

/** `git config user.name` and `git config --get user.name`. With one more word it writes. */
function showsSetting(words: readonly string[]): boolean {
  const keys = words[0] === '--get' ? words.slice(1) : words;
  return keys.length === 1 && HARMLESS_KEY.test(keys[0] ?? '');
}

/**
 * The possible files in `HEAD:file`, `-L 1,5:file` and `-L :function:file`. What comes before the file can have colons too:
 * `HEAD@{10:00}:file`, `HEAD^{/fix: it}:file`.
 */
function textsAfterColons(text: string): readonly string[] {
  const parts = text.split(':');
  return parts.slice(1).map((_, index) => parts.slice(index + 1).join(':'));
}
