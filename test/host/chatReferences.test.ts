import assert from 'node:assert/strict';
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { readReferences } from '../../src/host/chatParticipant/chatReferences';
import { createVscodePorts } from '../../src/host/ports/createVscodePorts';
import { createNodePorts } from '../../src/workspace/node/createNodePorts';
import type { WorkspaceAccess } from '../../src/workspace/tools/workspaceAccess';

describe('Attachments in VS Code’s chat', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'open-agent-'));
    writeFileSync(path.join(folder, 'a.ts'), 'one\ntwo\nthree\n');
    writeFileSync(path.join(folder, '.env'), 'TOKEN=secret\n');
    writeFileSync(path.join(folder, 'large.txt'), `${'x'.repeat(999)}\n`.repeat(100));
  });
  after(() => rmSync(folder, { recursive: true }));

  const file = (name: string) => vscode.Uri.file(path.join(folder, name));
  const access = (): WorkspaceAccess => ({
    ports: createVscodePorts(createNodePorts()),
    roots: () => [{ name: 'a', path: folder }],
    commandOptions: () => ({ inTerminal: false }),
  });
  const read = (...values: readonly unknown[]) =>
    readReferences(
      values.map((value, index) => ({ id: `r${index}`, value, modelDescription: 'Note' })),
      access(),
    );

  it('go to the model with their lines', async () => {
    const { context, left } = await read(
      file('a.ts'),
      new vscode.Location(file('a.ts'), new vscode.Range(1, 0, 1, 2)),
      'some words',
      ' ',
    );
    assert.deepEqual(left, []);
    assert.deepEqual(
      context.map(({ label, content }) => [path.basename(label), content.split('\n').slice(1)]),
      [
        ['a.ts:1-4', ['```typescript', 'one', 'two', 'three', '```']],
        ['a.ts:2', ['```typescript', 'two', '```']],
        ['Note', ['some words']],
      ],
    );
  });

  it('are left out when they may hold secrets, are not text, or are too large', async () => {
    const { context, left } = await read(
      file('.env'),
      file('gone.ts'),
      { data: new Uint8Array(1) },
      ...[1, 2, 3].map(() => file('large.txt')),
    );
    assert.equal(JSON.stringify(context).includes('secret'), false);
    assert.equal(context.length, 2);
    assert.ok(context.every(({ content }) => content.includes('The selection was cut after line 24')));
    const [secret, gone, unknown, tooMuch, ...more] = left;
    assert.deepEqual(
      [secret, tooMuch].map((reason) => path.basename(reason ?? '')),
      ['.env may hold secrets', 'large.txt:1-101 is too large together with the rest'],
    );
    assert.match(gone ?? '', /gone\.ts cannot be read as text: /);
    assert.deepEqual([unknown, more], ['Note is of a type that this agent cannot read', []]);
  });

  it('are left out when they are other names of files that may hold secrets', async () => {
    symlinkSync('.env', path.join(folder, 'link.txt'));
    linkSync(path.join(folder, '.env'), path.join(folder, 'hard.txt'));
    symlinkSync('missing', path.join(folder, 'broken.txt'));
    const line = new vscode.Range(0, 0, 0, 3);
    const { context, left } = await read(
      file('link.txt'),
      file('hard.txt'),
      new vscode.Location(file('link.txt'), line),
      file('broken.txt'),
    );
    assert.deepEqual(context, []);
    assert.deepEqual(
      left.map((reason) => path.basename(reason.split(' ')[0] ?? '') + / may hold.*| cannot be.{13}/.exec(reason)?.[0]),
      [
        'link.txt may hold secrets',
        'hard.txt may hold secrets',
        'link.txt may hold secrets',
        'broken.txt cannot be read as text',
      ],
    );
  });
});
