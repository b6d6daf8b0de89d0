import { parentPort, workerData } from 'node:worker_threads';
import { applyEdits } from '../../edits/applyEdits';
import type { TextEdit } from '../../edits/textEdit';

/** The data of a worker that plans edits. It answers once, with an `EditResult`. */
export interface EditWork {
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

const { text, edits } = workerData as EditWork;
parentPort?.postMessage(applyEdits(text, edits));
