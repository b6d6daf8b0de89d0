import * as vscode from 'vscode';
import type { TerminalRun } from '../../agent/prompts/terminal';
import type { Disposable } from '../../util/disposable';
import { withinTime } from '../../util/async/withinTime';
import { BoundedOutput } from '../../workspace/node/commands/boundedOutput';

const MAX_RUNS = 20;
const MAX_HEAD = 3_000;
const MAX_TAIL = 9_000;
const UNTIL_READ_MS = 1_000;

interface WatchedRun {
  readonly terminal: vscode.Terminal;
  readonly execution: vscode.TerminalShellExecution;
  readonly output: BoundedOutput;
  /** Resolves when all output has come. */
  readonly reading: Promise<void>;
  end: { readonly exitCode: number | undefined } | undefined;
}

/**
 * The newest commands of the window's terminals and their output, from their start. Shell integration tells about them, so
 * commands of other shells are not known. Kept in memory only.
 */
export class TerminalHistory implements Disposable {
  readonly #onInternalError: (error: unknown) => void;
  readonly #subscriptions: readonly vscode.Disposable[];
  #runs: readonly WatchedRun[] = [];

  constructor({ onInternalError }: { readonly onInternalError: (error: unknown) => void }) {
    this.#onInternalError = onInternalError;
    this.#subscriptions = [
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#watch(terminal, execution)),
      vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        const run = this.#runs.find((known) => known.execution === execution);
        if (run) run.end = { exitCode };
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        this.#runs = this.#runs.filter(({ terminal }) => terminal !== closed);
      }),
    ];
  }

  /** The terminal of the newest command. */
  get newestTerminal(): vscode.Terminal | undefined {
    return this.#runs.at(-1)?.terminal;
  }

  /** Waits shortly for output of commands that have ended: VS Code may tell the end first. */
  async untilRead(): Promise<void> {
    const readings = this.#runs.filter(({ end }) => end !== undefined).map(({ reading }) => reading);
    await withinTime(Promise.all(readings), UNTIL_READ_MS);
  }

  /** The commands of a terminal, the oldest first. */
  runsOf(terminal: vscode.Terminal): readonly TerminalRun[] {
    return this.#runs
      .filter((run) => run.terminal === terminal)
      .map(({ execution, output, end }) => ({
        command: execution.commandLine.value,
        output: output.finish().output,
        exitCode: end?.exitCode,
        isRunning: end === undefined,
      }));
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#runs = [];
  }

  #watch(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    const output = new BoundedOutput({ maxHead: MAX_HEAD, maxTail: MAX_TAIL });
    // Only a reading that begins now gets the output from its start.
    const reading = read(execution, output).catch(this.#onInternalError);
    this.#runs = [...this.#runs, { terminal, execution, output, reading, end: undefined }].slice(-MAX_RUNS);
  }
}

async function read(execution: vscode.TerminalShellExecution, output: BoundedOutput): Promise<void> {
  for await (const text of execution.read()) output.append(text);
}
