import { createHash } from 'node:crypto';
import type { FileState } from './fileChange';
import type { BlobStore, FileContent } from './ports';

/** The state of a file. Stores nothing. */
export function stateOf(content: FileContent | undefined): FileState {
  if (!content) return null;
  const hash = createHash('sha256').update(content.bytes).digest('hex');
  return { hash, size: content.bytes.byteLength, isExecutable: content.isExecutable };
}

/** Stores the content of a file on the disk, and returns its state. */
export async function keep(content: FileContent | undefined, blobs: BlobStore): Promise<FileState> {
  if (content) await blobs.put(content.bytes, { durable: true });
  return stateOf(content);
}
