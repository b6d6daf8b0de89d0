/** The kinds of failures of a set-up. */
export type SetUpErrorCode =
  /** Stopped by the person. What was downloaded stays. */
  | 'paused'
  | 'address'
  | 'redirect'
  /** The host answered with an error, or not at all. */
  | 'host'
  | 'disk_full'
  | 'disk'
  /** The file is not the one that was named. It was deleted. */
  | 'checksum'
  /** Another window or command downloads the same file. */
  | 'busy'
  | 'archive'
  | 'program';

/** An expected failure, with a text for people. */
export class SetUpError extends Error {
  readonly code: SetUpErrorCode;

  constructor(code: SetUpErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SetUpError';
    this.code = code;
  }
}
