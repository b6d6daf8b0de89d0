import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../scripts/projectRoot';
import { createTemporaryFolder } from './files/temporaryFolder';

/** A program that tests start as a separate process many times. */
export interface BundledProgram extends AsyncDisposable {
  /** Standard output is piped; standard error is shown. */
  start(...args: readonly string[]): ChildProcess;
}

/** Bundles a program of `test/support/sessions` into one file, so it starts quickly. */
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
