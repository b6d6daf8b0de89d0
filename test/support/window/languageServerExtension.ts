import { cp } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../../../scripts/process';
import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';
import { fixturePath } from '../files/fixturePath';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/**
 * An extensions folder with a language server from npm, and why there is none if it cannot be installed. The caller disposes the
 * folder.
 */
export async function installLanguageServer(): Promise<{
  readonly folder: TemporaryFolder;
  readonly problem?: string | undefined;
}> {
  const folder = await createTemporaryFolder();
  const extension = path.join(folder.path, 'open-agent-test.pyright-client-0.0.1');
  await cp(fixturePath('language-server-extension'), extension, { recursive: true });
  try {
    await runCommand(npm, ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: extension });
    return { folder };
  } catch (error) {
    return { folder, problem: `the language server cannot be installed: ${(error as Error).message.split('\n')[0]}` };
  }
}
