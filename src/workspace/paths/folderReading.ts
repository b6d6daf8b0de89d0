import type { GuardedPath } from '../plans';
import type { DirectoryEntry, FileSystem, Root } from '../ports';

/** How a program reads a folder with everything below it. An absent part stands for the widest reading. */
export interface FolderReading {
  /** It shows names, sizes and dates, but no content. */
  readonly showsNamesOnly?: boolean | undefined;
  /** It does not follow links below the folder. */
  readonly leavesLinks?: boolean | undefined;
  /** It leaves out hidden files and what ignore files name, as ripgrep does. */
  readonly obeysIgnoreFiles?: boolean | undefined;
  /** Files and folders with these names are read although they are hidden or ignored. */
  readonly bringsBack?: ((name: string, kind: DirectoryEntry['kind']) => boolean) | undefined;
  /** The names of folders that it does not enter. */
  readonly leavesFolders?: ReadonlySet<string> | undefined;
  /** Whether it shows the content of a file with this name. */
  readonly readsFile?: ((name: string) => boolean) | undefined;
}

/** Something that a program would show, and that must not be shown without a question. */
export type Exposed =
  /** `path` is a display path. */
  | { readonly kind: 'protected' | 'outside'; readonly path: string }
  /** There are too many files to find out. */
  | { readonly kind: 'too many files' };

export interface WalkedWorkspace {
  readonly roots: readonly Root[];
  readonly fileSystem: FileSystem;
  /** Whether reading a file of the workspace needs a question. */
  readonly isProtected: (target: Pick<GuardedPath, 'displayPath' | 'pathInRoot' | 'alsoNamed'>) => boolean;
}
