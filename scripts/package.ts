// `npm run package` makes `open-agent.vsix`, or the file named by the only argument, `open-agent-bridge.vsix` beside it, and
// the npm package of the SDK.
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { projectRoot } from './projectRoot';
import { packSdk } from './sdkPackage/packSdk';
import { squeezeZip } from './vsix/squeezeZip';

async function main(): Promise<void> {
  const file = path.resolve(projectRoot, fileName());
  // Builds with the script `vscode:prepublish`.
  await createVSIX({ cwd: projectRoot, packagePath: file, dependencies: false });
  const bridge = path.join(path.dirname(file), 'open-agent-bridge.vsix');
  // Built with the other one.
  await createVSIX({ cwd: path.join(projectRoot, 'dist', 'bridge'), packagePath: bridge, dependencies: false });
  for (const vsix of [file, bridge]) await writeFile(vsix, await squeezeZip(await readFile(vsix)));
  for (const made of [file, bridge, await packSdk(projectRoot)]) {
    console.log(`${made}: ${(statSync(made).size / 1e6).toFixed(2)} MB`);
  }
}

/** Ends the process if the arguments are no file name. */
function fileName(): string {
  try {
    const { positionals } = parseArgs({ allowPositionals: true, options: {} });
    if (positionals.length > 1) throw new Error('Only one file can be named.');
    return positionals[0] ?? 'open-agent.vsix';
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: npm run package -- [FILE]`);
    process.exit(2);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
