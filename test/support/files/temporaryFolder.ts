import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';

/** A folder that `dispose` (or `await using`) removes with everything in it. */
export interface TemporaryFolder extends AsyncDisposable {
  /** The real path without symlinks, so it equals the path that the editor reports. */
  readonly path: string;
  dispose(): Promise<void>;
}

/** Makes a folder with the given files; the keys are paths relative to it, with forward slashes. */
export async function createTemporaryFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<TemporaryFolder> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'open-agent-')));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  return { path: folder, dispose, [Symbol.asyncDispose]: dispose };
}

/** A fresh copy of a folder of this repository. The path is relative to the root of the repository. */
export async function copyToTemporaryFolder(source: string): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder();
  await cp(path.join(projectRoot, source), folder.path, { recursive: true });
  return folder;
}
