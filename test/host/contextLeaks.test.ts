import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { openEditors } from '../../src/host/context/openEditors';
import { createProblemsSource } from '../../src/host/context/problemsSource';
import { createSelectionSource } from '../../src/host/context/selectionSource';
import { createVscodePorts } from '../../src/host/ports/createVscodePorts';
import { createSecretCheck } from '../../src/host/workspace/secretFiles';
import { workspaceRoots } from '../../src/host/workspace/workspaceRoots';
import { createNodePorts } from '../../src/workspace/node/createNodePorts';
import { createTools } from '../../src/workspace/tools/createTools';
import { callTool } from '../support/callTool';
import { createTemporaryFolder, type TemporaryFolder } from '../support/files/temporaryFolder';
import { hardLinks, markedFiles } from '../support/leaks/files';
import { markOf } from '../support/leaks/marks';
import { buildWorld, type LeakWorld } from '../support/leaks/world';

const SEED = 7;
/** A file that may be sent, to show that something is. */
const ORDINARY = 'ws/src/ordinary.ts';
/** A link in the workspace to a file outside. */
const LINK_OUT = 'ws/leads-out.txt';

/** What VS Code knows of files that may hold secrets, or lie outside: their problems, tabs and selections. */
describe('what VS Code knows of protected files', () => {
  let world: LeakWorld;
  let outside: TemporaryFolder;
  const problems = vscode.languages.createDiagnosticCollection('leaks');
  const asked: string[] = [];
  const options = {
    confirmSecret: (displayPath: string) => {
      asked.push(displayPath);
      return Promise.resolve(false);
    },
  };

  const isNamed = (name: string): boolean => name.startsWith('ws/') && !name.startsWith('ws/.git/');
  /** The names that must not be known, and the files that they name. */
  const names: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      markedFiles.filter(({ kind, path }) => kind === 'protected' && isNamed(path)).map(({ path }) => [path, path]),
    ),
    'ws/link-env': 'ws/.env',
    'ws/link-key.txt': 'ws/certs/server.key',
    ...hardLinks,
    [LINK_OUT]: 'outside/notes.txt',
  };
  const uriOf = (name: string): vscode.Uri => vscode.Uri.file(path.join(world.top, name));
  const { fileSystem, ...ports } = createVscodePorts(createNodePorts());
  const read = (argument?: string) =>
    createProblemsSource({ roots: workspaceRoots, fileSystem }).read(argument, options as never);
  const assertNothing = (text: string, why: string): void => assert.deepEqual(world.search('one').find(text), [], why);

  before(async function () {
    this.timeout(120_000);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder');
    world = await buildWorld({ seed: SEED, folder, hasHardLinks: true });
    await world.reset('one');
    outside = await createTemporaryFolder({ 'notes.txt': `TOKEN=${markOf('outside/notes.txt', 'one', SEED)}\n` });
    await symlink(path.join(outside.path, 'notes.txt'), path.join(world.top, LINK_OUT));
    await writeFile(path.join(world.top, ORDINARY), 'let ordinary;\n');
    const range = new vscode.Range(0, 0, 1, 0);
    // Language servers quote what they complain about.
    for (const [name, file] of Object.entries(names)) {
      const quote = `"${markOf(file, 'one', SEED)}" is not known.`;
      problems.set(uriOf(name), [new vscode.Diagnostic(range, quote)]);
    }
    problems.set(uriOf(ORDINARY), [new vscode.Diagnostic(range, 'An ordinary problem.')]);
  });
  beforeEach(() => asked.splice(0));
  after(async () => {
    problems.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await outside.dispose();
    await world[Symbol.asyncDispose]();
  });

  it('does not go along with @problems, and nothing is asked', async () => {
    const { content, label } = await read();
    assert.match(content, /An ordinary problem\./);
    assertNothing(`${label}\n${content}`, '@problems');
    assert.deepEqual(asked, []);
  });

  it('does not go along with @problems of a file unless the person agrees', async () => {
    for (const name of Object.keys(names)) {
      const answer = await read(uriOf(name).fsPath).then(
        ({ content }) => content,
        (error: unknown) => String(error),
      );
      assert.match(answer, /did not agree|outside/, name);
      assertNothing(answer, name);
    }
    // The file outside is refused without a question.
    assert.equal(asked.length, Object.keys(names).length - 1);
  });

  it('is not told by get_diagnostics of the whole workspace', async () => {
    const tools = createTools({ ports: { ...ports, fileSystem }, roots: workspaceRoots });
    const result = JSON.stringify(await callTool(tools, 'get_diagnostics', {}));
    assert.match(result, /An ordinary problem\./);
    assertNothing(result, 'get_diagnostics');
  });

  it('is not selected for @selection, and open editors with a protected name are not offered', async () => {
    for (const name of ['ws/.env', 'ws/keys/id_work_sk', 'ws/link-env', 'ws/hard.txt']) {
      const document = await vscode.workspace.openTextDocument(uriOf(name));
      const editor = await vscode.window.showTextDocument(document, { preview: false });
      editor.selection = new vscode.Selection(0, 0, document.lineCount, 0);
      await assert.rejects(
        createSelectionSource(createSecretCheck(fileSystem)).read(undefined, options as never),
        (error) => {
          assertNothing(String(error), name);
          return /did not agree/.test(String(error));
        },
        name,
      );
    }
    const offered = openEditors('');
    assert.ok(offered.some((name) => name.endsWith('hard.txt')));
    assert.deepEqual(
      offered.filter((name) => markedFiles.some(({ path: marked }) => name.endsWith(marked))),
      [],
    );
  });
});
