import { createHash } from 'node:crypto';
import type { FileState } from './fileChange';
import type { BlobStore, FileContent } from './ports';

/** A file's state; nothing is kept for it. */
export function stateOf(content: FileContent | undefined): FileState {
  if (!content) return null;
  const hash = createHash('sha256').update(content.bytes).digest('hex');
  return { hash, size: content.bytes.byteLength, isExecutable: content.isExecutable };
}

/** Keeps a file's content on the disk. */
export async function keep(content: FileContent | undefined, blobs: BlobStore): Promise<FileState> {
  if (content) await blobs.put(content.bytes, { durable: true });
  return stateOf(content);
}
