import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { planRestoreOf } from '../../../src/agent/restore/planRestore';
import { createCheckpoints } from '../../../src/host/ports/createCheckpoints';
import { createVscodePorts } from '../../../src/host/ports/createVscodePorts';
import { pathOf, uriOf } from '../../../src/host/workspace/uris';
import { workspaceRoots } from '../../../src/host/workspace/workspaceRoots';
import type { Tool } from '../../../src/sdk/tool';
import type { JsonObject } from '../../../src/util/json';
import type { Checkpoint } from '../../../src/workspace/checkpoints/fileChange';
import { restoreFiles } from '../../../src/workspace/checkpoints/restoreFiles';
import { withCheckpoints } from '../../../src/workspace/checkpoints/withCheckpoints';
import { StaleFileError, TextDecodeError } from '../../../src/workspace/ports';
import { createTools } from '../../../src/workspace/tools/createTools';
import { callTool, type CallResult } from '../../support/callTool';
import { noDraftRecords } from '../../../src/workspace/node/files/draftRecords';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

const lib = '/virtual:/test-virtual+/lib';
const add = 'export function add(a: number, b: number): number {\n  return a + b;\n}\n';

beforeEach(async () => {
  await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
  // The first look at the folder starts the extension that provides it.
  await vscode.workspace.fs.stat(uriOf(lib));
  await vscode.commands.executeCommand('virtualFolder.reset');
});

afterEach(async () => {
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await vscode.workspace.getConfiguration('files').update('autoSave', undefined, vscode.ConfigurationTarget.Global);
});

/** VS Code notices changes of a virtual file a little later. */
function untilText(document: vscode.TextDocument, text: string): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (document.getText() !== text) return;
      subscription.dispose();
      resolve();
    };
    const subscription = vscode.workspace.onDidChangeTextDocument(check);
    check();
  });
}

async function saved(file: string): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(uriOf(file))).toString('utf8');
}

describe('The files of a virtual folder', () => {
  const { fileSystem } = createVscodePorts();
  const file = `${lib}/src/add.ts`;

  it('are in a workspace folder beside one on disk', () => {
    const [app, other, ...rest] = workspaceRoots();
    assert.deepEqual([app?.name, other, rest], ['app', { name: 'lib', path: lib }, []]);
    assert.equal(pathOf(vscode.Uri.parse('test-virtual:/lib/src/add.ts')), file);
    assert.equal(uriOf(file).toString(), 'test-virtual:/lib/src/add.ts');
  });

  it('are described, listed and read', async () => {
    const stat = await fileSystem.stat(file);
    assert.deepEqual([stat?.kind, stat?.size, stat?.isSymbolicLink], ['file', add.length, undefined]);
    assert.equal((await fileSystem.stat(`${lib}/linked`))?.isSymbolicLink, true);
    assert.equal(await fileSystem.stat(`${lib}/missing`), undefined);
    assert.equal(await fileSystem.realPath(`${lib}/missing`), undefined);
    assert.equal(await fileSystem.realPath(file), file);
    const entries = await fileSystem.listDirectory(lib);
    assert.deepEqual(
      entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      [
        { name: '.env', kind: 'file', isSymbolicLink: false },
        { name: '.gitignore', kind: 'file', isSymbolicLink: false },
        { name: 'dist', kind: 'directory', isSymbolicLink: false },
        { name: 'link.ts', kind: 'file', isSymbolicLink: true },
        { name: 'linked', kind: 'directory', isSymbolicLink: true },
        { name: 'logo.bin', kind: 'file', isSymbolicLink: false },
        { name: 'src', kind: 'directory', isSymbolicLink: false },
      ],
    );
    assert.deepEqual(await fileSystem.openText(file), { text: add, isDirty: false });
    assert.equal(Buffer.from(await fileSystem.readSlice(file, 7, 8)).toString(), 'function');
    assert.equal(Buffer.from(await fileSystem.readSlice(file, add.length - 2, 99)).toString(), '}\n');
    await assert.rejects(fileSystem.openText(`${lib}/logo.bin`), TextDecodeError);
    await assert.rejects(fileSystem.openText(`${lib}/link.ts`), /not a regular file/);
    await assert.rejects(fileSystem.openText(`${lib}/missing`), /test-virtual:\/lib\/missing does not exist/);
  });

  it('are written only when unchanged since they were read', async () => {
    await assert.rejects(fileSystem.writeText(file, 'x', 'something else'), StaleFileError);
    await assert.rejects(fileSystem.writeText(file, 'x', null), StaleFileError);
    await assert.rejects(fileSystem.writeText(`${lib}/gone.ts`, 'x', 'was here'), StaleFileError);
    assert.equal(await saved(file), add);
    await fileSystem.writeText(file, `${add}// more\n`, add);
    assert.equal(await saved(file), `${add}// more\n`);
    await fileSystem.writeText(`${lib}/new/deep/c.ts`, 'c\n', null);
    assert.equal(await saved(`${lib}/new/deep/c.ts`), 'c\n');
  });

  it('are read and written through their open editor', async () => {
    const document = await vscode.workspace.openTextDocument(uriOf(file));
    await untilText(document, add);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// typed\n'));
    assert.deepEqual(await fileSystem.openText(file), { text: `// typed\n${add}`, isDirty: true });
    assert.equal(await saved(file), add);
    await fileSystem.writeText(file, `// typed\n// and ours\n${add}`, `// typed\n${add}`);
    assert.deepEqual([document.getText(), document.isDirty], [`// typed\n// and ours\n${add}`, false]);
    assert.equal(await saved(file), `// typed\n// and ours\n${add}`);
  });

  it('are reported as read-only on a read-only file system', async () => {
    const readOnly = '/virtual:/test-read-only+/lib/src/add.ts';
    assert.deepEqual(await fileSystem.openText(readOnly), { text: add, isDirty: false });
    await assert.rejects(fileSystem.writeText(readOnly, 'x', add), { code: 'EROFS' });
  });
});

