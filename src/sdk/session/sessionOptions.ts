import type { ImageStore } from './images/imageStore';
import type { LogLock } from './logLock';
import type { LogStorage } from './logStorage';

/** The options of `openSession`. */
export interface SessionOptions {
  /** Default: the disk. */
  readonly storage?: LogStorage | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Makes an unused id. */
  readonly newId?: (() => string) | undefined;
  /** Calls a function once after so many milliseconds. Disposing the result cancels it. Default: `setTimeout`. */
  readonly setTimer?: ((run: () => void, delayMs: number) => { dispose(): void }) | undefined;
  /** Keeps the images. Default: files in the folder `images` beside the session, or the memory if `storage` is given. */
  readonly images?: ImageStore | undefined;
  /** Keeps other processes from writing the file. Absent: the caller must do that. */
  readonly lock?: LogLock | undefined;
}
