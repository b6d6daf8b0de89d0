// `npm run package` makes `open-agent.vsix`, or the file named by the only argument.
import { statSync } from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { projectRoot } from './projectRoot';

async function main(): Promise<void> {
  const file = path.resolve(projectRoot, process.argv[2] ?? 'open-agent.vsix');
  // Builds with the script `vscode:prepublish`.
  await createVSIX({ cwd: projectRoot, packagePath: file, dependencies: false });
  console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(2)} MB`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
