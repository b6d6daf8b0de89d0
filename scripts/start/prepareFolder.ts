import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findOnPath } from '../findOnPath';
import { runCommand } from '../process';
import { projectRoot } from '../projectRoot';

/** The folder for the editor profile and the sample copy of `npm start`. OPEN_AGENT_START_FOLDER overrides it. */
export const startFolder: string = process.env['OPEN_AGENT_START_FOLDER'] ?? path.join(projectRoot, '.start');

/** A fresh copy of the sample workspace that may be changed freely. It is a git repository if git is installed. */
export async function copySampleWorkspace(): Promise<string> {
  const folder = path.join(startFolder, 'corner-shop');
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(startFolder, { recursive: true });
  await cp(path.join(projectRoot, 'examples', 'sample-workspace'), folder, { recursive: true });
  if (findOnPath('git') !== undefined) {
    // Otherwise git would treat the copy as an ignored folder of this repository.
    const identity = ['-c', 'user.name=Open Agent', '-c', 'user.email=sample@localhost', '-c', 'commit.gpgsign=false'];
    await runCommand('git', ['init', '--quiet'], { cwd: folder });
    await runCommand('git', ['add', '--all'], { cwd: folder });
    await runCommand('git', [...identity, 'commit', '--quiet', '--no-verify', '-m', 'Open the shop'], { cwd: folder });
  }
  return folder;
}

/** The absolute path of a folder that a person named. Throws if there is none. */
export async function requireFolder(named: string): Promise<string> {
  const folder = path.resolve(named);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Error(`--workspace names "${folder}", and there is no such folder.`);
  return folder;
}

/** Writes settings into a settings.json and keeps its other settings. Undefined removes a setting. */
export async function mergeSettings(file: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const current = await readFile(file, 'utf8').catch(() => '{}');
  await writeFile(file, `${JSON.stringify({ ...parseSettings(current, file), ...changes }, null, 2)}\n`);
}

function parseSettings(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    throw new Error(`${file} is not plain JSON. Mend it, or delete it to begin with fresh settings.`, { cause: error });
  }
}
