import assert from 'node:assert/strict';
import { mkdir, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createVscodePorts } from '../../src/host/ports/createVscodePorts';
import { saveThroughBuffer } from '../../src/host/ports/saveThroughBuffer';
import { StaleFileError, TextDecodeError } from '../../src/workspace/ports';
import { describeFileSystemContract, type FileSystemUnderTest } from '../contract/fileSystemContract';
import { createTemporaryFolder, type TemporaryFolder } from '../support/files/temporaryFolder';

describeFileSystemContract('The file system over VS Code', () => makeFileSystem());

// Again with every file open in an editor, so that writes go through buffers where possible.
describeFileSystemContract('The file system over VS Code, with files open', async () => {
  const made = await makeFileSystem();
  return {
    ...made,
    writeFile: async (file, content) => {
      await made.writeFile(file, content);
      if (!file.endsWith('.bin')) await open(path.join(made.root, file));
    },
    [Symbol.asyncDispose]: async () => {
      await closeEditors();
      await made[Symbol.asyncDispose]();
    },
  };
});

describe('A file that is open in an editor', () => {
  const { fileSystem } = createVscodePorts();
  let folder: TemporaryFolder;
  const at = (name: string): string => path.join(folder.path, name);
  const onDisk = (name: string): Promise<string> => readFile(at(name), 'utf8');

  beforeEach(async () => {
    // Some builds have auto save on. Only the tested code may save here.
    await configure('files', 'autoSave', 'off');
    folder = await createTemporaryFolder();
  });
  afterEach(async () => {
    await configure('files', 'autoSave', undefined);
    await closeEditors();
    await folder.dispose();
  });

  async function openFile(name: string, content: string): Promise<vscode.TextEditor> {
    await writeFile(at(name), content);
    return open(at(name));
  }

  it('is read with its unsaved changes', async () => {
    const editor = await openFile('a.txt', 'one\n');
    await type(editor, 0, 3, ' more');
    assert.deepEqual(await fileSystem.openText(at('a.txt')), { text: 'one more\n', isDirty: true });
    assert.equal(await onDisk('a.txt'), 'one\n');
  });

  it('is read with its unsaved changes through a link and through a linked folder', async () => {
    await mkdir(at('real'));
    await symlink('real', at('linked'));
    await symlink('real/a.txt', at('link.txt'));
    const editor = await openFile('real/a.txt', 'one\n');
    await type(editor, 0, 0, 'no. ');
    const expected = { text: 'no. one\n', isDirty: true };
    assert.deepEqual(await fileSystem.openText(at('link.txt')), expected);
    assert.deepEqual(await fileSystem.openText(at('linked/a.txt')), expected);
    await fileSystem.writeText(at('linked/a.txt'), 'no. two\n', 'no. one\n');
    assert.equal(await onDisk('real/a.txt'), 'no. two\n');
    assert.deepEqual(stateOf(editor.document), { text: 'no. two\n', isDirty: false });
  });

  it('is found by its real path when it was opened by a link', async () => {
    await writeFile(at('real.txt'), 'one\n');
    await symlink('real.txt', at('link.txt'));
    const editor = await open(at('link.txt'));
    await type(editor, 0, 3, '!');
    assert.deepEqual(await fileSystem.openText(at('real.txt')), { text: 'one!\n', isDirty: true });
    await fileSystem.writeText(at('real.txt'), 'two!\n', 'one!\n');
    assert.equal(await onDisk('real.txt'), 'two!\n');
    assert.equal(await realpath(at('link.txt')), at('real.txt'));
    assert.deepEqual(stateOf(editor.document), { text: 'two!\n', isDirty: false });
  });

  it('is read with its unsaved changes when the file is gone', async () => {
    const editor = await openFile('a.txt', 'one\n');
    await type(editor, 0, 3, '!');
    await rm(at('a.txt'));
    assert.deepEqual(await fileSystem.openText(at('a.txt')), { text: 'one!\n', isDirty: true });
    await assert.rejects(fileSystem.writeText(at('a.txt'), 'new\n', null), StaleFileError);
    assert.deepEqual(stateOf(editor.document), { text: 'one!\n', isDirty: true });
  });

  it('is written and saved in buffer and file, as one undo step', async () => {
    const editor = await openFile('a.txt', 'one\ntwo\nthree\n');
    await fileSystem.writeText(at('a.txt'), 'one\n2\n2.5\nthree\n', 'one\ntwo\nthree\n');
    assert.equal(await onDisk('a.txt'), 'one\n2\n2.5\nthree\n');
    assert.deepEqual(stateOf(editor.document), { text: 'one\n2\n2.5\nthree\n', isDirty: false });
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
  });

  it('is written and saved on top of known unsaved changes', async () => {
    const editor = await openFile('a.txt', 'one\ntwo\n');
    await type(editor, 1, 3, ' and a half');
    await fileSystem.writeText(at('a.txt'), 'ONE\ntwo and a half\n', 'one\ntwo and a half\n');
    assert.equal(await onDisk('a.txt'), 'ONE\ntwo and a half\n');
    assert.deepEqual(stateOf(editor.document), { text: 'ONE\ntwo and a half\n', isDirty: false });
  });

  it('is saved when its buffer already has the new text', async () => {
    const editor = await openFile('a.txt', 'one\n');
    await type(editor, 0, 3, '!');
    await fileSystem.writeText(at('a.txt'), 'one!\n', 'one!\n');
    assert.equal(await onDisk('a.txt'), 'one!\n');
    assert.deepEqual(stateOf(editor.document), { text: 'one!\n', isDirty: false });
  });

  it('stays as it is, buffer and file, when its text is not the expected one', async () => {
    const editor = await openFile('a.txt', 'one\n');
    await type(editor, 0, 3, ' more');
    await assert.rejects(fileSystem.writeText(at('a.txt'), 'mine\n', 'one\n'), StaleFileError);
    await assert.rejects(fileSystem.writeText(at('a.txt'), 'mine\n', null), StaleFileError);
    assert.equal(await onDisk('a.txt'), 'one\n');
    assert.deepEqual(stateOf(editor.document), { text: 'one more\n', isDirty: true });
  });

  it('stays as it is when someone types during the write', async () => {
    const editor = await openFile('a.txt', 'one\n');
    const writing = fileSystem.writeText(at('a.txt'), 'mine\n', 'one\n');
    await type(editor, 0, 3, ' more');
    await assert.rejects(writing, StaleFileError);
    assert.equal(await onDisk('a.txt'), 'one\n');
    assert.deepEqual(stateOf(editor.document), { text: 'one more\n', isDirty: true });
  });

  it('keeps CRLF and its byte order mark, with unsaved changes too', async () => {
    const editor = await openFile('a.txt', '\uFEFFone\r\ntwo\r\n');
    await fileSystem.writeText(at('a.txt'), '\uFEFFone\r\n2\r\n', '\uFEFFone\r\ntwo\r\n');
    assert.equal(await onDisk('a.txt'), '\uFEFFone\r\n2\r\n');
    await type(editor, 0, 3, '!');
    assert.deepEqual(await fileSystem.openText(at('a.txt')), { text: '\uFEFFone!\r\n2\r\n', isDirty: true });
    await fileSystem.writeText(at('a.txt'), '\uFEFFone!\r\ntwo\r\nthree', '\uFEFFone!\r\n2\r\n');
    assert.equal(await onDisk('a.txt'), '\uFEFFone!\r\ntwo\r\nthree');
    assert.deepEqual(stateOf(editor.document), { text: 'one!\r\ntwo\r\nthree', isDirty: false });
  });

  it('can change its line ends', async () => {
    const editor = await openFile('a.txt', 'one\ntwo\n');
    await fileSystem.writeText(at('a.txt'), 'one\r\nTWO\r\n', 'one\ntwo\n');
    assert.equal(await onDisk('a.txt'), 'one\r\nTWO\r\n');
    assert.deepEqual(stateOf(editor.document), { text: 'one\r\nTWO\r\n', isDirty: false });
    await fileSystem.writeText(at('a.txt'), 'one\nTWO\n', 'one\r\nTWO\r\n');
    assert.equal(await onDisk('a.txt'), 'one\nTWO\n');
    assert.deepEqual(stateOf(editor.document), { text: 'one\nTWO\n', isDirty: false });
  });

  it('keeps cursor, selection and folds outside of the change', async () => {
    // In smaller texts VS Code itself finds the difference.
    const before = `start\nbefore\nchange\nfold {\n  inside\n}\n${'after\n'.repeat(30_000)}`;
    const editor = await openFile('a.txt', before);
    await vscode.commands.executeCommand('editor.fold', { selectionLines: [3] });
    editor.selections = [new vscode.Selection(1, 2, 1, 6), new vscode.Selection(5, 1, 5, 1)];
    await fileSystem.writeText(at('a.txt'), before.replace('change', 'changed\nand longer'), before);
    const selections = editor.selections.map(({ anchor, active }) => [
      [anchor.line, anchor.character],
      [active.line, active.character],
    ]);
    assert.deepEqual(selections, [
      [
        [1, 2],
        [1, 6],
      ],
      [
        [6, 1],
        [6, 1],
      ],
    ]);
    // Moving up from the line below the fold reaches the folded line.
    editor.selection = new vscode.Selection(6, 1, 6, 1);
    await vscode.commands.executeCommand('cursorMove', { to: 'up', by: 'wrappedLine' });
    await settled(() => editor.selection.active.line !== 6);
    assert.equal(editor.selection.active.line, 4);
  });

  it('keeps the changes of a formatter on saving', async () => {
    await configure('editor', 'formatOnSave', true);
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: '**/*.formatted' },
      {
        provideDocumentFormattingEdits: (document) => [
          vscode.TextEdit.insert(document.lineAt(document.lineCount - 1).range.end, '// formatted\n'),
        ],
      },
    );
    try {
      const editor = await openFile('a.formatted', 'one\n');
      await fileSystem.writeText(at('a.formatted'), 'two\n', 'one\n');
      assert.equal(await onDisk('a.formatted'), 'two\n// formatted\n');
      assert.deepEqual(stateOf(editor.document), { text: 'two\n// formatted\n', isDirty: false });
    } finally {
      formatter.dispose();
      await configure('editor', 'formatOnSave', undefined);
    }
  });

  it('keeps its unsaved text when saving fails', async () => {
    const editor = await openFile('a.txt', 'one\n');
    await type(editor, 0, 3, '!');
    // VS Code refuses to overwrite a file that is newer than the loaded one.
    await writeFile(at('a.txt'), 'by someone else\n');
    const later = new Date(Date.now() + 60_000);
    await utimes(at('a.txt'), later, later);
    await assert.rejects(fileSystem.writeText(at('a.txt'), 'two!\n', 'one!\n'), (error: Error) => {
      assert.equal(
        error.message,
        `${at('a.txt')} is open in an editor and could not be saved. Nothing was written; the editor has its former text.`,
      );
      return true;
    });
    assert.equal(await onDisk('a.txt'), 'by someone else\n');
    assert.deepEqual(stateOf(editor.document), { text: 'one!\n', isDirty: true });
  });

  it('is saved a second time after a refusal, and not after an error', async () => {
    const { document } = await openFile('a.txt', 'one\n');
    for (const [refuse, saves] of [
      [async () => false, 2],
      [() => Promise.reject(new Error('The disk is full.')), 1],
    ] as const) {
      let count = 0;
      const refused: vscode.TextDocument = Object.create(document, {
        isDirty: { value: true },
        save: {
          value: () => {
            count += 1;
            return refuse();
          },
        },
      });
      await writeFile(at('a.txt'), 'other\n');
      await assert.rejects(saveThroughBuffer(refused, { text: 'one\n', eol: document.eol }), /could not be saved/);
      assert.equal(count, saves);
      // A refusal does not count when the file was written all the same.
      await writeFile(at('a.txt'), 'one\n');
      await saveThroughBuffer(refused, { text: 'one\n', eol: document.eol });
    }
  });

  it('is refused while it is open in another encoding', async () => {
    await writeFile(at('a.txt'), 'one\n');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(at('a.txt')), { encoding: 'utf16le' });
    const editor = await vscode.window.showTextDocument(document);
    assert.deepEqual(await fileSystem.openText(at('a.txt')), { text: 'one\n', isDirty: false });
    await type(editor, 0, 0, '!');
    await assert.rejects(fileSystem.openText(at('a.txt')), TextDecodeError);
    await assert.rejects(fileSystem.writeText(at('a.txt'), 'two\n', 'one\n'), TextDecodeError);
    assert.equal(await onDisk('a.txt'), 'one\n');
  });
});

