import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';

/**
 * An extensions folder with the bridge. A VS Code in a browser runs it in the browser, in a worker, and Open Agent in the
 * extension host of the server: two hosts that see each other's commands only. The caller disposes the folder.
 * `host: 'server'` runs the code for a desktop instead, in the extension host of the server beside Open Agent.
 */
export async function installBridge(host: 'browser' | 'server'): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder();
  const target = path.join(folder.path, 'open-agent.open-agent-bridge-0.1.0');
  await cp(path.join(projectRoot, 'dist', 'bridge'), target, { recursive: true });
  if (host === 'server') {
    const file = path.join(target, 'package.json');
    const { browser: _browser, ...manifest } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...manifest, extensionKind: ['workspace'] }));
  }
  return folder;
}
