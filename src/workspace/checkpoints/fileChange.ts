/** A file at one moment, by its content; `null`: it did not exist. */
export type FileState = {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  readonly isExecutable: boolean;
} | null;

/** The change of one file. */
export interface FileChange {
  /** Absolute, below a workspace folder as the person opened it. */
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** `restore`: the person went back to an earlier state. This can be undone like any other change. */
export type ChangeCause = 'edit' | 'command' | 'restore';

/** Changes with one cause, kept in a session. */
export interface Checkpoint {
  readonly cause: ChangeCause;
  /** For people: the file that was edited, the command that ran. */
  readonly label: string;
  readonly toolUseId?: string | undefined;
  readonly changes: readonly FileChange[];
}

/** Writes a checkpoint to its session. Resolves when it is on the disk; rejects if that fails. */
export type RecordCheckpoint = (checkpoint: Checkpoint) => Promise<void>;

export function isSameState(one: FileState, other: FileState): boolean {
  if (one === null || other === null) return one === other;
  return one.hash === other.hash && one.isExecutable === other.isExecutable;
}
