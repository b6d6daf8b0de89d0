import { createInterface } from 'node:readline';
import { toDisposable, type Disposable } from '../../util/disposable';

/** A person at a keyboard. */
export interface Terminal extends Disposable {
  /** Shows `question` and gives what is typed; `undefined` when the input has ended or `signal` was aborted. */
  ask(question: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<string | undefined>;
  /** Hears Ctrl+C. A question that is open stays open, with nothing typed. */
  onInterrupt(listener: () => void): Disposable;
  /** Hears what is typed while nothing is asked. */
  onLine(listener: (text: string) => void): Disposable;
  /** Hears the end of the input, such as Ctrl+D, and no `dispose`. */
  onEnd(listener: () => void): Disposable;
}

export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Has a terminal say where a paste begins and ends. Source: xterm's control sequences, "bracketed paste mode". */
const MARK_PASTES = '\u001b[?2004h';
const UNMARK_PASTES = '\u001b[?2004l';

/**
 * A terminal over streams, by lines. A paste is one text, whatever lines it has, and nobody has said it before Enter;
 * on a terminal that does not mark pastes, lines that arrive together are one text.
 */
export function openTerminal({ input, output }: TerminalStreams): Terminal {
  const reader = createInterface({ input, output, terminal: true, historySize: 0 });
  output.write(MARK_PASTES);
  const interruptListeners = new Set<() => void>();
  const lineListeners = new Set<(text: string) => void>();
  const endListeners = new Set<() => void>();
  let pending: ((text: string | undefined) => void) | undefined;
  /** Those of a paste that is not sent yet, or that have arrived together. */
  let lines: string[] = [];
  let isPasting = false;
  let isClosed = false;
  let isDisposed = false;

  const settle = (text: string | undefined): void => {
    const resolve = pending;
    pending = undefined;
    if (resolve) resolve(text);
    else if (text !== undefined) for (const listener of [...lineListeners]) listener(text);
  };
  const forgetTyped = (): void => {
    lines = [];
    if (reader.line === '') return;
    reader.write(null, { ctrl: true, name: 'e' });
    reader.write(null, { ctrl: true, name: 'u' });
  };
  // Heard after the reader has: the line that a key ends is the one before.
  const onKey = (_text: string | undefined, key: { readonly name?: string | undefined }): void => {
    if (key.name === 'paste-start') isPasting = true;
    else if (key.name === 'paste-end') isPasting = false;
  };
  input.on('keypress', onKey);
  let isScheduled = false;
  reader.on('line', (line) => {
    lines.push(line);
    if (isPasting || isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      // A question came in between, or Ctrl+C, or a paste goes on.
      if (lines.length === 0 || isPasting) return;
      const text = lines.join('\n');
      lines = [];
      settle(text);
    });
  });
  reader.on('SIGINT', () => {
    forgetTyped();
    isPasting = false;
    output.write('\n');
    for (const listener of [...interruptListeners]) listener();
    if (pending && !isClosed) reader.prompt();
  });
  reader.on('close', () => {
    isClosed = true;
    input.off('keypress', onKey);
    output.write(UNMARK_PASTES);
    if (!isDisposed) for (const listener of [...endListeners]) listener();
    setImmediate(() => settle(undefined));
  });
  const listenTo = <T>(listeners: Set<T>, listener: T): Disposable => {
    listeners.add(listener);
    return toDisposable(() => listeners.delete(listener));
  };

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
        // What was typed or pasted before the question was not meant as its answer.
        forgetTyped();
        reader.prompt();
      });
    },
    onInterrupt: (listener) => listenTo(interruptListeners, listener),
    onLine: (listener) => listenTo(lineListeners, listener),
    onEnd: (listener) => listenTo(endListeners, listener),
    dispose() {
      isDisposed = true;
      reader.close();
    },
  };
}
