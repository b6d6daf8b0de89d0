import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { ModelServer, type CompletionRequest, type Turn } from '../support/servers/modelServer';

const file = 'src/add.ts';
const original = 'export function add(a: number, b: number): number {\n  return a + b;\n}\n';

/** A whole conversation driven by commands. The end-to-end tests cover what the panel shows. */
describe('A conversation', () => {
  let server: ModelServer;
  let onDisk: string;

  before(async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    onDisk = path.join(folder, file);
    server = await ModelServer.start();
    await set('openAgent', 'baseUrl', server.baseUrl);
    await set('files', 'autoSave', 'off');
  });

  beforeEach(async () => {
    writeFileSync(onDisk, original);
    await vscode.commands.executeCommand('openAgent.newSession');
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('openAgent.stop');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.deepEqual(server.unexpected, []);
  });

  after(async () => {
    await set('openAgent', 'baseUrl', undefined);
    await set('files', 'autoSave', undefined);
    await server.dispose();
  });

  function set(section: string, name: string, value: unknown): Thenable<void> {
    return vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
  }

  /** Resolves with the result of `look`, which runs again after every event. */
  function until<T>(event: vscode.Event<unknown>, look: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = look();
        if (found === undefined) return;
        subscription.dispose();
        resolve(found);
      };
      const subscription = event(check);
      check();
    });
  }

  async function openFile(): Promise<vscode.TextEditor> {
    const document = await vscode.workspace.openTextDocument(onDisk);
    // VS Code notices a file written behind the editor's back a little later.
    await until(vscode.workspace.onDidChangeTextDocument, () => document.getText() === original || undefined);
    return vscode.window.showTextDocument(document);
  }

  async function type(document: vscode.TextDocument, before: string, after: string): Promise<void> {
    const start = document.getText().indexOf(before);
    assert.notEqual(start, -1);
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length));
    edit.replace(document.uri, range, after);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  const proposals = (): readonly vscode.TabInputTextDiff[] =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap(({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'open-agent-proposal' ? [input] : [],
      );

  /** The diff of the proposed edit, as soon as it is on screen. */
  const proposed = (): Promise<vscode.TabInputTextDiff> =>
    until(vscode.window.tabGroups.onDidChangeTabs, () => proposals()[0]);
  const proposalGone = (): Promise<true> =>
    until(vscode.window.tabGroups.onDidChangeTabs, () => proposals().length === 0 || undefined);

  /** Explains the selected second line; resolves with the model request. */
  async function explain(...turns: readonly Turn[]): Promise<CompletionRequest> {
    const editor = vscode.window.activeTextEditor ?? (await openFile());
    server.script(...turns);
    const coming = server.completion(server.completions.length + 1);
    editor.selection = new vscode.Selection(1, 0, 1, 5);
    await vscode.commands.executeCommand('openAgent.explainSelection');
    return coming;
  }

  const nextRequest = (): Promise<CompletionRequest> => server.completion(server.completions.length + 1);
  const editTurn = (oldText: string, newText: string): Turn => ({
    toolCalls: [{ name: 'apply_edit', arguments: { path: file, edits: [{ old_text: oldText, new_text: newText }] } }],
  });
  const lastMessage = (request: CompletionRequest): string => String(request.body.messages.at(-1)?.content);

  it('sends the selected lines with the prompt', async () => {
    const request = await explain({ text: 'It adds.' });
    assert.equal(await request.closed, 'sent');
    const message = lastMessage(request);
    assert.ok(message.includes('src/add.ts, line 2:'), message);
    assert.ok(message.includes('```typescript\n  return a + b;\n```'), message);
  });

  it('sends unsaved text and tells the model so', async () => {
    const { document } = await openFile();
    await type(document, 'a + b', 'a - b');
    const message = lastMessage(await explain({ text: 'It subtracts.' }));
    assert.ok(message.includes('(not saved yet)') && message.includes('  return a - b;'), message);
  });

  it('applies an accepted edit and closes its diff', async () => {
    await explain(editTurn('a + b', 'b + a'), { text: 'Done.' });
    const { original: left, modified: right } = await proposed();
    assert.equal((await vscode.workspace.openTextDocument(left)).getText(), original);
    assert.equal((await vscode.workspace.openTextDocument(right)).getText(), original.replace('a + b', 'b + a'));
    assert.equal(readFileSync(onDisk, 'utf8'), original);
    const coming = nextRequest();
    await vscode.commands.executeCommand('openAgent.acceptEdit', right);
    await coming;
    assert.equal(readFileSync(onDisk, 'utf8'), original.replace('a + b', 'b + a'));
    await proposalGone();
  });

  it('applies text typed into the proposal, saved or not, and tells the model', async () => {
    await explain(editTurn('a + b', 'b + a'), { text: 'Done.' });
    const { modified } = await proposed();
    const document = await vscode.workspace.openTextDocument(modified);
    await type(document, 'b + a', 'b + a + 0');
    assert.ok(await document.save());
    assert.equal(readFileSync(onDisk, 'utf8'), original);
    await type(document, 'a + 0', 'a + 1');
    assert.equal(document.isDirty, true);
    const coming = nextRequest();
    await vscode.commands.executeCommand('openAgent.acceptEdit', modified);
    const request = await coming;
    assert.equal(readFileSync(onDisk, 'utf8'), original.replace('a + b', 'b + a + 1'));
    assert.match(lastMessage(request), /b \+ a \+ 1/);
    await proposalGone();
  });

  it('builds on unsaved changes and loses none of them', async () => {
    const { document } = await openFile();
    await type(document, 'export function', '/** Adds. */\nexport function');
    await explain(editTurn('a + b', 'b + a'), { text: 'Done.' });
    const { original: left, modified } = await proposed();
    assert.equal((await vscode.workspace.openTextDocument(left)).getText(), `/** Adds. */\n${original}`);
    const coming = nextRequest();
    await vscode.commands.executeCommand('openAgent.acceptEdit', modified);
    await coming;
    const expected = `/** Adds. */\n${original.replace('a + b', 'b + a')}`;
    assert.equal(readFileSync(onDisk, 'utf8'), expected);
    assert.deepEqual([document.getText(), document.isDirty], [expected, false]);
  });

  it('writes nothing when the file changed after the proposal', async () => {
    await explain(editTurn('a + b', 'b + a'), { text: 'I see.' });
    const { modified } = await proposed();
    writeFileSync(onDisk, `// Changed elsewhere.\n${original}`);
    const coming = nextRequest();
    await vscode.commands.executeCommand('openAgent.acceptEdit', modified);
    const message = lastMessage(await coming);
    assert.match(message, /changed/i);
    assert.equal(readFileSync(onDisk, 'utf8'), `// Changed elsewhere.\n${original}`);
  });

  it('creates an accepted file', async () => {
    const created = path.join(path.dirname(onDisk), 'new.ts');
    await explain(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'src/new.ts', content: 'export {};\n' } }] },
      { text: 'Done.' },
    );
    const { original: left, modified } = await proposed();
    assert.equal((await vscode.workspace.openTextDocument(left)).getText(), '');
    const coming = nextRequest();
    await vscode.commands.executeCommand('openAgent.acceptEdit', modified);
    await coming;
    assert.equal(readFileSync(created, 'utf8'), 'export {};\n');
  });

  it('closes the proposal and changes nothing when the run is stopped', async () => {
    await explain(editTurn('a + b', 'b + a'));
    const { modified } = await proposed();
    await type(await vscode.workspace.openTextDocument(modified), 'b + a', 'typed for nothing');
    await vscode.commands.executeCommand('openAgent.stop');
    await proposalGone();
    assert.equal(readFileSync(onDisk, 'utf8'), original);
  });

  it('decides an edit once', async () => {
    await explain(editTurn('a + b', 'b + a'), { text: 'Done.' });
    const { modified } = await proposed();
    const coming = nextRequest();
    await vscode.commands.executeCommand('openAgent.acceptEdit', modified);
    await coming;
    await proposalGone();
    writeFileSync(onDisk, original);
    await vscode.commands.executeCommand('openAgent.acceptEdit', modified);
    assert.equal(readFileSync(onDisk, 'utf8'), original);
  });

  it('uses changed settings from the next message on, without a reload', async () => {
    await explain({ text: 'One.' }).then(({ closed }) => closed);
    await set('openAgent', 'temperature', 0.5);
    const second = await explain({ text: 'Two.' });
    await second.closed;
    assert.equal((second.body as { temperature?: number }).temperature, 0.5);
    await set('openAgent', 'temperature', undefined);
    const third = await explain({ text: 'Three.' });
    assert.equal('temperature' in third.body, false);
  });
});
