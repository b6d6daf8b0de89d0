import { cp } from 'node:fs/promises';
import path from 'node:path';
import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';
import { fixturePath } from '../files/fixturePath';

/** An extension as others write them, for what two of them do together. */
export const secondExtension = fixturePath('second-extension');

/** A folder of extensions, for the VS Code server, with that one in it. */
export async function installSecondExtension(): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder();
  await cp(secondExtension, path.join(folder.path, 'open-agent-test.second-0.0.1'), { recursive: true });
  return folder;
}
