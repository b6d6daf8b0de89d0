import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { projectRoot } from '../../scripts/projectRoot';
import { installServer } from '../../scripts/vscode/installServer';
import { installVsix } from '../../scripts/vscode/installVsix';
import { ModelServer } from '../support/servers/modelServer';
import { createTemporaryFolder } from '../support/files/temporaryFolder';
import type { TemporaryFolder } from '../support/files/temporaryFolder';
import { Workbench } from '../support/window/workbench';

/** `npm test` creates this package before it runs these tests. */
const vsix = path.join(projectRoot, 'open-agent.vsix');

describe('the VSIX, installed into a clean VS Code', function () {
  this.timeout(600_000);
  let home: TemporaryFolder;
  let extensionsDir: string;
  let installed: string;

  before(async () => {
    home = await createTemporaryFolder();
    extensionsDir = path.join(home.path, 'extensions');
    const serverDataDir = path.join(home.path, 'data');
    await installVsix({ install: await installServer(), vsix, serverDataDir, extensionsDir });
    const folder = readdirSync(extensionsDir).find((name) => name.startsWith('open-agent.open-agent-vscode-'));
    assert.notEqual(folder, undefined, `installed: ${readdirSync(extensionsDir).join(', ')}`);
    installed = path.join(extensionsDir, folder!);
  });

  after(async () => {
    await home.dispose();
  });

  const files = (): readonly string[] =>
    readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));

  /** What Node runs: the large files of the extension are compressed. */
  const scriptOf = (file: string): string => {
    const bytes = readFileSync(path.join(installed, file));
    return (file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString('utf8');
  };

  it('contains only the files that the extension needs', () => {
    const chunk = /^dist\/(extension\/[\w-]+\.js(\.br)?|webview\/[\w-]+\.js)$/;
    const others = files().filter((file) => !chunk.test(file));
    assert.deepEqual(others.sort(), [
      // VS Code's own manifest of the package.
      '.vsixmanifest',
      'LICENSE.txt',
      'changelog.md',
      'dist/extension/third-party-notices.txt',
      'dist/extension/tree-sitter-bash.wasm.br',
      'dist/extension/tree-sitter-powershell.wasm.br',
      'dist/extension/tree-sitter.wasm.br',
      'dist/webview/codicon.ttf',
      'dist/webview/main.css',
      'dist/webview/third-party-notices.txt',
      'l10n/bundle.l10n.de.json',
      'media/icon.png',
      'media/icon.svg',
      ...['ask', 'back', 'check', 'edit', 'server'].flatMap((name) => [
        `media/walkthrough/${name}.md`,
        `media/walkthrough/${name}.nls.de.md`,
      ]),
      'package.json',
      'package.nls.de.json',
      'package.nls.json',
      'readme.md',
    ]);
    assert.equal(files().includes('dist/extension/extension.js'), true);
    assert.equal(files().includes('dist/webview/main.js'), true);
  });

  it('contains the licences of the bundled packages', () => {
    const notices = (folder: string) =>
      readFileSync(path.join(installed, 'dist', folder, 'third-party-notices.txt'), 'utf8');
    assert.match(notices('extension'), /^openai [\d.]+ \(Apache-2\.0\)$/m);
    assert.match(notices('extension'), /^@vscode\/tree-sitter-wasm /m);
    assert.match(notices('webview'), /^@vscode\/codicons [^]*?Changed: [^]*?\/licenses\/by\/4\.0\/legalcode$/m);
    // The long terms are there once.
    assert.match(notices('extension'), /Apache License\s+Version 2\.0[^]*END OF TERMS AND CONDITIONS/);
    assert.match(notices('webview'), /^dompurify [\d.]+ \([^]*? in \.\.\/extension\/third-party-notices\.txt/m);
  });

  it('contains no code of the practice model', () => {
    const scripts = files().filter((file) => /\.js(\.br)?$/.test(file));
    assert.equal(
      scripts.some((file) => file.endsWith('.br')),
      true,
    );
    // Every answer of the practice model contains its id.
    const traces = scripts.filter((file) => /practice[-_ ]?model/i.test(scriptOf(file)));
    assert.deepEqual(traces, []);
    const practiceModel = readFileSync(path.join(projectRoot, 'scripts/practiceModel/server.ts'), 'utf8');
    assert.match(practiceModel, /practice-model/);
  });

  it('is smaller than 1,100 kB', () => {
    const { size } = statSync(vsix);
    assert.equal(size < 1_100_000, true, `${size} bytes`);
  });

  it('loads at most 60 kB of script to set up a model', () => {
    const chunks = files().filter((file) => /^dist\/extension\/setUpDialog-[\w-]+\.js(\.br)?$/.test(file));
    assert.equal(chunks.length, 1, chunks.join(', '));
    const { length } = scriptOf(chunks[0]!);
    assert.equal(length <= 60_000, true, `${length} characters`);
  });

  it('has a bridge for laptops beside it, smaller than 60 kB', async () => {
    const bridge = path.join(path.dirname(vsix), 'open-agent-bridge.vsix');
    const { size } = statSync(bridge);
    assert.equal(size < 60_000, true, `${size} bytes`);
    const serverDataDir = path.join(home.path, 'bridge-data');
    const bridgeDir = path.join(home.path, 'bridge-extensions');
    await installVsix({ install: await installServer(), vsix: bridge, serverDataDir, extensionsDir: bridgeDir });
    const folder = path.join(bridgeDir, 'open-agent.open-agent-bridge-0.1.0');
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
    assert.deepEqual(names.sort(), [
      '.vsixmanifest',
      'LICENSE.txt',
      'dist/extension.js',
      'dist/webExtension.js',
      'icon.png',
      'l10n/bundle.l10n.de.json',
      'package.json',
      'package.nls.de.json',
      'package.nls.json',
      'readme.md',
      'third-party-notices.txt',
    ]);
  });

  it('loads one file with at most 130 kB of script for the first paint of the panel', () => {
    const folder = path.join(installed, 'dist/webview');
    // Not `import("…")`, which loads later.
    const importsOf = (name: string): readonly (string | undefined)[] =>
      [...readFileSync(path.join(folder, name), 'utf8').matchAll(/(?:\bfrom|\bimport) ?"\.\/([\w-]+\.js)"/g)].map(
        ([, imported]) => imported,
      );
    // A page asks for a second file when it has read the first.
    assert.deepEqual(importsOf('main.js'), []);
    const later = readdirSync(folder).find((name) => name.startsWith('openedViews-')) ?? '';
    assert.equal(importsOf(later).includes('main.js'), true, 'the imports were found');
    const bytes = statSync(path.join(folder, 'main.js')).size;
    assert.equal(bytes <= 130_000, true, `${bytes} bytes`);
  });

  it('answers a prompt', async () => {
    await using folder = await createTemporaryFolder({ 'src/greet.js': "export const greeting = 'Hello';\n" });
    await using server = await ModelServer.start();
    await using workbench = await Workbench.open({
      folder: folder.path,
      extensionDevelopmentPath: null,
      extensionsDir,
      settings: { 'openAgent.baseUrl': server.baseUrl },
    });
    server.script(
      { toolCalls: [{ name: 'read_file', arguments: { path: 'src/greet.js' } }] },
      { text: 'It says **Hello**.' },
    );
    await workbench.runCommand('Open Agent: Focus Chat');
    const composer = workbench.panel().getByLabel('Message to Open Agent');
    await composer.fill('What does greet.js say?');
    await composer.press('Enter');
    await workbench.panel().locator('.markdown strong', { hasText: 'Hello' }).waitFor();
    const { body } = await server.completion(2);
    assert.match(String(body.messages.at(-1)?.content), /export const greeting = 'Hello';/);
    assert.deepEqual(server.unexpected, []);
  });
});
