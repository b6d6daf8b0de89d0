import { existsSync } from 'node:fs';
import { applyEdits, type EditResult } from '../../edits/applyEdits';
import type { PlanEdits } from '../../ports';
import type { EditWork } from './editWorker';

/** In characters. Shorter texts are planned in less time than a worker needs to start, some 30 ms. */
export const LONG_TEXT = 200_000;

/**
 * Plans edits of long texts in a worker, so that nothing else waits. Without the worker's file, as when the sources run
 * unbuilt, and when a worker fails, it plans in this thread.
 */
export function createWorkerPlanner(workerFile: string): PlanEdits {
  return async (text, edits) => {
    if (text.length < LONG_TEXT || !existsSync(workerFile)) return applyEdits(text, edits);
    try {
      return await planInWorker(workerFile, { text, edits });
    } catch {
      // A worker may find no memory of its own. The plan is the same here, only slower for everything else.
      return applyEdits(text, edits);
    }
  };
}

async function planInWorker(workerFile: string, workerData: EditWork): Promise<EditResult> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(workerFile, { workerData });
  try {
    return await new Promise<EditResult>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The worker ended without a plan.')));
    });
  } finally {
    await worker.terminate();
  }
}