describe('The tools in a virtual folder', () => {
  let recorded: Checkpoint[];

  async function withTools(use: (call: (name: string, input: JsonObject) => Promise<CallResult>) => Promise<void>) {
    await using storage = await createTemporaryFolder();
    recorded = [];
    const ports = createVscodePorts();
    const { fileSystem } = ports;
    const roots = workspaceRoots;
    const checkpoints = createCheckpoints({
      sessionsDirectory: path.join(storage.path, 'sessions'),
      ownFolder: storage.path,
      fileSystem,
      drafts: noDraftRecords,
      roots,
      limits: { maxAgeMs: 86_400_000, maxBytes: 1_000_000 },
      onInternalError: (error) => assert.fail(error as Error),
    });
    const record = (checkpoint: Checkpoint): Promise<void> => {
      recorded.push(checkpoint);
      return Promise.resolve();
    };
    const tools: Tool[] = createTools({ ports, roots }).map((tool) =>
      withCheckpoints(tool, { ...checkpoints, record }),
    );
    await use((name, input) => callTool(tools, name, input));
    const items = await planRestoreOf(recorded, { contents: checkpoints.contents, fileSystem, roots: roots() });
    const outcome = await restoreFiles(items, 'the start', { ...checkpoints, record, findMove: async () => undefined });
    assert.deepEqual(outcome.failed, []);
    assert.equal(await saved(`${lib}/src/add.ts`), add);
    assert.deepEqual(
      (await fileSystem.listDirectory(lib)).filter(({ name }) => name === 'new.ts'),
      [],
    );
  }

  it('edit, create and report problems, and all changes can be undone', async () => {
    await withTools(async (call) => {
      const edited = await call('apply_edit', { path: 'lib/src/add.ts', old_text: 'a + b', new_text: 'b + a' });
      assert.deepEqual('display' in edited && edited.display, {
        applied: true,
        addedLines: 1,
        removedLines: 1,
        line: 2,
      });
      assert.equal(await saved(`${lib}/src/add.ts`), add.replace('a + b', 'b + a'));
      await call('write_file', { path: 'lib/new.ts', content: 'new\n' });
      assert.equal(await saved(`${lib}/new.ts`), 'new\n');
      const problems = await call('get_diagnostics', { path: 'lib/src/add.ts' });
      assert.equal('content' in problems && problems.content, 'No problems are reported in lib/src/add.ts.');
    });
    assert.deepEqual(
      recorded.map(({ cause, changes }) => [cause, changes.map((change) => change.path)]),
      [
        ['edit', [`${lib}/src/add.ts`]],
        ['edit', [`${lib}/new.ts`]],
        ['restore', [`${lib}/new.ts`, `${lib}/src/add.ts`]],
      ],
    );
  });

  it('search both folders, each with its own search', async () => {
    await withTools(async (call) => {
      const found = await call('search_text', { pattern: 'return a + b' });
      assert.equal(
        'content' in found && found.content,
        'app/src/add.ts\n2:   return a + b;\nlib/src/add.ts\n2:   return a + b;',
      );
      const secret = await call('search_text', { pattern: 'needle', path: 'lib' });
      assert.match(JSON.stringify(secret), /"content":"No match/);
    });
  });

  it('refuse paths that are outside, linked or spelled differently, and run no command there', async () => {
    await withTools(async (call) => {
      for (const [name, input, error] of [
        ['read_file', { path: 'lib/../../secret.txt' }, /folder's name/],
        ['read_file', { path: '/virtual:/test-virtual+/secret.txt' }, /outside the workspace/],
        ['read_file', { path: '/virtual:/file+/etc/passwd' }, /outside the workspace/],
        ['read_file', { path: 'test-virtual:/secret.txt' }, /is a URI|must start with/],
        ['read_file', { path: 'lib/link.ts' }, /a link/],
        ['read_file', { path: 'lib/linked/x' }, /a link/],
        ['read_file', { path: 'lib/.ENV' }, /under another name/],
        ['read_file', { path: 'lib/SRC/add.ts' }, /under another name/],
        ['write_file', { path: 'lib/%2e%2e/x.ts', content: 'x' }, /encoded character/],
        ['write_file', { path: 'lib/.vscode\u200b/tasks.json', content: 'x' }, /invisible character/],
        ['apply_edit', { path: 'lib/Src/add.ts', old_text: 'a', new_text: 'b' }, /under another name/],
        ['run_terminal_command', { command: 'ls', cwd: 'lib' }, /not on this machine's disk.*: app\./],
      ] as const) {
        const result = await call(name, input);
        assert.match('refused' in result ? result.refused : JSON.stringify(result), error, JSON.stringify(input));
      }
    });
    assert.deepEqual(recorded, []);
  });
});
