import type { Worker } from 'node:worker_threads';
import { MATCH_LINES, type LineMatcher, type LineNumbers } from './matchedLines';

/**
 * Matches in a thread, because only ending the thread stops an expression that never ends. The thread starts with the first
 * texts. Ends it when one call takes longer than `timeoutMs`.
 */
export function createMatchThread(regex: RegExp, timeoutMs: number): LineMatcher {
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

/** As source text, the worker needs no file and also works in a bundle. */
async function startWorker(regex: RegExp): Promise<Worker> {
  const { Worker } = await import('node:worker_threads');
  return new Worker(WORKER_SOURCE, { eval: true, workerData: regex });
}

const WORKER_SOURCE = `
const { parentPort, workerData: regex } = require('node:worker_threads');
const match = ${MATCH_LINES};
parentPort.on('message', (texts) => parentPort.postMessage(match(texts, regex)));
`;

interface WorkerLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly source: string;
}

async function askWorker(
  worker: Worker,
  texts: readonly string[],
  { signal, timeoutMs, source }: WorkerLimits,
): Promise<readonly LineNumbers[]> {
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
    const done = (found: readonly LineNumbers[]): void => {
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
