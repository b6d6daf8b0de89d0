import * as l10n from '../../util/l10n';
import type { GuardedPath } from '../plans';
import { readPosixWords } from './parse/posixWords';
import { findUnanalysableName, isShellKeyword } from './parse/shellBuiltins';
import { findUnreadable } from './parse/unreadableCharacters';

export type RuleEffect = 'deny' | 'ask' | 'allow';

/**
 * Where a rule comes from. `session` and `workspace`: a card (`workspace` rules are kept in the user's storage). `user`: the
 * user's settings. `workspaceFile`: a file of the workspace, which can only forbid and ask.
 */
export type RuleOrigin = 'session' | 'workspace' | 'user' | 'workspaceFile';

/** Forbids, asks about or allows one program call. Plain data; `formatRule` gives its text. */
export interface CommandRule {
  readonly effect: RuleEffect;
  readonly origin: RuleOrigin;
  /** The exact name and arguments. Empty with `isOpenEnded`: every command. */
  readonly argv: readonly string[];
  /** Any further arguments may follow. */
  readonly isOpenEnded: boolean;
  /**
   * Allow rules only: the real path of the folder where the rule holds. Absent: it holds in the workspace folders
   * themselves.
   */
  readonly folder?: string | undefined;
}

export type ParsedRule =
  { readonly ok: true; readonly rule: CommandRule } | { readonly ok: false; readonly error: string };

/**
 * Reads a rule of the settings: words as in a shell, and `*` as the last word for any further arguments. The error names
 * the rule and says what to write instead.
 */
export function parseRule(
  text: string,
  { effect, origin, folder }: Pick<CommandRule, 'effect' | 'origin' | 'folder'>,
): ParsedRule {
  const refuse = (why: string): ParsedRule => ({
    ok: false,
    error: l10n.t('The rule {0} {1}', JSON.stringify(text), why),
  });
  if (effect === 'allow' && origin === 'workspaceFile') {
    return refuse(l10n.t('is ignored: a file of the workspace cannot allow commands. Put it into your user settings.'));
  }
  const trimmed = text.trim();
  const isOpenEnded = trimmed === '*' || /[ \t]\*$/.test(trimmed);
  const literal = isOpenEnded ? trimmed.slice(0, -1).trimEnd() : trimmed;
  const reading = readPosixWords(literal);
  if (!reading.ok) {
    const hint = reading.reason.includes('(`*`)')
      ? l10n.t('"*" stands alone, as the last word.')
      : l10n.t("Quote such words with '…'.");
    return refuse(l10n.t('cannot be used: {0}. {1}', reading.reason, hint));
  }
  if (reading.tokens.some(({ kind }) => kind !== 'word')) {
    return refuse(l10n.t('has an operator. A rule is about one program; write one rule for each.'));
  }
  const argv = reading.tokens.map((token) => token.text);
  const rule: CommandRule = { effect, origin, argv, isOpenEnded, ...(folder !== undefined && { folder }) };
  if (argv.length === 0 && !isOpenEnded)
    return refuse(l10n.t('is empty. Write a program and its arguments, such as "npm test".'));
  const problem = findNameProblem(rule) ?? (effect === 'allow' ? findAllowProblem(rule, trimmed) : undefined);
  return problem === undefined ? { ok: true, rule } : refuse(problem);
}

/** The text of a rule, which `parseRule` reads back as the same rule. */
export function formatRule({ argv, isOpenEnded }: Pick<CommandRule, 'argv' | 'isOpenEnded'>): string {
  const isBracketAt = (index: number): boolean =>
    argv[0] === '[' && (index === 0 || (index === argv.length - 1 && argv[index] === ']'));
  return [
    ...argv.map((word, index) => (isBracketAt(index) ? word : quoteWord(word))),
    ...(isOpenEnded ? ['*'] : []),
  ].join(' ');
}

/**
 * Whether a rule is about a call. A rule that allows is exact. A rule that forbids or asks matches the program's bare name,
 * in any folder and in any case.
 */
export function matchesRule(rule: CommandRule, argv: readonly string[]): boolean {
  if (rule.effect !== 'allow' && (isBracket(argv[0]) || isBracket(rule.argv[0]))) {
    return matchesRule({ ...rule, argv: withoutBrackets(rule.argv) }, withoutBrackets(argv));
  }
  const isLongEnough = rule.isOpenEnded ? argv.length >= rule.argv.length : argv.length === rule.argv.length;
  if (!isLongEnough) return false;
  return rule.argv.every((word, index) => {
    const actual = argv[index] ?? '';
    if (actual === word) return true;
    return index === 0 && rule.effect !== 'allow' && programName(actual) === programName(word);
  });
}

/** `[ -f a ]` and `[[ -f a ]]` as `test -f a`: a rule that restricts one restricts the other. */
function withoutBrackets(argv: readonly string[]): readonly string[] {
  if (!isBracket(argv[0])) return argv;
  return ['test', ...argv.slice(1, /^\]\]?$/.test(argv.at(-1) ?? '') ? -1 : undefined)];
}

