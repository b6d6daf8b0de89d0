import { cp } from 'node:fs/promises';
import path from 'node:path';
import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';
import { fixturePath } from '../files/fixturePath';

/** The folder of an extension by another author, for tests of two extensions together. */
export const secondExtension = fixturePath('second-extension');

/** An extensions folder for the VS Code server that contains it. The caller disposes the folder. */
export async function installSecondExtension(): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder();
  await cp(secondExtension, path.join(folder.path, 'open-agent-test.second-0.0.1'), { recursive: true });
  return folder;
}
