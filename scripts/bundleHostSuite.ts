import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from './projectRoot';

/**
 * Bundles `test/host/*.test.ts` into one CommonJS module that exports `run()`, and returns its path. It lies inside the
 * repository, so that `mocha` is found in its `node_modules`.
 */
export async function bundleHostSuite(): Promise<string> {
  const folder = path.join(projectRoot, 'test', 'host');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.test.ts')).toSorted();
  const requires = names.map((name) => `require(${JSON.stringify(`./${name.replaceAll('\\', '/')}`)});`);
  const outfile = path.join(projectRoot, '.vscode-test', 'host-suite', 'index.js');
  await build({
    stdin: {
      contents: `import { runSuite } from './index';\nexport const run = () => runSuite(() => {\n${requires.join('\n')}\n});\n`,
      resolveDir: folder,
      sourcefile: 'hostSuite.ts',
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha'],
    // Packages whose CommonJS build hides parts of themselves from a bundler offer an ES module as well.
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  });
  return outfile;
}
