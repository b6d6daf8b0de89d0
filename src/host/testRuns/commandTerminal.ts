import * as vscode from 'vscode';
import type { CommandOutcome } from '../../workspace/ports';

/** Shows a command that our own runner runs in the terminal of a task. Closing the terminal stops it. */
export class CommandTerminal implements vscode.Pseudoterminal {
  readonly #written = new vscode.EventEmitter<string>();
  readonly #closed = new vscode.EventEmitter<number>();
  readonly #stopping = new AbortController();
  readonly #command: string;
  readonly #run: (signal: AbortSignal, onOutput: (text: string) => void) => Promise<CommandOutcome>;
  /** How the command ended. */
  readonly ended: Promise<CommandOutcome>;
  #end: (outcome: CommandOutcome) => void = () => {};
  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#closed.event;

  constructor(
    command: string,
    run: (signal: AbortSignal, onOutput: (text: string) => void) => Promise<CommandOutcome>,
  ) {
    this.#command = command;
    this.#run = run;
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  open(): void {
    const write = (text: string): void => this.#written.fire(text.replaceAll(/\r?\n/g, '\r\n'));
    write(`> ${this.#command}\n\n`);
    // It never rejects.
    void this.#run(this.#stopping.signal, write).then((outcome) => {
      this.#end(outcome);
      this.#closed.fire(outcome.exitCode ?? 1);
    });
  }

  close(): void {
    this.#stopping.abort();
  }

  /** Ctrl+C stops the command. */
  handleInput(data: string): void {
    if (data === '\u0003') this.#stopping.abort();
  }
}
