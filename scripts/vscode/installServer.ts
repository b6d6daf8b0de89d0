import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandFailed, runCommand } from '../process';
import { projectRoot } from '../projectRoot';

/** The package with VS Code built as a server with its web workbench, and the Node release it needs. */
const serverPackage = 'code-server';
const serverVersion = '4.139.1';
const nodeMajor = '24';

/** The paths of an installed VS Code server. */
export interface VSCodeServerInstall {
  /** The Node binary for the server, not the one that runs this script. */
  readonly node: string;
  /** The folder of VS Code itself, with `out/server-main.js` and `extensions`. */
  readonly vscode: string;
}

type Report = (line: string) => void;

/**
 * Installs the VS Code server into `.vscode-test` if it is missing, and returns its paths. Safe to repeat:
 * the "complete" stamp is written last, and an interrupted install starts again.
 * Throws an `Error` whose message names the missing part and how to get it.
 */
export async function installServer(report: Report = console.log): Promise<VSCodeServerInstall> {
  const folder = path.join(projectRoot, '.vscode-test', `vscode-server-${serverVersion}`);
  const nodePackage = `node-${platformName()}-${process.arch}`;
  const install: VSCodeServerInstall = {
    node: path.join(folder, 'node_modules', nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    vscode: path.join(folder, 'node_modules', serverPackage, 'lib', 'vscode'),
  };
  const stamp = path.join(folder, 'installed.json');
  const wanted = JSON.stringify({ server: serverVersion, node: nodePackage, nodeMajor });
  if (existsSync(stamp) && existsSync(install.node) && (await readFile(stamp, 'utf8')) === wanted) return install;

  report(
    `Installing the VS Code server (${serverPackage} ${serverVersion}, about 600 MB, into .vscode-test; once) ...`,
  );
  await requireBuildTools();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');

  report(`  1/4 ${serverPackage} and Node ${nodeMajor}`);
  await npm(folder, [
    'install',
    '--ignore-scripts',
    `${serverPackage}@${serverVersion}`,
    `${nodePackage}@${nodeMajor}`,
  ]);
  report('  2/4 the modules of VS Code');
  await npm(install.vscode, ['install', '--omit=dev', '--ignore-scripts']);
  report('  3/4 its native modules (compiled here)');
  await npm(
    install.vscode,
    ['rebuild', '--ignore-scripts=false', '@vscode/spdlog', '@vscode/native-watchdog'],
    environmentOfNode(install.node),
  );
  report('  4/4 the modules of its built-in extensions');
  await npm(path.join(install.vscode, 'extensions'), ['install', '--omit=dev', '--ignore-scripts']);
  await writeFile(stamp, wanted);
  report('  The VS Code server is installed.');
  return install;
}

function platformName(): string {
  return process.platform === 'win32' ? 'win' : process.platform;
}

/** The environment to compile native modules for and with the given Node binary. */
function environmentOfNode(node: string): NodeJS.ProcessEnv {
  const bin = path.dirname(node);
  return {
    ...process.env,
    npm_config_nodedir: path.dirname(bin),
    PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
  };
}

async function npm(cwd: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<void> {
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  try {
    await runCommand(command, [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, env });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new Error(
      `The VS Code server could not be installed. ${error.message}\n` +
        'It comes from the npm registry: check the connection and the "registry" setting of npm, then run the command ' +
        'again. It starts afresh.',
      { cause: error },
    );
  }
}

/** Checks the needs of compiling two small native modules before fetching 600 MB. */
async function requireBuildTools(): Promise<void> {
  if (process.platform === 'win32') return;
  const missing: string[] = [];
  for (const tool of ['python3', 'make', 'g++']) {
    try {
      await runCommand(tool, ['--version']);
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      missing.push(tool);
    }
  }
  if (missing.length === 0) return;
  const wayOut = process.platform === 'darwin' ? 'xcode-select --install' : 'sudo apt-get install -y python3 make g++';
  throw new Error(
    `The VS Code server needs ${missing.join(', ')} to compile two native modules. Install with: ${wayOut}`,
  );
}
