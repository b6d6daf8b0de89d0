import { Worker } from 'node:worker_threads';

/** Finds the lines of texts that match one regular expression. */
export interface LineMatcher extends AsyncDisposable {
  /** For each text, given as lines, the 0-based numbers of the matching lines. Rejects if it takes too long. */
  match(texts: readonly (readonly string[])[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/**
 * A trusted expression (literal text) runs here. Any other runs in a thread, because an expression such as `(a+)+$` may never
 * end, and only ending the thread stops it.
 */
export function createLineMatcher(
  regex: RegExp,
  { isTrusted, timeoutMs }: { readonly isTrusted: boolean; readonly timeoutMs: number },
): LineMatcher {
  if (isTrusted) {
    return {
      match: (texts) => Promise.resolve(texts.map((lines) => matchingLines(lines, regex))),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  // As source text, the worker needs no file and also works in a bundle.
  const worker = new Worker(WORKER_SOURCE, { eval: true, workerData: regex });
  return {
    match: (texts, signal) => askWorker(worker, texts, { signal, timeoutMs, source: regex.source }),
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}

const WORKER_SOURCE = `
const { parentPort, workerData: regex } = require('node:worker_threads');
parentPort.on('message', (texts) => {
  parentPort.postMessage(texts.map((lines) => {
    const found = [];
    lines.forEach((line, index) => { if (regex.test(line)) found.push(index); });
    return found;
  }));
});
`;

function matchingLines(lines: readonly string[], regex: RegExp): readonly number[] {
  return lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
}

interface WorkerLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly source: string;
}

async function askWorker(
  worker: Worker,
  texts: readonly (readonly string[])[],
  { signal, timeoutMs, source }: WorkerLimits,
): Promise<readonly (readonly number[])[]> {
  const listeners = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: listeners.signal });
      timer = setTimeout(() => {
        reject(new Error(`The regular expression ${source} takes too long. Use a simpler one, or plain text.`));
      }, timeoutMs);
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.postMessage(texts);
    });
  } finally {
    clearTimeout(timer);
    listeners.abort();
    worker.removeAllListeners();
  }
}
