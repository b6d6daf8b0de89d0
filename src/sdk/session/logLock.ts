/** The right to write one session's file, over all processes. */
export interface LogLock {
  /**
   * Takes the right, or makes sure that it is still there; called before every write, so the usual answer is quick.
   * Rejects with `SessionElsewhere` when somebody else has it, and with the system's error when that cannot be told.
   */
  acquire(): Promise<void>;
  /** Gives the right back. Harmless when it was never taken. */
  release(): Promise<void>;
}

/** Another process writes this session. */
export class SessionElsewhere extends Error {
  override readonly name = 'SessionElsewhere';

  constructor() {
    super('This session is open in another window.');
  }
}
