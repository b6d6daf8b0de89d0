import * as l10n from '../../../util/l10n';
import type { FolderReading } from '../../paths/folderReading';
import { readFlags, type FlagReading, type FlagTable } from './flags';
import { unknownArgument, type Profile } from './profile';

/** What programs such as `ls` show. With the known flags they follow no links. */
export const NAMES_ONLY: FolderReading = { showsNamesOnly: true, leavesLinks: true };

/**
 * The kind of the arguments that are not flags. `text` names no file; of two files, `one file` would write the second.
 * Of `names` and `folders`, names, sizes and dates are shown.
 */
export type Operands =
  'files' | 'names' | 'folders' | 'one file' | 'text' | 'none' | 'pattern then files' | 'pattern then folders';

/** The profile of a program by the kind of its operands, the flags that only read, and its way to read folders. */
export function profile(operands: Operands, table: FlagTable = {}, reading?: FolderReading): Profile {
  const folders = reading ?? (operands === 'names' || operands === 'folders' ? NAMES_ONLY : undefined);
  const judge: Profile = (args) => {
    const found = readFlags(args, table);
    if (!found.ok) return unknownArgument(found.unknown);
    if (operands === 'none' && found.operands[0] !== undefined) return unknownArgument(found.operands[0]);
    const reads = findReads(operands, found);
    if (operands === 'one file' && reads[1] !== undefined) return l10n.t('would write to `{0}`', reads[1]);
    const isRecursive = table.recursive?.split(' ').some((name) => found.flags.has(name)) === true;
    // `grep x -r` reads the current folder, although BSD opens `-r` there.
    if (isRecursive && reads.every((word) => found.alsoOpened.includes(word))) reads.push('.');
    return {
      reads: operands === 'one file' ? reads.filter((word) => word !== '-') : reads,
      isRecursive,
      ...(folders && reads.length > 0 && { folders }),
    };
  };
  return Object.assign(judge, { table });
}

function findReads(kind: Operands, { flags, operands, alsoOpened }: FlagReading & { readonly ok: true }): string[] {
  // ripgrep takes no pattern when it lists files.
  const hasPattern = flags.has('e') || flags.has('regexp') || flags.has('files');
  const files = operands.slice(hasPattern || !kind.startsWith('pattern') ? 0 : 1);
  switch (kind) {
    case 'none':
    case 'text':
      return [];
    case 'folders':
    case 'pattern then folders':
      return [...(files.length === 0 ? ['.'] : files), ...alsoOpened];
    case 'names':
    case 'one file':
      return [...files, ...alsoOpened];
    case 'files':
    case 'pattern then files':
      return [...files, ...alsoOpened].filter((word) => word !== '-');
  }
}
