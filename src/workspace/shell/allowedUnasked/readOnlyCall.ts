import * as l10n from '../../../util/l10n';
import type { CommandPart, ShellName } from '../parse/analysis';
import { gitProfile } from './gitProfile';
import { posixProfiles } from './posixProfiles';
import { powershellFilters, powershellProfiles } from './powershellProfiles';
import { scriptProfiles } from './scriptProfiles';
import { canChangeThings, unknownArgument, type ProfileTable, type ReadOnlyCall } from './profile';

const POSIX: ProfileTable = { ...posixProfiles, ...scriptProfiles, git: gitProfile };

/** Whether some calls of this program of a POSIX system only read. */
export function isKnownReader(name: string): boolean {
  return name === 'timeout' || Object.hasOwn(POSIX, name);
}

/**
 * What a call reads, if it is a built-in command with known flags that only read. A string says why it is not, and
 * completes "`call` …". The paths are still to be checked.
 */
export function readOnlyCall({ argv, separator, isNamePlain }: CommandPart, shell: ShellName): ReadOnlyCall | string {
  const [name = '', ...args] = argv;
  if (!isNamePlain) return l10n.t('has a quoted or escaped program name');
  switch (shell) {
    case 'bash':
    case 'sh':
      if (name === 'timeout') return timedCall(args, shell);
      if (!Object.hasOwn(POSIX, name)) return canChangeThings();
      return name !== 'git' && isAboutItself(args) ? { reads: [] } : (POSIX[name]?.(args) ?? canChangeThings());
    case 'powershell': {
      const key = name.toLowerCase();
      if (!Object.hasOwn(powershellProfiles, key)) return canChangeThings();
      if (separator === '|' && !powershellFilters.has(key)) return l10n.t('would open the files that its input names');
      return powershellProfiles[key]?.(args) ?? canChangeThings();
    }
    case 'cmd':
      return canChangeThings();
  }
}

/**
 * Every known program shows something about itself, or refuses the option. git would start a program for manuals, and a
 * version of it can be one of the workspace.
 */
function isAboutItself(args: readonly string[]): boolean {
  return args.length === 1 && (args[0] === '--help' || args[0] === '--version');
}

/** Commands of the shell itself, where `timeout` would start a program of this name instead. */
const OF_THE_SHELL = /^(?:echo|printf|pwd|true|false|kill|command|test|\[|type|ulimit|umask|timeout)$/;

/** `timeout 5 program …` reads what the program reads. */
function timedCall([time = '', ...argv]: readonly string[], shell: ShellName): ReadOnlyCall | string {
  const [name = ''] = argv;
  if (!/^\d{1,6}(?:\.\d{1,3})?[smh]?$/.test(time)) return unknownArgument(time);
  if (!/^[A-Za-z0-9_+][A-Za-z0-9_.+-]*$/.test(name) || OF_THE_SHELL.test(name)) return unknownArgument(name);
  const call = readOnlyCall({ argv, separator: '', isNamePlain: true }, shell);
  return typeof call === 'string' ? call : { ...call, starts: name };
}
