import type { Worker } from 'node:worker_threads';
import { Slices } from '../../../util/slices/slices';

/** Finds the lines of texts that match one regular expression. */
export interface LineMatcher extends AsyncDisposable {
  /** For each text, the 0-based numbers of its lines that match. Rejects if it takes too long. One call at a time. */
  match(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/**
 * A trusted expression (literal text) runs here. Any other runs in a thread, because an expression such as `(a+)+$` may
 * never end, and only ending the thread stops it. The thread starts with the first texts.
 */
export function createLineMatcher(
  regex: RegExp,
  { isTrusted, timeoutMs }: { readonly isTrusted: boolean; readonly timeoutMs: number },
): LineMatcher {
  if (isTrusted) {
    return {
      match: async (texts, signal) => {
        const slices = new Slices();
        const found: (readonly number[])[] = [];
        for (const text of texts) {
          found.push(literalLines(text, regex));
          if (slices.isOver()) await slices.pause(signal);
        }
        return found;
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  let worker: Promise<Worker> | undefined;
  return {
    async match(texts, signal) {
      worker ??= startWorker(regex);
      return askWorker(await worker, texts, { signal, timeoutMs, source: regex.source });
    },
    [Symbol.asyncDispose]: async () => {
      await (await worker)?.terminate();
    },
  };
}

/** The lines of a text, without their line ends. Nothing follows a line end at the end. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** As source text, the worker needs no file and also works in a bundle. */
async function startWorker(regex: RegExp): Promise<Worker> {
  const { Worker } = await import('node:worker_threads');
  return new Worker(WORKER_SOURCE, { eval: true, workerData: regex });
}

/** Splits as `linesOf` does. */
const WORKER_SOURCE = `
const { parentPort, workerData: regex } = require('node:worker_threads');
parentPort.on('message', (texts) => {
  parentPort.postMessage(texts.map((text) => {
    const found = [];
    const lines = text.split(/\\r?\\n/);
    if (lines.at(-1) === '') lines.pop();
    lines.forEach((line, index) => { if (regex.test(line)) found.push(index); });
    return found;
  }));
});
`;

function literalLines(text: string, regex: RegExp): readonly number[] {
  // Most files have no match. One search of the whole text is much faster than one of each line.
  if (!regex.test(text)) return [];
  return linesOf(text).flatMap((line, index) => (regex.test(line) ? [index] : []));
}

interface WorkerLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly source: string;
}

async function askWorker(
  worker: Worker,
  texts: readonly string[],
  { signal, timeoutMs, source }: WorkerLimits,
): Promise<readonly (readonly number[])[]> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      fail(new Error(`The regular expression ${source} takes too long. Use a simpler one, or plain text.`));
    }, timeoutMs);
    // Removes its own listeners only: without the worker's, no further message would arrive.
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      worker.off('message', done).off('error', fail).off('exit', ended);
    };
    const done = (found: readonly (readonly number[])[]): void => {
      settle();
      resolve(found);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const ended = (): void => fail(new Error(`The search for ${source} ended unexpectedly.`));
    const stop = (): void => fail(signal.reason as Error);
    signal.addEventListener('abort', stop);
    worker.on('message', done).on('error', fail).on('exit', ended);
    worker.postMessage(texts);
  });
}
