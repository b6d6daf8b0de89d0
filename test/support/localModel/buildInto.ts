import path from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../../scripts/projectRoot';

/** Builds a program of the tests or the keeper into a folder, as one file. Returns its path. */
export async function buildInto(folder: string, entry: string): Promise<string> {
  const outfile = path.join(folder, `${path.basename(entry, '.ts')}.js`);
  const entryPoints = [path.join(projectRoot, entry)];
  await build({ entryPoints, bundle: true, platform: 'node', target: 'node20', outfile, logLevel: 'error' });
  return outfile;
}
