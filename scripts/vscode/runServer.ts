import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endProcessGroup, killProcessGroup, startProcessGroup } from '../process';
import type { VSCodeServerInstall } from './installServer';

export interface RunServerOptions {
  readonly install: VSCodeServerInstall;
  /** The folder for user settings, logs and extension storage. Created if missing. */
  readonly serverDataDir: string;
  /** The folder of installed extensions; by default inside `serverDataDir`. */
  readonly extensionsDir?: string | undefined;
  /** Written as the user's settings.json before the server starts. Replaces an existing file. */
  readonly userSettings?: Readonly<Record<string, unknown>> | undefined;
  /** False: every folder is trusted. */
  readonly workspaceTrust: boolean;
  /** True: the window accepts the payload of `workbenchUrl`. For tests only. */
  readonly smokeTestDriver: boolean;
  /** A port, or a range such as `3210-3229` whose first free port is used. By default any free port. */
  readonly port?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
}

export interface WorkbenchTarget {
  /** The folder, or the `.code-workspace` file, that the window opens; a URI for a folder that is not on disk. */
  readonly folder: string;
  /** An extension to load from its development folder. */
  readonly extensionDevelopmentPath?: string | undefined;
  /** A module with `run(): Promise<void>` to execute in the extension host. */
  readonly extensionTestsPath?: string | undefined;
}

/** A VS Code server on loopback. Dispose it, or its processes stay. */
export interface RunningServer extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  readonly serverDataDir: string;
  /** The user's settings.json. VS Code applies changes to it while running. */
  readonly settingsFile: string;
  /** The address that opens a window. */
  workbenchUrl(target: WorkbenchTarget): string;
  /** The end of the server's output, for error messages. */
  output(): string;
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<void>;
  /** Ends the server and everything it started. Safe to repeat. */
  dispose(): Promise<void>;
}

const keptOutput = 20_000;

/** Starts the VS Code server and resolves when it listens. Rejects with the server's output if it ends first. */
export async function runServer(options: RunServerOptions): Promise<RunningServer> {
  const settingsFile = path.join(options.serverDataDir, 'data', 'User', 'settings.json');
  await mkdir(path.dirname(settingsFile), { recursive: true });
  if (options.userSettings !== undefined) {
    await writeFile(settingsFile, `${JSON.stringify(options.userSettings, null, 2)}\n`);
  }
  const child = startProcessGroup(options.install.node, serverArguments(options), {
    env: environmentOfServer(options.env),
  });
  const killOnExit = (): void => killProcessGroup(child);
  process.once('exit', killOnExit);

  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-keptOutput);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });

  const dispose = async (): Promise<void> => {
    await endProcessGroup(child);
    process.off('exit', killOnExit);
  };
  let port: number;
  try {
    port = await listeningPort(child, () => output);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    serverDataDir: options.serverDataDir,
    settingsFile,
    workbenchUrl: (target) => workbenchUrl(port, target),
    output: () => output,
    ended,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

function serverArguments(options: RunServerOptions): readonly string[] {
  return [
    path.join(options.install.vscode, 'out', 'server-main.js'),
    ...['--host', '127.0.0.1', '--port', options.port ?? '0'],
    '--without-connection-token',
    '--accept-server-license-terms',
    ...['--server-data-dir', options.serverDataDir],
    ...['--extensions-dir', options.extensionsDir ?? path.join(options.serverDataDir, 'extensions')],
    ...['--telemetry-level', 'off'],
    // Without this, an extension host outlives its window by three hours.
    ...['--reconnection-grace-time', '5'],
    ...(options.smokeTestDriver ? ['--enable-smoke-test-driver'] : []),
    ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
  ];
}

/** Removes variables of a surrounding VS Code, debugger or Electron, which would change the server's behaviour. */
export function environmentOfServer(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_ENV$|npm_)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...extra };
}

/** The server prints its port once it listens. */
function listeningPort(child: ChildProcess, output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      const match = /Extension host agent listening on (\d+)/.exec(text);
      if (match === null) return;
      child.stdout?.off('data', look);
      resolve(Number(match[1]));
    };
    child.stdout?.on('data', look);
    child.once('error', (error) => reject(new Error(`The VS Code server could not be started: ${error.message}`)));
    child.once('exit', (code) =>
      reject(new Error(`The VS Code server ended with code ${code} at its start.\n${output()}`)),
    );
  });
}

function workbenchUrl(port: number, target: WorkbenchTarget): string {
  const authority = `vscode-remote://127.0.0.1:${port}`;
  const payload: [string, string][] = [];
  if (target.extensionDevelopmentPath !== undefined) {
    payload.push(['extensionDevelopmentPath', authority + urlPath(target.extensionDevelopmentPath)]);
  }
  if (target.extensionTestsPath !== undefined) {
    payload.push(['extensionTestsPath', authority + urlPath(target.extensionTestsPath)]);
  }
  if (payload.length > 0) payload.push(['skipWelcome', 'true']);
  const query = new URLSearchParams({
    [target.folder.endsWith('.code-workspace') ? 'workspace' : 'folder']: urlPath(target.folder),
  });
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://127.0.0.1:${port}/?${query.toString()}`;
}

/** The path part of a URI for an absolute path: `C:\a` becomes `/C:/a`. A URI stays as it is. */
function urlPath(file: string): string {
  if (/^[a-z][a-z0-9+.-]+:\//.test(file)) return file;
  const slashes = file.replaceAll('\\', '/');
  return slashes.startsWith('/') ? slashes : `/${slashes}`;
}
