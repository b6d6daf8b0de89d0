// Installs Chromium and the VS Code server if they are missing, before tests that need them run at once.
import { requireChromium } from '../chromium';
import { installServer } from '../vscode/installServer';

async function main(): Promise<void> {
  const { vscode } = await installServer();
  console.log(`VS Code server: ${vscode}`);
  console.log(`Chromium: ${await requireChromium()}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
