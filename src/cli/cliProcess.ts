import type { TerminalStreams } from './terminal/terminal';

/** The process around the command line: what it was started with, and how it is seen and ended. */
export interface CliProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the command was started. */
  readonly cwd: string;
  /** Absolute; empty when there is none. */
  readonly homeDirectory: string;
  readonly platform: string;
  readonly stdin: TerminalStreams['input'] & { readonly isTTY?: boolean | undefined };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  /** Aborted when the process is to end. */
  readonly signal: AbortSignal;
  /** Ends the process at once, whatever goes on. */
  readonly exit: (exitCode: number) => void;
}
