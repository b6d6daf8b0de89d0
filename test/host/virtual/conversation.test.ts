import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ModelServer, type CompletionRequest, type Turn } from '../../support/servers/modelServer';

const file = vscode.Uri.parse('test-virtual:/lib/src/add.ts');
const add = 'export function add(a: number, b: number): number {\n  return a + b;\n}\n';

describe('A conversation in a workspace with a virtual folder', () => {
  let server: ModelServer;

  before(async () => {
    server = await ModelServer.start();
    await set('openAgent', 'baseUrl', server.baseUrl);
    await vscode.workspace.fs.stat(file);
    await vscode.commands.executeCommand('virtualFolder.reset');
    await vscode.commands.executeCommand('openAgent.newSession');
  });

  after(async () => {
    await vscode.commands.executeCommand('openAgent.stop');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await set('openAgent', 'baseUrl', undefined);
    await server.dispose();
    assert.deepEqual(server.unexpected, []);
  });

  function set(section: string, name: string, value: unknown): Thenable<void> {
    return vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
  }

  /** Asks about the second line of the file; resolves with the model request. */
  async function explain(...turns: readonly Turn[]): Promise<CompletionRequest> {
    const editor = await vscode.window.showTextDocument(file);
    server.script(...turns);
    const coming = server.completion(server.completions.length + 1);
    editor.selection = new vscode.Selection(1, 0, 1, 5);
    await vscode.commands.executeCommand('openAgent.explainSelection');
    return coming;
  }

  const proposals = (): readonly vscode.TabInputTextDiff[] =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap(({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'open-agent-proposal' ? [input] : [],
      );

  function proposed(): Promise<vscode.TabInputTextDiff> {
    return new Promise((resolve) => {
      const check = (): void => {
        const [found] = proposals();
        if (!found) return;
        subscription.dispose();
        resolve(found);
      };
      const subscription = vscode.window.tabGroups.onDidChangeTabs(check);
      check();
    });
  }

  it('tells the model where the folder is, and applies an accepted edit', async () => {
    const first = await explain(
      {
        toolCalls: [
          {
            name: 'apply_edit',
            arguments: { path: 'lib/src/add.ts', edits: [{ old_text: 'a + b', new_text: 'b + a' }] },
          },
        ],
      },
      { text: 'Done.' },
    );
    const [system, user] = first.body.messages;
    assert.match(
      String(system?.content),
      /\n- lib: test-virtual:\/lib\. It is not on disk: commands cannot run there\.\n/,
    );
    assert.match(String(user?.content), /lib\/src\/add\.ts, line 2:/);

    const { original: left, modified: right } = await proposed();
    assert.equal((await vscode.workspace.openTextDocument(left)).getText(), add);
    assert.equal((await vscode.workspace.openTextDocument(right)).getText(), add.replace('a + b', 'b + a'));
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(file)).toString(), add);
    const coming = server.completion(server.completions.length + 1);
    await vscode.commands.executeCommand('openAgent.acceptEdit', right);
    const second = await coming;
    assert.match(String(second.body.messages.at(-1)?.content), /^Edited lib\/src\/add\.ts \(\+1 -1 lines\)/);
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(file)).toString(), add.replace('a + b', 'b + a'));
    assert.equal(await second.closed, 'sent');
  });
});