describe('A file that changes on disk while it is open', () => {
  const { fileSystem } = createVscodePorts();
  const root = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
  const names = ['probe.txt', 'stale.txt', 'followed.txt', 'mixed.txt', 'unsaved.txt'];
  const at = (name: string): string => path.join(root(), name);
  const onDisk = (name: string): Promise<string> => readFile(at(name), 'utf8');

  before(async () => {
    await configure('files', 'autoSave', 'off');
    await watcherOf(at('probe.txt'));
  });
  afterEach(async () => {
    await closeEditors();
    for (const name of names) await rm(at(name), { force: true });
  });
  after(() => configure('files', 'autoSave', undefined));

  async function openFile(name: string, content: string): Promise<vscode.TextEditor> {
    await writeFile(at(name), content);
    return open(at(name));
  }

  it('stays as it is when the buffer has not noticed the change yet', async () => {
    const editor = await openFile('stale.txt', 'one\n');
    await writeFile(at('stale.txt'), 'by a command\n');
    await assert.rejects(fileSystem.writeText(at('stale.txt'), 'mine\n', 'one\n'), StaleFileError);
    assert.equal(await onDisk('stale.txt'), 'by a command\n');
    await until(editor.document, 'by a command\n');
  });

  it('can be written when the buffer has not noticed the change yet', async () => {
    const editor = await openFile('followed.txt', 'one\n');
    await writeFile(at('followed.txt'), 'by a command\n');
    assert.deepEqual(await fileSystem.openText(at('followed.txt')), { text: 'by a command\n', isDirty: false });
    await fileSystem.writeText(at('followed.txt'), 'mine\n', 'by a command\n');
    assert.equal(await onDisk('followed.txt'), 'mine\n');
    await until(editor.document, 'mine\n');
    assert.equal(editor.document.isDirty, false);
  });

  it('can get mixed line ends, which no buffer can hold', async () => {
    const editor = await openFile('mixed.txt', 'one\r\ntwo\nthree\n');
    await fileSystem.writeText(at('mixed.txt'), 'one\r\n2\nthree\n', 'one\r\ntwo\nthree\n');
    assert.equal(await onDisk('mixed.txt'), 'one\r\n2\nthree\n');
    await until(editor.document, 'one\n2\nthree\n');
    assert.equal(editor.document.isDirty, false);
  });

  it('can get mixed line ends and another byte order mark on top of unsaved changes', async () => {
    const editor = await openFile('unsaved.txt', 'one\ntwo\nthree\n');
    await type(editor, 0, 3, '!');
    await fileSystem.writeText(at('unsaved.txt'), '\uFEFFone!\r\n2\nthree\n', 'one!\ntwo\nthree\n');
    assert.equal(await onDisk('unsaved.txt'), '\uFEFFone!\r\n2\nthree\n');
    assert.deepEqual(stateOf(editor.document), { text: 'one!\n2\nthree\n', isDirty: false });
  });
});

