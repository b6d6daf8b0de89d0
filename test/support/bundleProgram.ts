import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../scripts/projectRoot';
import { createTemporaryFolder } from './files/temporaryFolder';

/** A program that tests start as a process of its own, again and again. */
export interface BundledProgram extends AsyncDisposable {
  /** Its output can be read; what it says on stderr is shown. */
  start(...args: readonly string[]): ChildProcess;
}

/** Makes one file of a program in `test/support/sessions`, so that it starts quickly. */
export async function bundleProgram(name: string): Promise<BundledProgram> {
  const folder = await createTemporaryFolder();
  const file = path.join(folder.path, `${name}.js`);
  await build({
    entryPoints: [path.join(projectRoot, 'test/support/sessions', `${name}.ts`)],
    bundle: true,
    platform: 'node',
    target: 'node20',
    outfile: file,
    logLevel: 'error',
  });
  return {
    start: (...args) => spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }),
    [Symbol.asyncDispose]: () => folder.dispose(),
  };
}
