import { createInterface } from 'node:readline';
import { toDisposable, type Disposable } from '../../util/disposable';

/** Asks and hears a person at the keyboard. */
export interface Terminal extends Disposable {
  /** Shows `question` and returns the answer; `undefined` when the input has ended or `signal` was aborted. */
  ask(question: string, options?: QuestionOptions): Promise<string | undefined>;
  /** Called for Ctrl+C. An open question stays open, with nothing typed. */
  onInterrupt(listener: () => void): Disposable;
  /** Called for a line that is typed while no question is open. */
  onLine(listener: (text: string) => void): Disposable;
  /** Called at the end of the input, such as Ctrl+D. Not called by `dispose`. */
  onEnd(listener: () => void): Disposable;
}

export interface QuestionOptions {
  readonly signal?: AbortSignal | undefined;
  /** What is typed is not shown. Default: false. */
  readonly isHidden?: boolean | undefined;
}

export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Makes a terminal mark the begin and end of a paste. Source: xterm's control sequences, "bracketed paste mode". */
const MARK_PASTES = '\u001b[?2004h';
const UNMARK_PASTES = '\u001b[?2004l';

/**
 * A terminal over streams, line by line. A paste is one text, sent with Enter. Where the terminal does not mark pastes,
 * lines that arrive together are one text.
 */
export function openTerminal({ input, output }: TerminalStreams): Terminal {
  /** An answer is being typed that must not be shown. */
  let isHidden = false;
  const shown = new Proxy(output, {
    get(target, name) {
      if (name === 'write' && isHidden) return () => true;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const reader = createInterface({ input, output: shown, terminal: true, historySize: 0 });
  output.write(MARK_PASTES);
  const interruptListeners = new Set<() => void>();
  const lineListeners = new Set<(text: string) => void>();
  const endListeners = new Set<() => void>();
  let pending: ((text: string | undefined) => void) | undefined;
  /** Lines of an unsent paste, or lines that arrived together. */
  let lines: string[] = [];
  let isPasting = false;
  let isClosed = false;
  let isDisposed = false;

  const settle = (text: string | undefined): void => {
    const resolve = pending;
    pending = undefined;
    if (isHidden) output.write('\n');
    isHidden = false;
    if (resolve) resolve(text);
    else if (text !== undefined) for (const listener of [...lineListeners]) listener(text);
  };
  const forgetTyped = (): void => {
    lines = [];
    if (reader.line === '') return;
    reader.write(null, { ctrl: true, name: 'e' });
    reader.write(null, { ctrl: true, name: 'u' });
  };
  // Runs after readline has handled the key, so an ended line is in `lines` already.
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
      // A question, Ctrl+C or an unfinished paste came in between.
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
    if (!pending || isClosed) return;
    const hides = isHidden;
    isHidden = false;
    reader.prompt();
    isHidden = hides;
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
    ask(question, { signal, isHidden: hides = false } = {}) {
      if (isClosed || signal?.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const cancel = (): void => {
          if (pending !== answer) return;
          if (!isHidden) output.write('\n');
          settle(undefined);
        };
        const answer = (text: string | undefined): void => {
          signal?.removeEventListener('abort', cancel);
          resolve(text);
        };
        signal?.addEventListener('abort', cancel, { once: true });
        pending = answer;
        reader.setPrompt(question);
        // Text typed before the question does not answer it.
        forgetTyped();
        reader.prompt();
        isHidden = hides;
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
