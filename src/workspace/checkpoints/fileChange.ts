/** A file at one moment, by what is in it; `null`: it was not there. */
export type FileState = {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  readonly isExecutable: boolean;
} | null;

/** What happened to one file. */
export interface FileChange {
  /** Absolute, below a workspace folder as the person opened it. */
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** `restore`: the person went back to an earlier state, which is a change like any other and can be undone like one. */
export type ChangeCause = 'edit' | 'command' | 'restore';

/** Changes with one cause, to be kept in a session. */
export interface Checkpoint {
  readonly cause: ChangeCause;
  /** For people: the file that was edited, the command that ran. */
  readonly label: string;
  readonly toolUseId?: string | undefined;
  readonly changes: readonly FileChange[];
}

/** Keeps a checkpoint with its session. Resolves once it is on the disk; rejects when it cannot be. */
export type RecordCheckpoint = (checkpoint: Checkpoint) => Promise<void>;

export function isSameState(one: FileState, other: FileState): boolean {
  if (one === null || other === null) return one === other;
  return one.hash === other.hash && one.isExecutable === other.isExecutable;
}
