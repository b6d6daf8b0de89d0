/** What a command printed. */
export interface ReadText {
  readonly output: string;
  /** Its errors, perhaps not all of them. */
  readonly errors: string;
}

/**
 * Runs a command of the shell that only reads, and gives what it prints. `undefined`: it prints very much, takes long, or prints
 * bytes that are no text. Never rejects.
 */
export type ReadOutput = (request: {
  readonly command: string;
  /** Absolute path. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}) => Promise<ReadText | undefined>;
