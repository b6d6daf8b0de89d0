import * as l10n from '../../../util/l10n';
import type { FolderReading } from '../../paths/folderReading';
import type { FlagTable } from './flags';

/** A call that only reads. */
export interface ReadOnlyCall {
  /** Files and folders that it reads, as written, relative to the command's folder. Still to be checked. */
  readonly reads: readonly string[];
  /** It may show the content of every file below the folders among `reads`. */
  readonly isRecursive?: boolean | undefined;
  /** How it reads the folders among `reads`. Not used for git, which `gitSafety` checks. */
  readonly folders?: FolderReading | undefined;
  /** The name of the program that it starts by itself. */
  readonly starts?: string | undefined;
  /** Set for git, whose configuration can name programs to run. See `gitSafety`. */
  readonly git?: GitReading | undefined;
}

export interface GitReading {
  readonly showsContent: boolean;
  /** The folder in which git works, as written. Absent: that of the command. */
  readonly folder?: string | undefined;
  /** It opens tracked files, also through folders that were replaced by links. */
  readonly readsWorkTree?: boolean | undefined;
  /** It shows the messages of reflogs, which can hold addresses with passwords. */
  readonly showsReflog?: boolean | undefined;
  /** It opens tracked files that were changed. They may be other names (hard links) of protected files. */
  readonly readsChanges?: boolean | undefined;
}

/** Judges the arguments of a call. A string says why it may do more than read, and completes "`call` …". */
export interface Profile {
  (args: readonly string[]): ReadOnlyCall | string;
  /** The options it knows. Absent: it knows whole calls only. */
  readonly table?: FlagTable | undefined;
}

export type ProfileTable = Readonly<Record<string, Profile>>;

export function unknownArgument(argument: string): string {
  return l10n.t('may do more than read: its argument `{0}` is not known', argument);
}

export function canChangeThings(): string {
  return l10n.t('can change things');
}
