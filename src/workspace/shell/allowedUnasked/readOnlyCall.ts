import * as l10n from '../../../util/l10n';
import type { CommandPart, ShellName } from '../parse/analysis';
import { gitProfile } from './gitProfile';
import { posixProfiles } from './posixProfiles';
import { powershellFilters, powershellProfiles } from './powershellProfiles';
import { scriptProfiles } from './scriptProfiles';
import { canChangeThings, type ProfileTable, type ReadOnlyCall } from './profile';

const POSIX: ProfileTable = { ...posixProfiles, ...scriptProfiles, git: gitProfile };

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
      return Object.hasOwn(POSIX, name) ? (POSIX[name]?.(args) ?? canChangeThings()) : canChangeThings();
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
