import * as l10n from '../../../util/l10n';
import type { ShellName } from './analysis';

/**
 * Why the words of a call do not show what it does, because the shell itself runs it: it evaluates its arguments, changes
 * the meaning of later names, or changes the folder. `undefined` for any other call.
 */
export function findUnanalysableName(argv: readonly string[], shell: ShellName): string | undefined {
  const [name = '', first = ''] = argv;
  switch (shell) {
    case 'bash':
    case 'sh':
      if (KEYWORDS.has(name)) return l10n.t('`{0}` is a keyword of the shell', name);
      if (name === 'command' || name === 'type') return findLookUpProblem(argv);
      if (BUILTINS.has(name)) return showsLimits(argv) ? undefined : canDoAnything(name);
      if (MOVES.has(name)) return changesFolder(name);
      // `test -v` and `test -R` evaluate subscripts in a variable's name.
      if (/^(?:test|\[\[?)$/.test(name) && argv.some((word) => word === '-v' || word === '-R'))
        return canDoAnything(name);
      // `printf -v` evaluates subscripts in the variable's name.
      if (name === 'printf' && first.startsWith('-')) return l10n.t('`printf` can set variables of the shell');
      return name.startsWith('%') ? l10n.t('`{0}` resumes a job of the shell', name) : undefined;
    case 'powershell':
      if (POWERSHELL.has(name.toLowerCase())) return canDoAnything(name);
      return POWERSHELL_MOVES.has(name.toLowerCase()) ? changesFolder(name) : undefined;
    case 'cmd':
      if (CMD.has(name.toLowerCase())) return canDoAnything(name);
      return /^(?:cd|chdir|pushd|popd)$/i.test(name) ? changesFolder(name) : undefined;
  }
}

/** Whether a POSIX shell takes an unquoted name for a part of its own language. */
export function isShellKeyword(name: string): boolean {
  return KEYWORDS.has(name);
}

/** `command -v` and `type` look names up. Without an option, `command` runs them. */
function findLookUpProblem([name = '', first = '']: readonly string[]): string | undefined {
  const isLookUp = name === 'type' || first === '-v' || first === '-V';
  return isLookUp ? undefined : canDoAnything(name);
}

/** Without a value they show what is set. */
function showsLimits([name, option, ...more]: readonly string[]): boolean {
  if (name === 'umask') return option === undefined;
  return name === 'ulimit' && more.length === 0 && /^-[anst]$/.test(option ?? '');
}

function canDoAnything(name: string): string {
  return l10n.t('`{0}` can run other commands or change the shell', name);
}

function changesFolder(name: string): string {
  return l10n.t('`{0}` changes the folder of the commands after it', name);
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Source: `compgen -k` of bash 5.2. Without names that are no plain words, such as `{` and `[[`. */
const KEYWORDS = setOf('if then else elif fi case esac for select while until do done in function time coproc');
/**
 * Source: `compgen -b` of bash 5.2, without the harmless ones: echo, printf, pwd, true, false, kill, and those judged
 * by their words: command, test, type.
 */
const BUILTINS = setOf(
  '. : alias bg bind break builtin caller compgen complete compopt continue declare disown enable eval exec ' +
    'exit export fc fg getopts hash help history jobs let local logout mapfile read readarray readonly return set ' +
    'shift shopt source suspend times trap typeset ulimit umask unalias unset wait',
);
const MOVES = setOf('cd pushd popd dirs');
const POWERSHELL = setOf(
  'begin break catch class configuration continue data define do dynamicparam else elseif end enum exit filter finally for ' +
    'foreach from function if in inlinescript parallel param process return sequence switch throw trap try until using ' +
    'var while workflow . % ? where where-object foreach-object invoke-expression iex invoke-command icm ' +
    'invoke-item ii set-alias sal new-alias nal set-item si new-item ni set-variable sv set new-variable nv import-module ipmo ' +
    'new-module nmo add-type start-process saps start start-job sajb invoke-history ihy r set-content sc ' +
    'import-alias ipal update-typedata set-psdebug invoke-wmimethod invoke-cimmethod new-object',
);
const POWERSHELL_MOVES = setOf('cd chdir sl set-location pushd push-location popd pop-location');
const CMD = setOf(
  'assoc call cls cmd color date echo endlocal exit for ftype goto if md mkdir mklink move path pause prompt rd rem ' +
    'rmdir set setlocal shift start time title ver verify vol',
);
