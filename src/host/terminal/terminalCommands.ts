import * as vscode from 'vscode';
import { delay } from '../../util/async/delay';
import { withinTime } from '../../util/async/withinTime';
import { DisposableStore, type Disposable } from '../../util/disposable';
import { withheldVariables } from '../../workspace/node/commands/commandEnvironment';
import { BoundedOutput } from '../../workspace/node/commands/boundedOutput';
import { findShell } from '../../workspace/node/commands/shell';
import type { CommandOutcome, CommandRequest, CommandRunner } from '../../workspace/ports';

export interface TerminalCommandsOptions {
  /** Variables to pass on although they look like secrets; read for each command. Default: none. */
  readonly passedVariables?: (() => readonly string[]) | undefined;
  /** How long to wait for the shell integration of a new terminal. */
  readonly integrationTimeoutMs?: number | undefined;
}

const NAME = 'Open Agent';
const MAX_KEPT = 8000;
/** How long a command may take to end after Ctrl+C. Then its terminal is closed. */
const KILL_AFTER_MS = 2000;

/**
 * Runs commands in a terminal of the window, where the person can type. Shell integration tells when they end. The
 * person's start-up files run, so the meaning of words is unknown. An idle terminal is used again.
 */
export class TerminalCommands implements Pick<CommandRunner, 'run'>, Disposable {
  readonly #integrationTimeoutMs: number;
  readonly #passedVariables: () => readonly string[];
  #idle: vscode.Terminal | undefined;
  /** The names of the variables that the idle terminal does not have, as JSON. */
  #withheldFromIdle = '';

  constructor({ integrationTimeoutMs = 15_000, passedVariables = () => [] }: TerminalCommandsOptions = {}) {
    this.#passedVariables = passedVariables;
    this.#integrationTimeoutMs = integrationTimeoutMs;
  }

  async run(
    request: CommandRequest,
    { signal, onOutput }: { readonly signal: AbortSignal; readonly onOutput: (text: string) => void },
  ): Promise<CommandOutcome> {
    if (request.confinement) return outcome('failed_to_start', 'A command in a terminal cannot be confined.');
    const terminal = this.#terminalFor(request.cwd);
    terminal.show(true);
    const integration = await this.#integrationOf(terminal, signal);
    if (signal.aborted) return outcome('stopped', '');
    if (!integration) return outcome('failed_to_start', NO_INTEGRATION);
    return this.#execute(request, { terminal, integration, signal, onOutput });
  }

  /** Leaves the terminals open: their text belongs to the person. */
  dispose(): void {
    this.#idle = undefined;
  }

  #terminalFor(cwd: string): vscode.Terminal {
    const idle = this.#idle;
    this.#idle = undefined;
    const withheld = withheldVariables(process.env, this.#passedVariables());
    const isFit =
      idle?.exitStatus === undefined &&
      idle?.shellIntegration?.cwd?.fsPath === cwd &&
      JSON.stringify(withheld) === this.#withheldFromIdle;
    if (idle && isFit) return idle;
    this.#withheldFromIdle = JSON.stringify(withheld);
    return vscode.window.createTerminal({
      name: NAME,
      cwd,
      // The model is told about this shell.
      shellPath: findShell().file,
      // `null` removes a variable.
      env: Object.fromEntries(withheld.map((name) => [name, null])),
      isTransient: true,
    });
  }

  async #integrationOf(
    terminal: vscode.Terminal,
    signal: AbortSignal,
  ): Promise<vscode.TerminalShellIntegration | undefined> {
    if (terminal.shellIntegration) return terminal.shellIntegration;
    const arrived = new AbortController();
    const stop = (): void => arrived.abort();
    signal.addEventListener('abort', stop, { once: true });
    const subscriptions = [
      vscode.window.onDidChangeTerminalShellIntegration((event) => event.terminal === terminal && stop()),
      vscode.window.onDidCloseTerminal((closed) => closed === terminal && stop()),
    ];
    await delay(this.#integrationTimeoutMs, arrived.signal);
    for (const subscription of subscriptions) subscription.dispose();
    signal.removeEventListener('abort', stop);
    return terminal.shellIntegration;
  }

  async #execute(
    { command, timeoutMs }: CommandRequest,
    {
      terminal,
      integration,
      signal,
      onOutput,
    }: {
      readonly terminal: vscode.Terminal;
      readonly integration: vscode.TerminalShellIntegration;
      readonly signal: AbortSignal;
      readonly onOutput: (text: string) => void;
    },
  ): Promise<CommandOutcome> {
    const owned = new DisposableStore();
    const output = new BoundedOutput({ maxHead: MAX_KEPT, maxTail: MAX_KEPT });
    const end = new Promise<{ readonly exitCode: number | null }>((resolve) => {
      owned.add(
        vscode.window.onDidEndTerminalShellExecution(
          (event) => event.execution === execution && resolve({ exitCode: event.exitCode ?? null }),
        ),
      );
      owned.add(vscode.window.onDidCloseTerminal((closed) => closed === terminal && resolve({ exitCode: null })));
    });
    const execution = integration.executeCommand(command);
    const reading = read(execution, (text) => {
      output.append(text);
      onOutput(text);
    });
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const first = await withinTime(end, timeoutMs, stopping.signal);
      const ended = first ? 'exited' : signal.aborted ? 'stopped' : 'timed_out';
      const { exitCode } = first ?? (await this.#interrupt(terminal, end));
      await withinTime(reading, KILL_AFTER_MS);
      if (terminal.exitStatus === undefined) this.#idle = terminal;
      return { ...outcome(ended, ''), exitCode, ...output.finish() };
    } finally {
      signal.removeEventListener('abort', stop);
      owned.dispose();
    }
  }

  /** Presses Ctrl+C; then closes the terminal, which ends the command. */
  async #interrupt(
    terminal: vscode.Terminal,
    end: Promise<{ readonly exitCode: number | null }>,
  ): Promise<{ readonly exitCode: number | null }> {
    terminal.sendText('\u0003', false);
    const ended = await withinTime(end, KILL_AFTER_MS);
    if (ended) return ended;
    terminal.dispose();
    return { exitCode: null };
  }
}

/** Creates a runner that sends requests with `inTerminal` to `terminal`. */
export function inTerminalOrNot({
  terminal,
  others,
}: {
  readonly terminal: Pick<CommandRunner, 'run'>;
  readonly others: CommandRunner;
}): CommandRunner {
  return {
    shellName: others.shellName,
    run: (request, options) => (request.inTerminal ? terminal : others).run(request, options),
  };
}

const NO_INTEGRATION =
  'VS Code does not know what runs in the terminal "Open Agent": its shell integration did not start. It needs the ' +
  'setting terminal.integrated.shellIntegration.enabled and start-up files of the shell that leave it alone. Until ' +
  'then set openAgent.commandMode to "background". Nothing was run.';

async function read(execution: vscode.TerminalShellExecution, onText: (text: string) => void): Promise<void> {
  for await (const text of execution.read()) onText(text);
}

function outcome(ended: CommandOutcome['ended'], output: string): CommandOutcome {
  return { exitCode: null, signalName: null, ended, output, omittedBytes: 0 };
}
