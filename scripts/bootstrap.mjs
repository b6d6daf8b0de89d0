// Installs the dependencies of this project if needed, then runs one of its TypeScript scripts:
//   node scripts/bootstrap.mjs scripts/start.ts [arguments]
// Plain JavaScript without imports from node_modules, because it runs before they exist.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

function requireNode(minimumMajor, minimumMinor) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > minimumMajor || (major === minimumMajor && minor >= minimumMinor)) return;
  console.error(
    `This project needs Node.js ${minimumMajor}.${minimumMinor} or later; this is ${process.versions.node} ` +
      `(${process.execPath}). Install a current one from https://nodejs.org and run the command again.`,
  );
  process.exit(1);
}

function readLock(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

/** npm keeps a copy of the lock file in node_modules. A package that is missing or different there is out of date. */
function dependenciesAreInstalled() {
  const wanted = readLock(path.join(root, 'package-lock.json'));
  const installed = readLock(path.join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '' || entry.optional || entry.devOptional || entry.peer) return true;
    return installed[name]?.version === entry.version && existsSync(path.join(root, name, 'package.json'));
  });
}

/** Runs a command with the terminal's own input and output; resolves to its exit code. Signals reach it and are awaited. */
function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    // Ctrl+C reaches the whole foreground group. A signal to this process alone must be forwarded.
    const ignore = () => {};
    const forward = () => child.kill('SIGTERM');
    process.on('SIGINT', ignore);
    process.on('SIGTERM', forward);
    process.on('SIGHUP', forward);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', forward);
      process.off('SIGHUP', forward);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

function npm(...args) {
  const windows = process.platform === 'win32';
  return run(windows ? 'npm.cmd' : 'npm', [...args, '--no-audit', '--no-fund'], { shell: windows });
}

async function installDependencies() {
  console.log('Installing the dependencies (npm ci) ...');
  if ((await npm('ci')) === 0) return;
  // npm ci rejects the lock file if a mirror lacks packages of other platforms. This command uses the same versions.
  console.log('npm ci failed, for the reason above. Trying npm install instead ...');
  const code = await npm('install', '--no-save');
  if (code === 0) return;
  console.error(
    `npm install ended with code ${code}; its reason is printed above. Without a connection to the npm registry ` +
      'the dependencies cannot be installed: check the network or the "registry" setting of npm, then run the command again.',
  );
  process.exit(code);
}

requireNode(20, 19);
const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  console.error('Usage: node scripts/bootstrap.mjs scripts/<name>.ts [arguments]');
  process.exit(2);
}
if (!dependenciesAreInstalled()) await installDependencies();
const tsx = pathToFileURL(path.join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
process.exitCode = await run(process.execPath, ['--import', tsx, path.resolve(root, script), ...args]);
