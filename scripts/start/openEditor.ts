import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endProcessGroup, startProcessGroup } from '../process';
import { projectRoot } from '../projectRoot';
import type { DesktopEditor } from '../vscode/findDesktop';
import { installServer } from '../vscode/installServer';
import { environmentOfServer, runServer } from '../vscode/runServer';
import { mergeSettings, startFolder } from './prepareFolder';

/** An editor that shows the extension. */
export interface OpenEditor {
  /** The next step for the person; undefined if a window opened by itself. */
  readonly address: string | undefined;
  /** Resolves when the editor ends: undefined if the person closed it, else the cause. */
  readonly ended: Promise<string | undefined>;
  /** Ends the editor. Safe to repeat. */
  dispose(): Promise<void>;
}

export interface OpenOptions {
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The folder is our own copy, so the editor asks nothing about trust. */
  readonly isSample: boolean;
}

/** Settings of the separate profile of `npm start`. The person's settings are not touched. */
const profileSettings = {
  'workbench.startupEditor': 'readme',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
};

/** Opens a window of a desktop editor with the extension from this folder and a profile under `.start`. */
export async function openDesktop(editor: DesktopEditor, options: OpenOptions): Promise<OpenEditor> {
  const userData = path.join(startFolder, 'desktop');
  const settings = { ...profileSettings, ...options.settings };
  await mergeSettings(path.join(userData, 'User', 'settings.json'), settings);
  const windows = process.platform === 'win32';
  const args = [
    '--new-window',
    '--wait',
    `--extensionDevelopmentPath=${projectRoot}`,
    `--user-data-dir=${userData}`,
    `--extensions-dir=${path.join(startFolder, 'desktop-extensions')}`,
    ...(options.isSample ? ['--disable-workspace-trust'] : []),
    options.folder,
  ];
  // On Windows the launcher is a .cmd file, which only the command processor can start.
  const child = windows
    ? startProcessGroup('cmd.exe', ['/d', '/s', '/c', editor.command, ...args], { env: environmentOfServer() })
    : startProcessGroup(editor.command, args, { env: environmentOfServer() });
  child.stdout?.resume();
  child.stderr?.resume();
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) =>
      resolve(`${editor.name} (${editor.command}) could not be started: ${error.message}. Try --server.`),
    );
    child.once('exit', (code) =>
      resolve(code === 0 ? undefined : `${editor.name} (${editor.command}) ended with code ${code}. Try --server.`),
    );
  });
  const dispose = async (): Promise<void> => {
    endDesktopWindow(path.join(userData, 'code.lock'));
    await endProcessGroup(child);
  };
  return { address: undefined, ended, dispose };
}

/** Ends the editor by the process id in its lock file. The launcher starts it outside its own process group. */
function endDesktopWindow(lockFile: string): void {
  if (!existsSync(lockFile)) return;
  const pid = Number.parseInt(readFileSync(lockFile, 'utf8'), 10);
  if (!Number.isInteger(pid) || pid <= 1) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    // A lock file may outlive its editor.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Starts the VS Code server with the extension, for any browser on this machine. */
export async function openServer(options: OpenOptions & { readonly port: string | undefined }): Promise<OpenEditor> {
  const install = await installServer();
  const serverDataDir = path.join(startFolder, 'server');
  const extensionsDir = path.join(startFolder, 'server-extensions');
  await linkExtension(extensionsDir);
  await mergeSettings(path.join(serverDataDir, 'data', 'User', 'settings.json'), {
    ...profileSettings,
    ...options.settings,
  });
  const server = await runServer({
    install,
    serverDataDir,
    extensionsDir,
    workspaceTrust: !options.isSample,
    smokeTestDriver: false,
    port: options.port ?? '3210-3229',
  });
  return {
    address: server.workbenchUrl({ folder: options.folder }),
    ended: server.ended.then(() => `The VS Code server has ended. The last it said:\n${server.output()}`),
    dispose: () => server.dispose(),
  };
}

/**
 * Installs this folder as an extension by a link, so a new build shows after a reload of the window. VS Code's own list of
 * installed extensions is rewritten, because it would keep the version of an earlier start.
 */
async function linkExtension(extensionsDir: string): Promise<void> {
  await rm(extensionsDir, { recursive: true, force: true });
  await mkdir(extensionsDir, { recursive: true });
  const { publisher, name, version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
    publisher: string;
    name: string;
    version: string;
  };
  const relativeLocation = `${publisher}.${name}-${version}`;
  const location = path.join(extensionsDir, relativeLocation);
  await symlink(projectRoot, location, 'junction');
  const entry = {
    identifier: { id: `${publisher}.${name}` },
    version,
    location: { $mid: 1, path: location.replaceAll('\\', '/'), scheme: 'file' },
    relativeLocation,
  };
  await writeFile(path.join(extensionsDir, 'extensions.json'), JSON.stringify([entry]));
}
