import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { CommandFailed, runCommand } from './process';
import { findOnPath } from './findOnPath';

type Report = (line: string) => void;

/** Debian's build without any user interface. The window tests need about a sixth less processor time with it. */
const headlessShell = 'chromium-headless-shell';
const pathNames = [
  headlessShell,
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

/** Arguments for a quiet headless browser, also as root and in a container. */
export const chromiumArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of Chromium or Chrome: from CHROME_PATH, then PATH, then the usual places. Undefined if there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named;
    throw new Error(`CHROME_PATH is "${named}", which is not a program that can be started. Correct it or unset it.`);
  }
  return (
    pathNames.map((name) => findOnPath(name)).find((found) => found !== undefined) ?? usualPlaces().find(isExecutable)
  );
}

/**
 * The path of a browser for tests. If none is installed, installs Debian's or Ubuntu's package as root;
 * otherwise throws an `Error` that names the command to run. Also installs a font, or text would appear as boxes.
 */
export async function requireChromium(report: Report = console.log): Promise<string> {
  const found = findChromium();
  const fonts = (await hasFonts()) ? [] : ['fonts-dejavu-core'];
  if ((found === undefined || fonts.length > 0) && process.platform === 'linux') {
    if (mayInstall()) await installPackages(found === undefined, fonts, report);
    else if (found === undefined)
      throw new Error(missing(`sudo apt-get install -y ${['chromium', ...fonts].join(' ')}`));
  }
  const browser = found ?? findChromium();
  if (browser === undefined) throw new Error(missing(wayOut()));
  return browser;
}

function missing(command: string): string {
  return `No Chromium or Chrome was found. Install one with: ${command}\nor set CHROME_PATH to the browser's program.`;
}

function wayOut(): string {
  if (process.platform === 'darwin') return 'brew install --cask chromium';
  if (process.platform === 'win32') return 'winget install Google.Chrome';
  return 'the package manager of this system, for example: sudo dnf install chromium';
}

function usualPlaces(): readonly string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].map((name) => process.env[name]);
    const programs = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ];
    return roots.flatMap((root) => (root === undefined ? [] : programs.map((program) => path.join(root, program))));
  }
  return ['/snap/bin/chromium', '/usr/lib/chromium/chromium', '/opt/google/chrome/chrome'];
}

function isExecutable(file: string): boolean {
  if (!existsSync(file) || !statSync(file).isFile()) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // A file that is not executable by this user is an answer, not an error.
    return false;
  }
}

async function hasFonts(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  try {
    return (await runCommand('fc-list', ['--format', '%{file}\n'])).trim() !== '';
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return existsSync('/usr/share/fonts/truetype') || existsSync('/usr/share/fonts/opentype');
  }
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && findOnPath('apt-get') !== undefined;
}

async function installPackages(needsBrowser: boolean, fonts: readonly string[], report: Report): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update', '-qq'], { env });
  const packages = [...(needsBrowser ? [await browserPackage()] : []), ...fonts];
  report(`Installing ${packages.join(' and ')} (apt-get) ...`);
  await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}

/** Ubuntu and older versions of Debian do not have the headless shell. */
async function browserPackage(): Promise<string> {
  try {
    await runCommand('apt-cache', ['show', headlessShell]);
    return headlessShell;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return 'chromium';
  }
}
