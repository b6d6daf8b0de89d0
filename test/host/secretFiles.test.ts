import assert from 'node:assert/strict';
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { originalUri, proposalUri } from '../../src/host/diffPreview/proposalUris';
import { createVscodePorts } from '../../src/host/ports/createVscodePorts';
import { lookForSecrets } from '../../src/host/workspace/secretFiles';
import { createNodePorts } from '../../src/workspace/node/createNodePorts';

describe('A document whose text would be sent', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'open-agent-'));
    writeFileSync(path.join(folder, 'a.ts'), 'one\n');
    writeFileSync(path.join(folder, '.env'), 'TOKEN=secret\n');
    symlinkSync('.env', path.join(folder, 'soft.txt'));
    linkSync(path.join(folder, '.env'), path.join(folder, 'hard.txt'));
    symlinkSync('missing', path.join(folder, 'broken.txt'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const look = (uri: vscode.Uri) => {
    const { fileSystem } = createVscodePorts(createNodePorts());
    return lookForSecrets(uri, { roots: [{ name: 'a', path: folder }], fileSystem });
  };
  const file = (name: string) => vscode.Uri.file(path.join(folder, name));
  const inGit = (name: string) => file(name).with({ scheme: 'git', query: JSON.stringify({ ref: 'HEAD' }) });

  for (const [kind, uriOf] of [
    ['file', file],
    ['diff of git', inGit],
    ['proposal', (name: string) => proposalUri('r1', name)],
    ['text before a proposal', (name: string) => originalUri('r1', name)],
  ] as const) {
    it(`may hold secrets by any name of the file: ${kind}`, async () => {
      for (const name of ['.env', 'soft.txt', 'hard.txt']) {
        assert.deepEqual([name, await look(uriOf(name))], [name, { ok: true, mayHoldSecrets: true }]);
      }
      for (const name of ['a.ts', 'gone.ts']) {
        assert.deepEqual([name, await look(uriOf(name))], [name, { ok: true, mayHoldSecrets: false }]);
      }
      assert.equal((await look(uriOf('broken.txt'))).ok, false);
    });
  }

  it('may hold secrets by any name of its file, whatever shows it', async () => {
    for (const scheme of ['vscode-notebook-cell', 'vscode-local-history', 'merge-conflict.conflict-diff', 'other']) {
      for (const [name, mayHoldSecrets] of [
        ['soft.txt', true],
        ['hard.txt', true],
        ['a.ts', false],
      ] as const) {
        assert.deepEqual(await look(file(name).with({ scheme, fragment: 'c1' })), { ok: true, mayHoldSecrets });
      }
    }
  });

  it('has only the name that VS Code shows where it is no file', async () => {
    const uris = ['untitled:notes', 'untitled:.env', 'output:tasks', 'demo://host/notes.md', 'demo://host/a/.env'];
    const found = await Promise.all(uris.map((uri) => look(vscode.Uri.parse(uri))));
    assert.deepEqual(
      found.map((one) => one.ok && one.mayHoldSecrets),
      [false, true, false, false, true],
    );
  });
});