async function makeFileSystem(): Promise<FileSystemUnderTest> {
  const folder = await createTemporaryFolder();
  const at = (file: string): string => path.join(folder.path, file);
  return {
    fileSystem: createVscodePorts().fileSystem,
    root: folder.path,
    writeFile: async (file, content) => {
      await mkdir(path.dirname(at(file)), { recursive: true });
      await writeFile(at(file), content);
    },
    makeDirectory: async (name) => {
      await mkdir(at(name), { recursive: true });
    },
    makeLink: (link, target) => symlink(target, at(link)),
    readBytes: (file) => readFile(at(file)).catch(() => undefined),
    [Symbol.asyncDispose]: folder.dispose,
  };
}

async function open(file: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  return vscode.window.showTextDocument(document, { preview: false });
}

async function type(editor: vscode.TextEditor, line: number, character: number, text: string): Promise<void> {
  assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(line, character), text)));
}

function stateOf(document: vscode.TextDocument): { readonly text: string; readonly isDirty: boolean } {
  return { text: document.getText(), isDirty: document.isDirty };
}

/** Waits until VS Code's file watcher, which starts late, reports changes of a file. */
async function watcherOf(file: string): Promise<void> {
  const pattern = new vscode.RelativePattern(vscode.Uri.file(path.dirname(file)), path.basename(file));
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const reported = new Promise<void>((resolve) => {
    watcher.onDidCreate(() => resolve());
    watcher.onDidChange(() => resolve());
  });
  let count = 0;
  const writing = setInterval(() => void writeFile(file, `${count++}`), 50);
  await reported;
  clearInterval(writing);
  watcher.dispose();
}

/** Waits until VS Code has reloaded a file that changed on disk. */
function until(document: vscode.TextDocument, text: string): Promise<void> {
  return settled(() => document.getText() === text);
}

/** Waits for a change of texts or selections to reach the extension host. */
async function settled(isReached: () => boolean): Promise<void> {
  const listeners: vscode.Disposable[] = [];
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (isReached()) resolve();
    };
    listeners.push(vscode.workspace.onDidChangeTextDocument(look), vscode.window.onDidChangeTextEditorSelection(look));
    look();
  });
  for (const listener of listeners) listener.dispose();
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

async function configure(section: string, name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
}
