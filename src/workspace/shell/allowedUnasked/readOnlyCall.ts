import type { CommandPart, ShellName } from '../parse/analysis';
import { gitProfile } from './gitProfile';
import { posixProfiles } from './posixProfiles';
import { powershellFilters, powershellProfiles } from './powershellProfiles';
import type { ReadOnlyCall } from './profile';

const POSIX = { ...posixProfiles, git: gitProfile };

/**
 * What a call reads when it is one of the built-in commands with flags that only read; otherwise, in words for people,
 * why it is not. A flag that no table has is never guessed at. The paths are yet to be checked.
 */
export function readOnlyCall({ argv, separator, isNamePlain }: CommandPart, shell: ShellName): ReadOnlyCall | string {
  const [name = '', ...args] = argv;
  if (!isNamePlain) return 'the name of the program is quoted or escaped';
  switch (shell) {
    case 'bash':
    case 'sh':
      return Object.hasOwn(POSIX, name) ? (POSIX[name as keyof typeof POSIX]?.(args) ?? NOT_BUILT_IN) : NOT_BUILT_IN;
    case 'powershell': {
      const key = name.toLowerCase();
      if (!Object.hasOwn(powershellProfiles, key)) return NOT_BUILT_IN;
      if (separator === '|' && !powershellFilters.has(key)) return 'it would open what comes through the pipe';
      return powershellProfiles[key]?.(args) ?? NOT_BUILT_IN;
    }
    case 'cmd':
      return NOT_BUILT_IN;
  }
}

const NOT_BUILT_IN = 'it is not one of the commands known to be reading only';
