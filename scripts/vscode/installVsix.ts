import path from 'node:path';
import { runCommand } from '../process';
import type { VSCodeServerInstall } from './installServer';
import { environmentOfServer } from './runServer';

/**
 * Installs a VSIX into an extensions folder of the VS Code server. To use it, start the server with the same two folders.
 * Rejects with the output of VS Code.
 */
export async function installVsix(options: {
  readonly install: VSCodeServerInstall;
  readonly vsix: string;
  readonly serverDataDir: string;
  readonly extensionsDir: string;
}): Promise<void> {
  const { install, vsix, serverDataDir, extensionsDir } = options;
  await runCommand(
    install.node,
    [
      path.join(install.vscode, 'out', 'server-main.js'),
      ...['--install-extension', vsix, '--force'],
      ...['--extensions-dir', extensionsDir],
      ...['--server-data-dir', serverDataDir],
      '--accept-server-license-terms',
    ],
    { env: environmentOfServer() },
  );
}
