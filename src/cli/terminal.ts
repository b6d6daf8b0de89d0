import { createInterface } from 'node:readline';
import { toDisposable, type Disposable } from '../util/disposable';

/** A person at a keyboard. */
export interface Terminal extends Disposable {
  /** Shows `question` and gives what is typed; `undefined` when the input has ended or `signal` was aborted. */
  ask(question: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<string | undefined>;
  /** Hears Ctrl+C. */
  onInterrupt(listener: () => void): Disposable;
  /** Hears what is typed while nothing is asked. */
  onLine(listener: (text: string) => void): Disposable;
}

export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** A terminal over streams, by lines. Lines that arrive together (a paste) are one text. */
export function openTerminal({ input, output }: TerminalStreams): Terminal {
  const reader = createInterface({ input, output, terminal: true, historySize: 0 });
  const interruptListeners = new Set<() => void>();
  const lineListeners = new Set<(text: string) => void>();
  let pending: ((text: string | undefined) => void) | undefined;
  let lines: string[] = [];
  let isClosed = false;

  const settle = (text: string | undefined): void => {
    const resolve = pending;
    pending = undefined;
    if (resolve) resolve(text);
    else if (text !== undefined) for (const listener of [...lineListeners]) listener(text);
  };
  reader.on('line', (line) => {
    lines.push(line);
    if (lines.length > 1) return;
    setImmediate(() => {
      const text = lines.join('\n');
      lines = [];
      settle(text);
    });
  });
  reader.on('SIGINT', () => {
    for (const listener of [...interruptListeners]) listener();
  });
  reader.on('close', () => {
    isClosed = true;
    setImmediate(() => settle(undefined));
  });

  return {
    ask(question, { signal } = {}) {
      if (isClosed || signal?.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const cancel = (): void => {
          if (pending !== answer) return;
          output.write('\n');
          settle(undefined);
        };
        const answer = (text: string | undefined): void => {
          signal?.removeEventListener('abort', cancel);
          resolve(text);
        };
        signal?.addEventListener('abort', cancel, { once: true });
        pending = answer;
        reader.setPrompt(question);
        // What was half typed before the question was not meant as its answer.
        if (reader.line !== '') {
          reader.write(null, { ctrl: true, name: 'e' });
          reader.write(null, { ctrl: true, name: 'u' });
        }
        reader.prompt();
      });
    },
    onInterrupt(listener) {
      interruptListeners.add(listener);
      return toDisposable(() => interruptListeners.delete(listener));
    },
    onLine(listener) {
      lineListeners.add(listener);
      return toDisposable(() => lineListeners.delete(listener));
    },
    dispose: () => reader.close(),
  };
}