function isBracket(name: string | undefined): boolean {
  return name === '[' || name === '[[';
}

/**
 * The rules that hold in a folder. A restricting rule holds everywhere. A rule that allows holds in its own folder, not
 * below it: the same words can start another program there.
 */
export function rulesIn(
  folder: Pick<GuardedPath, 'realPath' | 'pathInRoot'>,
  rules: readonly CommandRule[],
): readonly CommandRule[] {
  return rules.filter((rule) => {
    if (rule.effect !== 'allow') return true;
    return rule.folder === undefined ? folder.pathInRoot === '' : rule.folder === folder.realPath;
  });
}

/** The first rule with this effect that is about a call. */
export function findRule(
  rules: readonly CommandRule[],
  effect: RuleEffect,
  argv: readonly string[],
): CommandRule | undefined {
  return rules.find((rule) => {
    if (rule.effect !== effect || (effect === 'allow' && rule.origin === 'workspaceFile')) return false;
    return matchesRule(rule, argv);
  });
}

/** A rule's origin, after "from". */
export function originText(origin: RuleOrigin): string {
  switch (origin) {
    case 'session':
      return l10n.t('this session');
    case 'workspace':
      return l10n.t('what you allowed in this workspace');
    case 'user':
      return l10n.t('your settings');
    case 'workspaceFile':
      return l10n.t('a file of this workspace');
  }
}

/** A rule's origin in English, for texts that models read too. */
export function describeOrigin(origin: RuleOrigin): string {
  switch (origin) {
    case 'session':
      return 'this session';
    case 'workspace':
      return 'what you allowed in this workspace';
    case 'user':
      return 'your settings';
    case 'workspaceFile':
      return 'a file of this workspace';
  }
}

/** Why no call begins as a rule does. */
function findNameProblem({ argv, isOpenEnded }: CommandRule): string | undefined {
  const [name] = argv;
  if (name === undefined) return undefined;
  if (name === '[' && !isOpenEnded && argv.at(-1) !== ']')
    return l10n.t('matches no command: "]" is missing at its end.');
  if (/^[A-Za-z_]\w*(?:\[.*\])?\+?=/.test(name)) {
    return l10n.t('matches no command: {0} sets a variable. Begin with the program.', JSON.stringify(name));
  }
  if (/^(?:.*[\\/])?(?:\.\.)?$/.test(name))
    return l10n.t('matches no command: {0} is no program.', JSON.stringify(name));
  if (process.platform !== 'win32' && isShellKeyword(name)) {
    return l10n.t('matches no command: "{0}" is a word of the shell. Write the program that runs.', name);
  }
  return undefined;
}

/** Why a rule cannot allow anything, or would allow everything. */
function findAllowProblem({ argv, isOpenEnded }: CommandRule, text: string): string | undefined {
  const unreadable = isOpenEnded && argv.length === 0 ? undefined : findUnreadable(text);
  if (unreadable !== undefined) return alwaysAsks(unreadable);
  const unanalysable = process.platform === 'win32' ? undefined : findUnanalysableName(argv, 'bash');
  if (argv[0] === '[')
    return l10n.t('can allow nothing: brackets that test one thing run without a rule, and others always ask.');
  if (argv[0] === 'cd') return l10n.t('can allow nothing: `cd` asks only where it leads outside, and then always.');
  if (unanalysable !== undefined) {
    return alwaysAsks(unanalysable);
  }
  const [name, ...rest] = argv;
  if (name !== undefined && !/^(?:[A-Za-z0-9_./\\:+-]+)$/.test(name)) {
    return l10n.t('can allow nothing: {0} has characters with which a program always asks.', JSON.stringify(name));
  }
  if (!isOpenEnded) return undefined;
  if (name === undefined) return l10n.t('would allow every command, which is not possible.');
  if (rest.length === 0 && RUNS_ANYTHING.has(programName(name))) {
    return l10n.t('would allow every command, because {0} can run other programs. Write out its arguments.', name);
  }
  return undefined;
}

function alwaysAsks(reason: string): string {
  return l10n.t('can allow nothing, because such a command always asks: {0}.', reason);
}

/** Programs that run other programs, given as arguments or options. */
const RUNS_ANYTHING: ReadonlySet<string> = new Set(
  (
    'sh bash dash zsh fish ksh csh tcsh busybox pwsh powershell cmd wsl sudo doas su env nice nohup setsid timeout time stdbuf ' +
    'xargs parallel watch strace ltrace gdb unshare chroot nsenter bwrap ssh docker podman kubectl git make cmake find awk gawk ' +
    'sed perl ruby php lua node deno bun python python2 python3 npx npm pnpm yarn pipx uv uvx cargo go tsx ts-node eval exec'
  ).split(' '),
);

/** A program's name without folder, case and ending. */
export function programName(word: string): string {
  const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
}

/** A word as a POSIX shell reads it: bare if that is safe, else in quotes. */
export function quoteWord(word: string): string {
  if (/^[A-Za-z0-9_./:=@%+,^-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
