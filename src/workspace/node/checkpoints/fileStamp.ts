import type { Stats } from 'node:fs';

/** What a file system says about a file. A change of the file changes it, unless the change came in the same instant. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly mode: number;
  /** The file was last changed long before it was looked at. So a later change has another time. */
  readonly isSettled: boolean;
}

/** File systems count time in steps of up to two seconds, and the clock that they read lags by some milliseconds. */
const COARSEST_CLOCK_MS = 2_100;

/** `lookedMs`: the time directly before the file was looked at, in milliseconds since the epoch. */
export function stampOf({ size, mtimeMs, ctimeMs, ino, mode }: Stats, lookedMs: number): FileStamp {
  // A program can set `mtime` to any time, `ctime` only to now.
  const isSettled = ctimeMs < lookedMs - COARSEST_CLOCK_MS && Math.abs(mtimeMs - lookedMs) > COARSEST_CLOCK_MS;
  return { size, mtimeMs, ctimeMs, ino, mode, isSettled };
}

/** Whether the content is certainly the one that was there when the stamp was taken. */
export function isUnchanged(stamp: FileStamp, { size, mtimeMs, ctimeMs, ino, mode }: Stats): boolean {
  return (
    stamp.isSettled &&
    stamp.size === size &&
    stamp.mtimeMs === mtimeMs &&
    stamp.ctimeMs === ctimeMs &&
    stamp.ino === ino &&
    stamp.mode === mode
  );
}
