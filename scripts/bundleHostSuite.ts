import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from './projectRoot';

/** A folder of `test/`. Its subfolders are suites of their own. */
export type HostSuite = 'host' | 'host/virtual';

/** The names of the test files of a suite. */
export function hostTestFiles(suite: HostSuite): readonly string[] {
  const names = readdirSync(path.join(projectRoot, 'test', suite));
  return names.filter((name) => name.endsWith('.test.ts')).toSorted();
}

/**
 * Bundles the `*.test.ts` of a folder of `test/` into one CommonJS module that exports `run()`. Returns its path, which is
 * inside the repository, so that `mocha` is found in `node_modules`.
 */
export async function bundleHostSuite(suite: HostSuite): Promise<string> {
  const folder = path.join(projectRoot, 'test', suite);
  const requires = hostTestFiles(suite).map((name) => `require(${JSON.stringify(`./${name}`)});`);
  const outfile = path.join(projectRoot, '.vscode-test', suite.replace('/', '-'), 'index.js');
  await build({
    stdin: {
      contents: `import { runSuite } from ${JSON.stringify(suite === 'host' ? './index' : '../index')};\nexport const run = () => runSuite(() => {\n${requires.join('\n')}\n});\n`,
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
    // Some packages hide parts of their CommonJS build from a bundler, so this prefers their ES module.
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  });
  return outfile;
}
