import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createVscodePorts } from '../../src/host/ports/createVscodePorts';
import { withLateProblems } from '../../src/agent/configuration/withLateProblems';
import { SessionProblems } from '../../src/workspace/sessionProblems';
import type { EditPlan } from '../../src/workspace/plans';
import { writeEdits } from '../../src/workspace/tools/edits/writeEdits';
import type { WorkspaceAccess } from '../../src/workspace/tools/workspaceAccess';
import { createTools } from '../../src/workspace/tools/createTools';
import { callTool } from '../support/callTool';
import { createTemporaryFolder, type TemporaryFolder } from '../support/files/temporaryFolder';

/** A linter that finds each `bad` on a line of a `.linted` file, some time after the file changed. */
class Linter implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('linter');
  #held: (() => void)[] | undefined;
  #isDisposed = false;
  readonly #listeners = [
    vscode.workspace.onDidOpenTextDocument((document) => this.#check(document)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => this.#check(document)),
    vscode.workspace.onDidSaveTextDocument((document) => this.#check(document)),
  ];

  /** Reports nothing until the result is called. */
  hold(): () => void {
    this.#held = [];
    return () => {
      for (const report of this.#held ?? []) report();
      this.#held = undefined;
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    vscode.Disposable.from(this.#collection, ...this.#listeners).dispose();
  }

  #check(document: vscode.TextDocument): void {
    if (!document.fileName.endsWith('.linted')) return;
    setTimeout(() => {
      const found = document
        .getText()
        .split('\n')
        .flatMap((text, line) => {
          if (!text.includes('bad')) return [];
          const range = new vscode.Range(line, 0, line, text.length);
          const problem = new vscode.Diagnostic(range, `"${text}" is bad.`, vscode.DiagnosticSeverity.Error);
          problem.source = 'linter';
          return [problem, new vscode.Diagnostic(range, 'Only a hint.', vscode.DiagnosticSeverity.Hint)];
        });
      const report = (): void => {
        if (!this.#isDisposed) this.#collection.set(document.uri, found);
      };
      if (this.#held) this.#held.push(report);
      else report();
    }, 20);
  }
}

describe('Diagnostics of an edited file', () => {
  /** Longer than usual, so that no slow machine changes an outcome. */
  const patient = { firstMs: 1_500, quietMs: 300, mostMs: 4_000 };
  const doubting = { leastMs: 3_000, mostMs: 4_000 };
  const ports = createVscodePorts(undefined, { reading: patient, loading: patient, editing: patient, doubting });
  let folder: TemporaryFolder;
  let linter: Linter;
  const at = (name: string): string => path.join(folder.path, name);

  beforeEach(async () => {
    folder = await createTemporaryFolder({ 'a.linted': 'good\nold bad\n', 'b.linted': 'good\nold bad\n' });
    linter = new Linter();
  });
  afterEach(async () => {
    linter.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await folder.dispose();
  });

  const call = async (name: string, input: Parameters<typeof callTool>[2]): Promise<unknown> => {
    const result = await callTool(createTools({ ports, roots: () => [{ name: 'w', path: folder.path }] }), name, input);
    return 'refused' in result ? result.refused : result.content;
  };
  const edit = (file: string, oldText: string, newText: string) =>
    call('apply_edit', { path: file, edits: [{ old_text: oldText, new_text: newText }] });

  it('are reported when new, for a file in an editor', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(at('a.linted')));
    assert.equal(
      await edit('a.linted', 'good', 'new bad\nbetter'),
      'Edited a.linted (+2 -1 lines). New problems since this edit:\nline 1: error: "new bad" is bad. (linter)',
    );
  });

  it('are reported when new, for a closed file, without opening a tab', async () => {
    assert.equal(
      await edit('b.linted', 'good', 'new bad\nbetter'),
      'Edited b.linted (+2 -1 lines). New problems since this edit:\nline 1: error: "new bad" is bad. (linter)',
    );
    assert.deepEqual(
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs),
      [],
    );
  });

  it('are reported for a created file', async () => {
    await mkdir(at('sub'));
    assert.equal(
      await call('write_file', { path: 'sub/c.linted', content: 'a bad start\n' }),
      'Created sub/c.linted (+1 -0 lines). New problems since this edit:\nline 1: error: "a bad start" is bad. (linter)',
    );
  });

  it('are not awaited for files that nothing reports about', async () => {
    const files = Array.from({ length: 5 }, (_, index) => `${index}.unlinted`);
    for (const file of files) await writeFile(at(file), 'good\n');
    for (const file of files) assert.equal(await edit(file, 'good', 'bad'), `Edited ${file} (+1 -1 lines).`);
    const loaded = vscode.workspace.textDocuments.flatMap(({ fileName }) =>
      fileName.endsWith('.unlinted') ? [path.basename(fileName)] : [],
    );
    assert.deepEqual(loaded, ['0.unlinted', '1.unlinted', '2.unlinted']);
  });

  it('are reported for files that nothing reported about before', async () => {
    for (const file of ['0.late', '1.late', '2.late', '3.late']) {
      await writeFile(at(file), 'good\n');
      await edit(file, 'good', 'better');
    }
    const late = vscode.languages.createDiagnosticCollection('late');
    const listener = vscode.workspace.onDidChangeTextDocument(({ document: { uri, lineCount } }) => {
      const problem = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), `Line ${lineCount}.`);
      if (uri.path.endsWith('.late')) late.set(uri, [problem]);
    });
    try {
      late.set(vscode.Uri.file(at('3.late')), []);
      assert.equal(
        await edit('0.late', 'better', 'best\nof all'),
        'Edited 0.late (+2 -1 lines). New problems since this edit:\nline 1: error: Line 3.',
      );
    } finally {
      listener.dispose();
      late.dispose();
    }
  });

  it('are told with the next result when they come after the edit has ended', async () => {
    const impatient = { firstMs: 0, quietMs: 0, mostMs: 0 };
    const quick = createVscodePorts(undefined, { reading: patient, loading: impatient, editing: impatient, doubting });
    const problems = new SessionProblems(quick.diagnostics!);
    const tools = createTools({ ports: quick, roots: () => [{ name: 'w', path: folder.path }], problems }).map((tool) =>
      withLateProblems(tool, problems),
    );
    await vscode.window.showTextDocument(vscode.Uri.file(at('a.linted')));
    while (!quick.diagnostics!.known().has(at('a.linted'))) await new Promise(setImmediate);
    const release = linter.hold();
    const edits = [{ old_text: 'good', new_text: 'new bad' }];
    const edited = await callTool(tools, 'apply_edit', { path: 'a.linted', edits });
    assert.equal('content' in edited && edited.content, 'Edited a.linted (+1 -1 lines).');
    release();
    while (quick.diagnostics!.known().get(at('a.linted'))?.length !== 2) await new Promise(setImmediate);
    const listed = await callTool(tools, 'read_file', { path: 'b.linted' });
    assert.match(
      'content' in listed ? JSON.stringify(listed.content) : '',
      /New problems in a\.linted since its edit:\\nline 1: error: \\"new bad\\" is bad\. \(linter\)\]"$/,
    );
  });

  it('are not reported of a state between two files of one change', async () => {
    const uris = ['a.linted', 'b.linted'].map((name) => vscode.Uri.file(at(name)));
    for (const uri of uris) await vscode.workspace.openTextDocument(uri);
    // What the linter reports later would be new.
    while (uris.some((uri) => vscode.languages.getDiagnostics(uri).length === 0)) await new Promise(setImmediate);
    const server = vscode.languages.createDiagnosticCollection('server');
    // Reports the first file as soon as it has changed, and takes that back a while after the second has.
    const listener = vscode.workspace.onDidChangeTextDocument(({ document: { uri, isDirty } }) => {
      if (!isDirty) return;
      if (uri.path === uris[0]?.path) server.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'No "b".')]);
      else if (uri.path === uris[1]?.path) setTimeout(() => uris[0] && server.set(uris[0], []), 3 * patient.quietMs);
    });
    const access: WorkspaceAccess = {
      ports,
      roots: () => [{ name: 'w', path: folder.path }],
      commandOptions: () => ({ inTerminal: false }),
    };
    const before = 'good\nold bad\n';
    const after = 'better\nold bad\n';
    const edits = ['a.linted', 'b.linted'].map((name): EditPlan => {
      const target = { path: at(name), realPath: at(name), displayPath: name, pathInRoot: name, exists: true };
      return { kind: 'edit', operation: 'edit', target, before, after, proposed: after };
    });
    try {
      const { content } = await writeEdits(
        { kind: 'edits', title: 'Change both', edits },
        access,
        new AbortController().signal,
      );
      assert.equal(content, 'Edited a.linted (+1 -1 lines).\nEdited b.linted (+1 -1 lines).');
    } finally {
      listener.dispose();
      server.dispose();
    }
  });

  it('are not reported when the edit fixes them', async () => {
    assert.equal(await edit('a.linted', 'old bad', 'mended'), 'Edited a.linted (+1 -1 lines).');
    assert.equal(await call('get_diagnostics', { path: 'a.linted' }), 'No problems are reported in a.linted.');
  });

  it('can be requested, without hints', async () => {
    assert.equal(
      await call('get_diagnostics', { path: 'b.linted' }),
      'b.linted:\nline 2: error: "old bad" is bad. (linter)',
    );
  });

  it('are reported with the changes of a formatter on saving', async () => {
    const configuration = vscode.workspace.getConfiguration('editor');
    await configuration.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: '**/*.linted' },
      {
        provideDocumentFormattingEdits: (document) => [
          vscode.TextEdit.insert(document.lineAt(document.lineCount - 1).range.end, 'formatted bad\n'),
        ],
      },
    );
    try {
      await writeFile(at('a.linted'), 'good\n');
      await vscode.window.showTextDocument(vscode.Uri.file(at('a.linted')));
      assert.equal(
        await edit('a.linted', 'good', 'better'),
        [
          'Edited a.linted (+1 -1 lines). On saving, the editor changed the file further (format or code actions on save):',
          '@@ -1 +1,2 @@',
          ' better',
          '+formatted bad',
          'New problems since this edit:',
          'line 2: error: "formatted bad" is bad. (linter)',
        ].join('\n'),
      );
    } finally {
      formatter.dispose();
      await configuration.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
