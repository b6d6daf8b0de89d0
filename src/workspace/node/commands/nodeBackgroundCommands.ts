import { Emitter } from '../../../util/emitter';
import { delay } from '../../../util/async/delay';
import type { BackgroundCommand, BackgroundCommands, BackgroundStart, CommandOutcome } from '../../ports';
import { lastLineOf } from '../../terminalLines';
import { CommandOutput } from './commandOutput';
import type { ProcessEnding } from '../processes/followProcess';
import { machineOf, type NodeCommandOptions } from './nodeCommandRunner';
import type { OutputFolder } from './outputFolder';
import { startCommand } from './startCommand';

export interface NodeBackgroundOptions extends NodeCommandOptions {
  readonly outputs: OutputFolder;
  readonly onInternalError: (error: unknown) => void;
  /** How long a start waits for the first output, and after that for more of it. */
  readonly firstOutputMs?: number | undefined;
  readonly settleMs?: number | undefined;
}

/** Background commands that end with this object. */
export interface OwnedBackgroundCommands extends BackgroundCommands {
  /** Ends all commands. Resolves when none of their processes runs any more. */
  dispose(): Promise<void>;
}

const MAX_RUNNING = 10;
const MAX_LAST_LINE = 200;
const NOTIFY_MS = 500;

interface Running {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly startedMs: number;
  readonly stopping: AbortController;
  readonly ended: Promise<CommandOutcome>;
  /** The newest output, bounded. */
  readonly newest: () => string;
}

/** Runs background commands as children of this process. Stores their whole output in `outputs`. */
export function createNodeBackgroundCommands(options: NodeBackgroundOptions): OwnedBackgroundCommands {
  const { outputs, onInternalError, maxHead = 8000, maxTail = 8000, firstOutputMs = 3000, settleMs = 500 } = options;
  const machine = machineOf(options);
  const running = new Map<string, Running>();
  const changes = new Emitter<void>(onInternalError);
  let timer: NodeJS.Timeout | undefined;
  let isDisposed = false;
  const changed = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      changes.emit();
    }, NOTIFY_MS);
  };
  const listChanged = (): void => {
    clearTimeout(timer);
    timer = undefined;
    changes.emit();
  };

  return {
    async start(request, { signal }): Promise<BackgroundStart> {
      if (isDisposed) return { kind: 'refused', reason: 'The window is closing.' };
      if (running.size >= MAX_RUNNING) {
        return { kind: 'refused', reason: `${MAX_RUNNING} commands already run in the background. Stop one first.` };
      }
      const stopping = new AbortController();
      const firstOutput = new AbortController();
      let printed = '';
      let newest = '';
      const output = new CommandOutput({
        maxHead,
        maxTail,
        folder: outputs,
        keepsAll: true,
        onText: (text) => {
          if (printed.length < maxHead) printed = (printed + text).slice(0, maxHead);
          firstOutput.abort();
          newest = (newest + text).slice(-2 * MAX_LAST_LINE);
          changed();
        },
      });
      const { id } = output;
      if (id === undefined) return { kind: 'refused', reason: 'Its output cannot be stored: the disk may be full.' };

      const ended = startCommand(request, { machine, output, signal: stopping.signal, lastWords });
      const { command, cwd } = request;
      const one: Running = { id, command, cwd, startedMs: Date.now(), stopping, ended, newest: () => newest };
      running.set(id, one);
      listChanged();
      const whenEnded = ended.finally(() => {
        running.delete(id);
        listChanged();
      });
      const stop = (): void => stopping.abort();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      const waited = new AbortController();
      const outcome = await Promise.race([
        whenEnded,
        delay(firstOutputMs, AbortSignal.any([firstOutput.signal, waited.signal]))
          .then(() => delay(settleMs, waited.signal))
          .then(() => undefined),
      ]);
      waited.abort();
      signal.removeEventListener('abort', stop);
      if (stopping.signal.aborted || outcome) return { kind: 'ended', outcome: await ended };
      return { kind: 'running', id, output: printed };
    },

    list: () => [...running.values()].map(describe),

    async stop(id) {
      const one = running.get(id);
      if (!one) return false;
      one.stopping.abort();
      await one.ended;
      return true;
    },

    onChange: (listener) => changes.on(listener),

    async dispose() {
      isDisposed = true;
      for (const { stopping } of running.values()) stopping.abort();
      while (running.size > 0) await Promise.allSettled([...running.values()].map(({ ended }) => ended));
      clearTimeout(timer);
      changes.dispose();
    },
  };
}

/** The last line of the stored output. */
function lastWords({ ended, exitCode, signalName }: ProcessEnding): string {
  if (ended === 'stopped') return '\n[It was stopped.]\n';
  return `\n[It ended: ${exitCode === null ? (signalName ?? 'by a signal') : `exit code ${exitCode}`}.]\n`;
}

function describe({ id, command, cwd, startedMs, newest }: Running): BackgroundCommand {
  return { id, command, cwd, startedMs, lastLine: lastLineOf(newest(), MAX_LAST_LINE) };
}
