/** A lock on one session's file, across processes. */
export interface LogLock {
  /**
   * Acquires the lock, or checks that it is still held. Called before every write, so it is usually quick. Rejects
   * with `SessionElsewhere` when another process holds it, and with the system's error when that is unknown.
   */
  acquire(): Promise<void>;
  /** Releases the lock. Does nothing when it was never acquired. */
  release(): Promise<void>;
}

/** Another process writes this session. */
export class SessionElsewhere extends Error {
  override readonly name = 'SessionElsewhere';

  /** The error of `LogLock.acquire`. */
  constructor() {
    super('This session is open in another window.');
  }
}
