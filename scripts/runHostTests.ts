// Runs the host suite in a real VS Code: `runHostTests.ts` in the VS Code server, with headless Chromium as its
// window; `runHostTests.ts --electron` in a desktop VS Code that @vscode/test-electron downloads. `--virtual` runs
// the suite of `test/host/virtual`, in a workspace with one folder on disk and one virtual folder. `--grep TEXT` runs some
// tests; `--verbose` shows the log of the window.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { chromium } from 'playwright-core';
import { copyToTemporaryFolder, createTemporaryFolder } from '../test/support/files/temporaryFolder';
import { installSecondExtension, secondExtension } from '../test/support/window/secondExtension';
import { installVirtualFolder, virtualFolderExtension } from '../test/support/files/virtualFolder';
import { bundleHostSuite } from './bundleHostSuite';
import { chromiumArguments, requireChromium } from './chromium';
import { projectRoot } from './projectRoot';
import { installServer } from './vscode/installServer';
import { quietSettings } from './vscode/quietSettings';
import { runServer } from './vscode/runServer';

const fixtureWorkspace = 'test/fixtures/host-workspace';
const { values } = parseArgs({
  options: {
    electron: { type: 'boolean' },
    grep: { type: 'string' },
    verbose: { type: 'boolean' },
    virtual: { type: 'boolean' },
  },
});
const isVirtual = values.virtual === true;
const mark = '[host suite] ';
const limitMs = 15 * 60_000;

async function runInServer(suite: string): Promise<number> {
  const [install, executablePath] = [await installServer(), await requireChromium()];
  await using workspace = await prepareWorkspace();
  await using data = await createTemporaryFolder();
  await using extensions = isVirtual ? await installVirtualFolder() : await installSecondExtension();
  await using server = await runServer({
    install,
    serverDataDir: data.path,
    extensionsDir: extensions.path,
    userSettings: quietSettings,
    workspaceTrust: false,
    smokeTestDriver: true,
    env: { OPEN_AGENT_HOST_MARK: mark, OPEN_AGENT_HOST_GREP: values.grep },
  });
  const browser = await chromium.launch({ executablePath, args: [...chromiumArguments] });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const exitCode = new Promise<number>((resolve, reject) => {
      const limit = setTimeout(
        () => reject(new Error(`The host suite did not end within ${limitMs / 60_000} minutes.\n${server.output()}`)),
        limitMs,
      );
      const settle = (code: number): void => {
        clearTimeout(limit);
        resolve(code);
      };
      page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => printLog(args)).catch(reject);
      page.exposeFunction('codeAutomationExit', settle).catch(reject);
      page.once('crash', () => reject(new Error('The browser page that showed VS Code crashed.')));
      server.ended.then(() => reject(new Error(`The VS Code server ended early.\n${server.output()}`)), reject);
    });
    await page.goto(
      server.workbenchUrl({
        folder: workspace.path,
        extensionDevelopmentPath: projectRoot,
        extensionTestsPath: suite,
      }),
      { timeout: 120_000 },
    );
    return await exitCode;
  } finally {
    await browser.close();
  }
}

/** Gets every log line of the window. The suite's own lines have the mark; `--verbose` shows the others too. */
function printLog(args: readonly unknown[]): void {
  const [first, ...rest] = args;
  if (typeof first === 'string' && first.startsWith(mark)) console.log(first.slice(mark.length));
  else if (values.verbose) console.log(first, ...rest);
}

async function runInElectron(suite: string): Promise<number> {
  await using workspace = await prepareWorkspace();
  await using data = await createTemporaryFolder();
  return await runTests({
    ...(process.env['VSCODE_VERSION'] === undefined ? {} : { version: process.env['VSCODE_VERSION'] }),
    extensionDevelopmentPath: [projectRoot, isVirtual ? virtualFolderExtension : secondExtension],
    extensionTestsPath: suite,
    extensionTestsEnv: { ...process.env, OPEN_AGENT_HOST_GREP: values.grep },
    launchArgs: [
      workspace.path,
      '--disable-extensions',
      '--disable-workspace-trust',
      `--user-data-dir=${path.join(data.path, 'user')}`,
    ],
  });
}

/** The folder or workspace that the window opens. */
async function prepareWorkspace(): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await copyToTemporaryFolder(fixtureWorkspace);
  if (!isVirtual) return folder;
  const file = path.join(folder.path, 'mixed.code-workspace');
  const folders = [
    { path: '.', name: 'app' },
    { uri: 'test-virtual:/lib', name: 'lib' },
  ];
  await writeFile(file, JSON.stringify({ folders }));
  return { path: file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function main(): Promise<void> {
  const suite = await bundleHostSuite(isVirtual ? 'host/virtual' : 'host');
  const code = values.electron ? await runInElectron(suite) : await runInServer(suite);
  process.exitCode = code === 0 ? 0 : 1;
}

// An `exit` handler ends the server; a signal alone would skip it.
process.once('SIGTERM', () => process.exit(143));

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  if (values.electron) {
    console.error(
      'test:electron needs a download of VS Code and a display (on Linux: xvfb-run -a npm run test:electron). ' +
        'Without them, "npm test -- --only host" runs the same suite in the VS Code server.',
    );
  }
  process.exitCode = 1;
});
