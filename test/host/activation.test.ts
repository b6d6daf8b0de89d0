import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import packageJson from '../../package.json';

const id = `${packageJson.publisher}.${packageJson.name}`;

describe('Activation', () => {
  let extension: vscode.Extension<unknown>;
  let chunks: string;

  /** The extension's files that this process has loaded. */
  const loaded = (): readonly string[] => Object.keys(require.cache).filter((file) => file.startsWith(chunks));

  before(async () => {
    const found = vscode.extensions.getExtension(id);
    assert.ok(found, `${id} is not there`);
    extension = found;
    chunks = path.join(extension.extensionPath, 'dist', 'extension') + path.sep;
    await extension.activate();
  });

  it('loads one file, and no code of the agent', () => {
    assert.deepEqual(loaded(), [`${chunks}extension.js`]);
  });

  it('loads no more code for commands without the agent', async () => {
    const before = loaded();
    await vscode.commands.executeCommand('openAgent.stop');
    await vscode.commands.executeCommand('openAgent.acceptEdit');
    await vscode.commands.executeCommand('openAgent.showLog');
    assert.deepEqual(loaded(), before);
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  it('loads no code of the agent when an extension adds a tool', async () => {
    const before = loaded();
    const second = vscode.extensions.getExtension<{
      register(name: string, run: () => unknown): vscode.Disposable;
    }>('open-agent-test.second');
    const { register } = await second!.activate();
    const registration = register('lazy', () => assert.fail('nobody calls it'));
    assert.throws(() => register('LAZY', () => ''), /"LAZY" is taken by a tool of open-agent-test\.second/);
    registration.dispose();
    assert.deepEqual(loaded(), before);
  });

  it('registers every command of package.json', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = packageJson.contributes.commands.filter(({ command }) => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  it('runs where the files are', () => {
    assert.equal(extension.extensionKind, vscode.ExtensionKind.Workspace);
  });

  it('binds no key that VS Code uses', async () => {
    const address = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
    const text = (await vscode.workspace.openTextDocument(address)).getText();
    const bindings = text
      .split('\n')
      .map((line) => /"key": "([^"]+)",\s+"command": "([^"]+)"/.exec(line))
      .flatMap((match) => (match ? [{ key: match[1] ?? '', command: match[2] ?? '' }] : []));
    assert.ok(bindings.length > 500, 'the default key bindings could not be read');
    // These keys are shared on purpose: each works in its own place and means the same as elsewhere.
    const shared = new Set(
      ['acceptEdit', 'rejectEdit', 'discardEditHere', 'stop', 'selectMode'].map((name) => `openAgent.${name}`),
    );
    const ours = packageJson.contributes.keybindings.filter(({ command }) => !shared.has(command));
    const taken = ours.filter(({ key }) =>
      bindings.some((binding) => binding.key === key && !binding.command.startsWith('openAgent.')),
    );
    assert.deepEqual(taken, []);
  });

  // The last test: afterwards the agent is loaded.
  it('loads the agent with the first command that needs it', async () => {
    await vscode.commands.executeCommand('openAgent.newSession');
    assert.ok(loaded().includes(`${chunks}agentHost.js`));
  });
});
