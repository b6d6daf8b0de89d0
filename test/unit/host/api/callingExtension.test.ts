import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { callingExtension } from '../../../../src/host/api/callingExtension';
import { createTemporaryFolder } from '../../../support/files/temporaryFolder';

const ownId = 'open-agent.open-agent-vscode';
const root = path.resolve('/ext');
const extensions = [
  { id: ownId, extensionPath: path.join(root, 'own') },
  { id: 'acme.tools', extensionPath: path.join(root, 'acme') },
  { id: 'acme.more', extensionPath: path.join(root, 'acme-more') },
];

const stackOf = (...files: readonly string[]) =>
  ['Error: registerTool', ...files.map((file) => `    at run (${file}:1:2)`)].join('\n');

describe('callingExtension', () => {
  it('is the innermost extension that is not our own', () => {
    const stack = stackOf(
      path.join(root, 'own', 'dist', 'extension.js'),
      path.join(root, 'acme-more', 'main.js'),
      path.join(root, 'acme', 'main.js'),
    );
    assert.equal(callingExtension(stack, extensions, ownId), 'acme.more');
  });

  it('reads all forms of a stack line', () => {
    const file = path.join(root, 'acme', 'a (b)', 'main.js');
    for (const line of [
      `    at ${file}:1:2`,
      `    at async ${file}:1:2`,
      `    at x (${pathToFileURL(file).href}:1:2)`,
    ]) {
      assert.equal(callingExtension(`Error\n${line}`, extensions, ownId), 'acme.tools', line);
    }
  });

  it('is undefined when no extension is in the stack', () => {
    const stack = stackOf(
      'node:internal/timers',
      path.join(root, 'own', 'a.js'),
      path.resolve('/usr/lib/code/main.js'),
    );
    assert.equal(callingExtension(stack, extensions, ownId), undefined);
    assert.equal(callingExtension('Error: (/ext/acme/x.js:1', extensions, ownId), undefined);
  });

  it('resolves links', async () => {
    await using folder = await createTemporaryFolder({ 'real/main.js': '' });
    const link = path.join(folder.path, 'link');
    await symlink(path.join(folder.path, 'real'), link);
    const linked = [{ id: 'acme.tools', extensionPath: link }];
    assert.equal(callingExtension(stackOf(path.join(folder.path, 'real', 'main.js')), linked, ownId), 'acme.tools');
  });
});
