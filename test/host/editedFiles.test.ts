import assert from 'node:assert/strict';
import { chmod, lstat, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createVscodePorts } from '../../src/host/ports/createVscodePorts';
import { createTools } from '../../src/workspace/tools/createTools';
import { callTool } from '../support/callTool';

/** Edits by the tool, with VS Code's settings and all participants in saving. */
describe('An edited file', () => {
  const root = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
  /** Each test has its own file, because VS Code caches what it knows of a file. */
  let name = '';
  let count = 0;
  const file = (): string => path.join(root(), name);
  const { diagnostics: _unused, ...ports } = createVscodePorts();
  const tools = createTools({ ports, roots: () => [{ name: 'w', path: root() }] });
  const configured: (readonly [section: string, name: string])[] = [];
  const owned: vscode.Disposable[] = [];

  beforeEach(async () => {
    name = `edited-${++count}.probe`;
    await configure('files', 'autoSave', 'off');
  });
  afterEach(async () => {
    for (const one of owned.splice(0)) one.dispose();
    await closeEditors();
    await rm(file(), { force: true });
    for (const [section, name] of configured.splice(0)) await update(section, name, undefined);
  });

  async function configure(section: string, name: string, value: unknown): Promise<void> {
    configured.push([section, name]);
    await update(section, name, value);
  }

  /** Makes the model's edit. `meanwhile` runs while the question waits. */
  async function edit(oldText: string, newText: string, meanwhile: () => Promise<void> = async () => {}) {
    const input = { path: name, old_text: oldText, new_text: newText };
    const result = await callTool(tools, 'apply_edit', input, {
      approve: async (plan) => {
        await meanwhile();
        return plan;
      },
    });
    return 'refused' in result ? { refused: result.refused } : { content: result.content, isError: !!result.isError };
  }

  async function open(): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file()));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  const applied = (lines = '+1 -1'): unknown => ({ content: `Edited ${name} (${lines} lines).`, isError: false });
  const readOnly = (): unknown => ({
    refused: `"${name}" is read-only, so it cannot be changed. Ask the user to make it writable.`,
  });
  const stale = (): unknown => ({
    content: `${name} was changed by someone else in the meantime. Nothing was written. Read it again and repeat the change.`,
    isError: true,
  });
  const bytes = (): Promise<string> => readFile(file(), 'latin1');

  for (const isOpen of [false, true]) {
    const how = isOpen ? 'open in an editor' : 'open nowhere';
    const prepare = async (content: string | Uint8Array): Promise<void> => {
      await writeFile(file(), content);
      if (isOpen) await open();
    };

    it(`keeps its mode, ${how}`, async () => {
      await prepare('#!/bin/sh\necho one\n');
      await chmod(file(), 0o755);
      assert.deepEqual(await edit('one', 'two'), applied());
      assert.equal((await stat(file())).mode & 0o777, 0o755);
      assert.equal(await bytes(), '#!/bin/sh\necho two\n');
    });

    it(`keeps CRLF and its byte order mark, ${how}`, async () => {
      await prepare('\uFEFFone\r\ntwo\r\n');
      assert.deepEqual(await edit('two\n', '2\n3\n'), applied('+2 -1'));
      assert.equal(await readFile(file(), 'utf8'), '\uFEFFone\r\n2\r\n3\r\n');
    });

    it(`is refused in UTF-16, ${how}`, async () => {
      const text = Buffer.from('\uFEFFone\n', 'utf16le');
      await prepare(text);
      assert.deepEqual(await edit('one', 'two'), {
        refused: `"${name}" is not UTF-8 text, so it cannot be edited as text.`,
      });
      assert.deepEqual(await readFile(file()), text);
    });

    it(`is refused in another encoding, ${how}`, async () => {
      await configure('files', 'encoding', 'windows1252');
      await prepare(Buffer.from('caf\xe9\none\n', 'latin1'));
      assert.deepEqual(await edit('one', 'two'), {
        refused: `"${name}" is not UTF-8 text, so it cannot be edited as text.`,
      });
      assert.equal(await bytes(), 'caf\xe9\none\n');
    });

    it(`is not written without permission, ${how}`, async () => {
      await configure('files', 'readonlyFromPermissions', true);
      await prepare('one\n');
      await chmod(file(), 0o444);
      assert.deepEqual(await edit('one', 'two'), readOnly());
      assert.equal(await bytes(), 'one\n');
      assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
    });

    it(`is not written where files.readonlyInclude names it, ${how}`, async () => {
      await configure('files', 'readonlyInclude', { '**/*.probe': true });
      await prepare('one\n');
      assert.deepEqual(await edit('one', 'two'), readOnly());
      assert.equal(await bytes(), 'one\n');
      assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
    });
  }

  it('is edited through a link, and the link stays', async () => {
    const target = path.join(root(), 'target.probe');
    try {
      await writeFile(target, 'one\n');
      await symlink('target.probe', file());
      const document = await open();
      assert.deepEqual(await edit('one', 'two'), applied());
      assert.equal(await readFile(target, 'utf8'), 'two\n');
      assert.ok((await lstat(file())).isSymbolicLink());
      assert.deepEqual([document.getText(), document.isDirty], ['two\n', false]);
    } finally {
      await closeEditors();
      await rm(target, { force: true });
    }
  });

  it('is not written with letters that its encoding in VS Code lacks', async () => {
    await configure('files', 'encoding', 'windows1252');
    await writeFile(file(), 'one\n');
    await open();
    await assert.rejects(edit('one', 'caf\u00e9'), /has opened .* as windows1252.*Nothing was written/);
    assert.equal(await bytes(), 'one\n');
    assert.deepEqual(await edit('one', 'two'), applied());
    assert.equal(await bytes(), 'two\n');
  });

  it('is reported with the changes that a formatter and others made on saving', async () => {
    await configure('editor', 'formatOnSave', true);
    owned.push(
      vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: '**/*.probe' },
        { provideDocumentFormattingEdits: () => [vscode.TextEdit.insert(new vscode.Position(0, 0), '// formatted\n')] },
      ),
    );
    await writeFile(file(), 'one\n');
    await open();
    const result = await edit('one', 'two');
    assert.deepEqual(result, {
      content: `Edited ${name} (+1 -1 lines). On saving, the editor changed the file further (format or code actions on save):\n@@ -1 +1,2 @@\n+// formatted\n two`,
      isError: false,
    });
    assert.equal(await bytes(), '// formatted\ntwo\n');
  });

  it('is written when a participant in saving fails', async () => {
    await configure('editor', 'formatOnSave', true);
    owned.push(
      vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: '**/*.probe' },
        { provideDocumentFormattingEdits: () => Promise.reject(new Error('The formatter is broken.')) },
      ),
      vscode.workspace.onWillSaveTextDocument((event) => event.waitUntil(Promise.reject(new Error('So is this.')))),
    );
    await writeFile(file(), 'one\n');
    const document = await open();
    assert.deepEqual(await edit('one', 'two'), applied());
    assert.equal(await bytes(), 'two\n');
    assert.equal(document.isDirty, false);
  });

  it('is not written when the person types into it while the question waits', async () => {
    await writeFile(file(), 'one\n');
    const document = await open();
    assert.deepEqual(await edit('one', 'two', () => type(document, 'mine\n')), stale());
    assert.equal(document.getText(), 'mine\none\n');
    assert.equal(await bytes(), 'one\n');
  });

  for (const autoSave of ['afterDelay', 'onFocusChange']) {
    it(`is not written when typed text is saved by auto save ${autoSave} while the question waits`, async () => {
      await writeFile(file(), 'one\n');
      const document = await open();
      await configure('files', 'autoSaveDelay', 10);
      await configure('files', 'autoSave', autoSave);
      const result = await edit('one', 'two', async () => {
        await type(document, 'mine\n');
        await untilSaved(document, autoSave);
      });
      assert.deepEqual(result, stale());
      assert.equal(document.getText(), 'mine\none\n');
      assert.equal(await bytes(), 'mine\none\n');
    });
  }

  it('is edited on top of text that was saved while the question waits', async () => {
    await writeFile(file(), 'one\n');
    const document = await open();
    await type(document, 'mine\n');
    assert.deepEqual(await edit('one', 'two', async () => assert.ok(await document.save())), applied());
    assert.equal(await bytes(), 'mine\ntwo\n');
    assert.deepEqual([document.getText(), document.isDirty], ['mine\ntwo\n', false]);
  });

  it('is not written when it is made read-only while the question waits', async () => {
    await writeFile(file(), 'one\n');
    const document = await open();
    assert.deepEqual(await edit('one', 'two', () => chmod(file(), 0o444)), {
      content: `${name} is read-only. Nothing was written. Ask the user to make it writable.`,
      isError: true,
    });
    assert.equal(await bytes(), 'one\n');
    assert.deepEqual([document.getText(), document.isDirty], ['one\n', false]);
  });
});

function update(section: string, name: string, value: unknown): Thenable<void> {
  return vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
}

async function type(document: vscode.TextDocument, text: string): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.insert(document.uri, new vscode.Position(0, 0), text);
  assert.ok(await vscode.workspace.applyEdit(change));
}

/** Waits until VS Code has saved the document. */
async function untilSaved(document: vscode.TextDocument, autoSave: string): Promise<void> {
  const saved = new Promise<void>((resolve) => {
    const listener = vscode.workspace.onDidSaveTextDocument((one) => {
      if (one !== document) return;
      listener.dispose();
      resolve();
    });
  });
  if (!document.isDirty) return;
  if (autoSave === 'onFocusChange') await vscode.commands.executeCommand('workbench.action.files.newUntitledFile');
  await saved;
}

/** Discards unsaved changes first: closing would ask about them. */
async function closeEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty) continue;
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
