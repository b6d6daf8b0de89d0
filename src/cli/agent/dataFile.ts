import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DraftRecords } from '../../workspace/node/files/draftRecords';
import { draftName } from '../../workspace/node/files/drafts';

/** Replaces a file of the program's own, as JSON that only its owner can read. A crash leaves the old or the new one. */
export async function writeDataFile(file: string, value: unknown, drafts: DraftRecords): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = await draftName(file);
  const end = await drafts.begin(draft);
  try {
    await writeFile(draft, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
    await end();
  }
}
