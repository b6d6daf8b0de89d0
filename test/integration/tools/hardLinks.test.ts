import assert from 'node:assert/strict';
import { link, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { decidePermission } from '../../../src/agent/approval/permissions';
import { HardLinks } from '../../../src/workspace/node/files/hardLinks';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { guardAgain, guardPath } from '../../../src/workspace/paths/guardPath';
import type { WorkspacePlan } from '../../../src/workspace/plans';
import { createTools } from '../../../src/workspace/tools/createTools';
import type { JsonObject } from '../../../src/util/json';
import { callTool } from '../../support/callTool';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

describe('hard links to protected files', () => {
  let outer: TemporaryFolder;
  let root: string;
  beforeEach(async () => {
    outer = await createTemporaryFolder({
      'w/.env': 'TOKEN=secret\n',
      'w/.git/hooks/pre-commit': '#!/bin/sh\n',
      'w/package.json': '{}\n',
      'w/src/a.ts': 'export const TOKEN = 1;\n',
      'w/certs/deep/server.key': 'TOKEN=key\n',
      'out/x.txt': 'TOKEN=outside\n',
    });
    root = path.join(outer.path, 'w');
    for (const [from, to] of [
      ['.env', 'notes.txt'],
      ['certs/deep/server.key', 'src/key.ts'],
      ['.git/hooks/pre-commit', 'hook.txt'],
      ['package.json', 'copy.json'],
      ['src/a.ts', 'src/b.ts'],
      ['../out/x.txt', 'outside.txt'],
    ] as const) {
      await link(path.join(root, from), path.join(root, to));
    }
  });
  afterEach(() => outer.dispose());

  const roots = () => [{ name: 'w', path: root }];
  const call = (name: string, input: JsonObject, approve?: (plan: unknown) => unknown) =>
    callTool(createTools({ ports: createNodePorts(), roots }), name, input, {
      ...(approve && { approve, approveReading: approve }),
    });

  async function verdict(name: string, input: JsonObject): Promise<string> {
    let said = '';
    const stop = new Error('decided');
    await call(name, input, (plan) => {
      const decided = decidePermission({
        toolName: name,
        plan: plan as WorkspacePlan,
        mode: 'acceptEdits',
        isTrusted: true,
      });
      said = 'reason' in decided ? `${decided.action}: ${decided.reason}` : decided.action;
      throw stop;
    }).catch((error: unknown) => assert.equal(error, stop));
    return said;
  }

  it('ask as the file itself does', async () => {
    await symlink('notes.txt', path.join(root, 'link.txt'));
    assert.deepEqual(
      [
        await verdict('read_file', { path: 'notes.txt' }),
        await verdict('read_file', { path: 'link.txt' }),
        await verdict('search_text', { path: 'src/key.ts', pattern: 'x' }),
        await verdict('apply_edit', { path: 'notes.txt', old_text: 'wrong', new_text: 'x' }),
        await verdict('apply_edit', { path: 'hook.txt', old_text: 'sh', new_text: 'x' }),
        await verdict('write_file', { path: 'copy.json', content: '{ }\n' }),
      ],
      [
        'ask: notes.txt, which is the same file as .env, may hold secrets, so reading it always asks',
        'ask: link.txt, which is the same file as .env, may hold secrets, so reading it always asks',
        'ask: src/key.ts, which is the same file as certs/deep/server.key, may hold secrets, so reading it always asks',
        'ask: notes.txt, which is the same file as .env, may hold secrets, so looking at it to plan an edit asks first. You decide about the edit itself afterwards',
        'ask: hook.txt, which is the same file as .git/hooks/pre-commit, can run programs or hold secrets, so changing it always asks',
        'ask: copy.json, which is the same file as package.json, decides what is built, tested or run, so changing it asks in every mode',
      ],
    );
  });

  it('do not make other hard links ask', async () => {
    for (const file of ['src/a.ts', 'src/b.ts', 'outside.txt']) {
      assert.equal(await verdict('read_file', { path: file }), 'allow', file);
    }
  });

  it('are left out of searches, as if they were not there', async () => {
    const found = await call('search_text', { pattern: 'TOKEN' });
    const text = JSON.stringify(found);
    for (const secret of ['notes.txt', 'key.ts', 'secret', 'TOKEN=key']) {
      assert.equal(text.includes(secret), false, text);
    }
    assert.match(text, /src\/a\.ts/);
    const nothing = await call('search_text', { pattern: 'TOKEN=secret' });
    assert.match(JSON.stringify(nothing), /No match for/);
  });

  it('count when they are made after the decision', async () => {
    const options = { roots: roots(), fileSystem: createNodePorts().fileSystem };
    const guarded = await guardPath('src/a.ts', options);
    assert.ok(guarded.ok && guarded.path.alsoNamed === undefined);
    await rm(path.join(root, 'src/a.ts'));
    await link(path.join(root, '.env'), path.join(root, 'src/a.ts'));
    assert.match(JSON.stringify(await guardAgain(guarded.path, options)), /is now another name of a protected file/);
  });

  it('are found again after names were made, removed or renamed', async () => {
    const links = new HardLinks();
    const names = async (file: string) => {
      const found = await links.find(path.join(root, file), [root]);
      return found.names.map((name) => path.relative(root, name));
    };
    assert.deepEqual(await names('src/b.ts'), []);
    await link(path.join(root, 'src/a.ts'), path.join(root, '.npmrc'));
    assert.deepEqual(await names('src/b.ts'), ['.npmrc']);
    await rename(path.join(root, '.npmrc'), path.join(root, 'plain.txt'));
    assert.deepEqual(await names('src/b.ts'), []);
    await rename(path.join(root, 'plain.txt'), path.join(root, '.netrc'));
    assert.deepEqual([await names('src/b.ts'), await names('.netrc')], [['.netrc'], []]);
  });

  it('ask when one file has very many protected names, and hand on few of them', async () => {
    const links = new HardLinks();
    const names = Array.from({ length: 150 }, (_, index) => path.join(root, `certs/deep/${index}.key`));
    for (const name of names) await link(path.join(root, 'certs/deep/server.key'), name);
    const found = await links.find(path.join(root, 'src/key.ts'), [root]);
    assert.equal(found.isComplete, false);
    assert.equal(found.names.length, 100);
    // Others are known as before.
    assert.deepEqual(await links.find(path.join(root, 'notes.txt'), [root]), {
      names: [path.join(root, '.env')],
      isComplete: true,
    });
  });

  it('ask when not all names can be found, and only for files with several names', async () => {
    const ports = createNodePorts();
    const few = new HardLinks(3);
    const fileSystem = { ...ports.fileSystem, protectedLinks: few.find.bind(few) };
    const guarded = async (file: string) => {
      const result = await guardPath(file, { roots: roots(), fileSystem });
      return result.ok ? result.path.alsoNamed : assert.fail(result.error);
    };
    assert.equal(await guarded('src/b.ts'), 'unknown');
    await rm(path.join(root, 'src/b.ts'));
    assert.equal(await guarded('src/a.ts'), undefined);
    assert.equal(await readFile(path.join(root, 'src/a.ts'), 'utf8'), 'export const TOKEN = 1;\n');
    const tools = createTools({ ports: { ...ports, fileSystem }, roots });
    let reason = '';
    await callTool(
      tools,
      'read_file',
      { path: 'copy.json' },
      {
        approve: (plan) => {
          const decided = decidePermission({
            toolName: 'read_file',
            plan: plan as WorkspacePlan,
            mode: 'ask',
            isTrusted: true,
          });
          reason = 'reason' in decided ? decided.reason : decided.action;
          return plan;
        },
      },
    );
    assert.equal(
      reason,
      'copy.json has other names on the disk that could not all be found, so reading it always asks',
    );
  });
});
