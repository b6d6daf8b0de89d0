import type { FileState } from './fileChange';

/** Contents kept by what is in them. The same bytes are kept once. */
export interface BlobStore {
  /** Keeps bytes and answers their SHA-256 in hex. `durable`: they are on the disk when it resolves. */
  put(bytes: Uint8Array, options?: { readonly durable?: boolean }): Promise<string>;
  /** The bytes, whole and unchanged; `undefined` when they are not kept any more. */
  get(hash: string): Promise<Uint8Array | undefined>;
}

/** A file with what is in it. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** Files with whatever is in them, text or not. Where an editor has unsaved text, that is what the file is. */
export interface FileContents {
  /** `undefined` when there is no regular file of exactly this name, whatever other names the file system takes for it. */
  read(path: string): Promise<FileContent | undefined>;
  /** Writes a file whole, with its folders. Rejects with `StaleFileError` when it is not as in `expected` any more. */
  write(path: string, content: FileContent, expected: FileContent | undefined): Promise<void>;
  /** Deletes a file. Rejects with `StaleFileError` when it is not as in `expected` any more. */
  remove(path: string, expected: FileContent): Promise<void>;
}

export interface WorkspaceState {
  readonly files: ReadonlyMap<string, FileState>;
  /** False when there is too much to keep: then nobody knows what a command changed. */
  readonly isComplete: boolean;
}

/** Looks at all files of the workspace that git would not ignore, and keeps what is in them. */
export interface WorkspaceScanner {
  scan(signal: AbortSignal): Promise<WorkspaceState>;
}
