import type { FileState } from './fileChange';

/** Stores contents by their hash. Equal contents are stored once. */
export interface BlobStore {
  /** Stores bytes and returns their SHA-256 in hex. `durable`: they are on the disk when it resolves. */
  put(bytes: Uint8Array, options?: { readonly durable?: boolean }): Promise<string>;
  /** The bytes, complete and unchanged; `undefined` if they are no longer stored. */
  get(hash: string): Promise<Uint8Array | undefined>;
}

/** The content of a file. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** Files with any content, text or not. Unsaved text in an editor counts as the file's content. */
export interface FileContents {
  /** `undefined` if there is no regular file with exactly this name, even if the file system accepts other spellings. */
  read(path: string): Promise<FileContent | undefined>;
  /** Writes a whole file and its folders. Rejects with `StaleFileError` if the file is not as in `expected`. */
  write(path: string, content: FileContent, expected: FileContent | undefined): Promise<void>;
  /** Deletes a file. Rejects with `StaleFileError` if the file is not as in `expected`. */
  remove(path: string, expected: FileContent): Promise<void>;
}

export interface WorkspaceState {
  readonly files: ReadonlyMap<string, FileState>;
  /** False if there is too much to store. Then it is unknown what a command changed. */
  readonly isComplete: boolean;
}

/** Reads all files of the workspace that git would not ignore, and stores their contents. */
export interface WorkspaceScanner {
  scan(signal: AbortSignal): Promise<WorkspaceState>;
}
