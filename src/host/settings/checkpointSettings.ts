import * as vscode from 'vscode';
import type { PruneLimits } from '../../workspace/node/checkpoints/blobFolder';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Reads how many earlier contents of files are kept. A value that is no number counts as the default. */
export function checkpointLimits(): PruneLimits {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  return {
    maxAgeMs: atLeast(configuration.get('checkpoints.maxAgeDays'), 1, 30) * DAY_MS,
    maxBytes: atLeast(configuration.get('checkpoints.maxSizeMB'), 10, 500) * 1_000_000,
  };
}

function atLeast(value: unknown, minimum: number, usual: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(value, minimum) : usual;
}
