import type { TerminalStreams } from './terminal/terminal';

/** The process around the command line. */
export interface CliProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder in which the command was started. */
  readonly cwd: string;
  /** Absolute; empty when there is none. */
  readonly homeDirectory: string;
  readonly platform: string;
  readonly stdin: TerminalStreams['input'] & { readonly isTTY?: boolean | undefined };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  /** Aborted when the process should end. */
  readonly signal: AbortSignal;
  /** Ends the process at once. */
  readonly exit: (exitCode: number) => void;
}
