import assert from 'node:assert/strict';
import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { changesToCommit } from '../../src/host/sourceControl/changesToCommit';
import type { GitChange, GitRepository } from '../../src/host/sourceControl/gitExtension';

describe('Changes of a repository that begins above the workspace', () => {
  it('are sent for files inside, and only named outside', async () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    const above = vscode.Uri.joinPath(folder, '..');
    const change = (uri: vscode.Uri, originalUri?: vscode.Uri): GitChange => ({ uri, originalUri, status: 5 });
    const inside = vscode.Uri.joinPath(folder, 'a.ts');
    const asked: string[] = [];
    const repository = {
      rootUri: above,
      state: {
        indexChanges: [],
        workingTreeChanges: [
          change(inside),
          change(vscode.Uri.joinPath(above, 'outside.txt')),
          change(inside, vscode.Uri.joinPath(above, 'old.txt')),
        ],
      },
      async diffWithHEAD(path: string) {
        asked.push(path);
        const name = relative(above.fsPath, path).replaceAll(sep, '/');
        return `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1 @@\n+changed\n`;
      },
    } as unknown as GitRepository;
    const files = await changesToCommit(repository, async () => false);
    assert.deepEqual(
      files.map(({ change: text }) => text),
      ['@@ -0,0 +1 @@\n+changed\n', undefined, undefined],
    );
    assert.deepEqual(asked, [inside.fsPath]);
  });
});
