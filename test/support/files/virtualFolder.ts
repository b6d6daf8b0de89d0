import { cp } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { createTemporaryFolder, type TemporaryFolder } from './temporaryFolder';

/** The development folder of the extension that provides `test-virtual:/lib`, a folder not on disk. */
export const virtualFolderExtension = path.join(projectRoot, 'test/fixtures/virtual-folder');

/** A folder of installed extensions that contains it. */
export async function installVirtualFolder(): Promise<TemporaryFolder> {
  const extensions = await createTemporaryFolder();
  const target = path.join(extensions.path, 'open-agent-tests.virtual-folder-0.0.1');
  await cp(virtualFolderExtension, target, { recursive: true });
  return extensions;
}
