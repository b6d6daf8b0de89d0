import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import * as z from 'zod';
import { decidePermission } from '../../../src/agent/approval/permissions';
import type { WorkspacePlan } from '../../../src/workspace/plans';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { createTools } from '../../../src/workspace/tools/createTools';
import type { JsonObject } from '../../../src/util/json';
import { callTool, type CallOptions, type CallResult } from '../../support/callTool';
import { proving, safetySample } from '../../support/safetySample';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

describe('paths on the real file system', () => {
  let outer: TemporaryFolder;
  let root: string;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    outer = await createTemporaryFolder({
      'w/src/a.ts': 'export const needle = 1;\n',
      'w/.env': 'needle=secret\n',
      'w/deep/.ssh/id_rsa': 'needle\n',
      'out/secret.txt': 'needle outside\n',
    });
    root = path.join(outer.path, 'w');
  });
  afterEach(() => outer.dispose());

  const call = (name: string, input: JsonObject, options?: CallOptions): Promise<CallResult> =>
    callTool(createTools({ ports: createNodePorts(), roots: () => [{ name: 'w', path: root }] }), name, input, options);

  /** The decision about a call; the call does not run. */
  async function verdict(name: string, input: JsonObject): Promise<string> {
    let decided = 'nothing';
    const stop = new Error('decided');
    const approve = (plan: unknown): never => {
      const { action, ...rest } = decidePermission({
        toolName: name,
        plan: plan as WorkspacePlan,
        mode: 'acceptEdits',
        isTrusted: true,
      });
      decided = 'reason' in rest ? `${action}: ${rest.reason.replaceAll(outer.path, '…')}` : action;
      throw stop;
    };
    const result = await call(name, input, { approve, approveReading: approve }).catch((error: unknown) => {
      if (error !== stop) throw error;
      return undefined;
    });
    return result === undefined ? decided : JSON.stringify(result);
  }

  it('ask about every path outside, by its real path', async () => {
    await symlink(path.join(outer.path, 'out'), path.join(root, 'link'));
    assert.deepEqual(
      await Promise.all([
        verdict('read_file', { path: '../out/secret.txt' }),
        verdict('read_file', { path: 'link/secret.txt' }),
        verdict('list_directory', { path: 'link' }),
        verdict('search_text', { pattern: 'needle', path: 'link' }),
        verdict('apply_edit', { path: 'link/secret.txt', old_text: 'needle', new_text: 'x' }),
        verdict('write_file', { path: 'link/new.txt', content: 'x' }),
        verdict('run_terminal_command', { command: 'ls', cwd: 'link' }),
        verdict('run_terminal_command', { command: 'ls', cwd: '/' }),
      ]),
      [
        'ask: …/out/secret.txt is outside the workspace, so reading it always asks',
        'ask: …/out/secret.txt is outside the workspace, so reading it always asks',
        'ask: …/out is outside the workspace, so reading it always asks',
        'ask: …/out is outside the workspace, so reading it always asks',
        'ask: …/out/secret.txt is outside the workspace, so looking at it to plan an edit asks first. You decide about the edit itself afterwards',
        'ask: …/out/new.txt is outside the workspace, so looking at it to plan an edit asks first. You decide about the edit itself afterwards',
        'ask: …/out is outside the workspace, so running a command there always asks',
        'ask: / is outside the workspace, so running a command there always asks',
      ],
    );
  });

  it('do not tell what exists outside before a person is asked', async () => {
    const paths = ['../out/secret.txt', '../out/missing.txt', '../out', '../out/secret.txt/x', 'link/pipe'];
    await symlink(path.join(outer.path, 'out'), path.join(root, 'link'));
    execFileSync('mkfifo', [path.join(outer.path, 'out/pipe')]);
    for (const [name, input] of [
      ['read_file', {}],
      ['list_directory', {}],
      ['search_text', { pattern: 'x' }],
    ] as const) {
      for (const file of paths) {
        const said = await verdict(name, { path: file, ...input });
        assert.match(said, /^ask: .* is outside the workspace, so reading it always asks$/, `${name} ${file}`);
      }
    }
    for (const cwd of paths) {
      const said = await verdict('run_terminal_command', { command: 'ls', cwd });
      assert.match(said, /^ask: .* is outside the workspace, so running a command there always asks$/, cwd);
    }
    assert.deepEqual(await call('read_file', { path: '../out/missing.txt' }), {
      content: `"${path.join(outer.path, 'out/missing.txt')}" does not exist.`,
      isError: true,
    });
    for (const name of ['read_file', 'search_text']) {
      const allowed = await call(name, { path: 'link/pipe', pattern: 'x' });
      assert.match(JSON.stringify(allowed), /device, pipe or socket/, name);
    }
  });

  it('ask in the same way whatever an edit of a protected file says, and only then open the file', async () => {
    await symlink('.env', path.join(root, 'a.txt'));
    await symlink(path.join(outer.path, 'out'), path.join(root, 'link'));
    await writeFile(path.join(root, 'big.pem'), 'needle\n'.repeat(1_000_000));
    await writeFile(path.join(root, 'data.key'), Buffer.from([0, 1, 2]));
    const quotes = ['needle=secret', 'nedle=secret', 'e', 'missing', 'needle=secret\nneedle'];
    const outside = ['../out/secret.txt', '../out/missing.txt', '../out', 'link/secret.txt', 'link/secret.txt/x'];
    for (const file of ['.env', 'a.txt', 'deep/.ssh/id_rsa', 'big.pem', 'data.key', ...outside]) {
      const edits = quotes.map((old_text) =>
        verdict('apply_edit', { path: file, old_text, new_text: 'needle=secret' }),
      );
      const texts = ['needle=secret\n', '// ... rest of the file ...\n'];
      const writes = texts.map((content) => verdict('write_file', { path: file, content }));
      const said = new Set(await Promise.all([...edits, ...writes]));
      assert.equal(said.size, 1, [...said].join('\n'));
      assert.match([...said][0] ?? '', /^ask: .*, so looking at it to plan an edit asks first\./);
    }
  });

  it('tell the model why an edit of a protected file fails after a person allowed to read it', async () => {
    const refusal = async (name: string, input: JsonObject) => {
      const result = await call(name, input);
      return 'refused' in result ? result.refused.replaceAll(outer.path, '…') : assert.fail(JSON.stringify(result));
    };
    assert.match(await refusal('apply_edit', { path: '.env', old_text: 'nedle', new_text: 'x' }), /needle=secret/);
    for (const [file, expected] of [
      ['../out/missing.txt', '"…/out/missing.txt" does not exist. To create a file, use write_file.'],
      ['../out', '"…/out" is a folder. Use list_directory to see what is in it.'],
    ] as const) {
      assert.equal(await refusal('apply_edit', { path: file, old_text: 'x', new_text: 'y' }), expected);
    }
    for (const [file, content] of [
      ['.env', 'needle=secret\n'],
      ['../out/secret.txt', 'needle outside\n'],
    ] as const) {
      assert.match(await refusal('write_file', { path: file, content }), /already has exactly this content/);
    }
  });

  it('refuse an edit if the file leads elsewhere when the reading is allowed', async () => {
    await symlink(path.join(outer.path, 'out/secret.txt'), path.join(root, 'a.txt'));
    const swap = async () => {
      await rm(path.join(root, 'a.txt'));
      await symlink('.env', path.join(root, 'a.txt'));
    };
    const edit = { path: 'a.txt', old_text: 'nedle', new_text: 'x' };
    const result = await callTool(
      createTools({ ports: createNodePorts(), roots: () => [{ name: 'w', path: root }] }),
      'apply_edit',
      edit,
      { approveReading: swap },
    );
    // The plan has the real path, so the swapped link is not followed again.
    assert.ok('refused' in result);
    assert.doesNotMatch(result.refused, /secret=|needle=/);
  });

  it('tell nothing of what is behind a link that leads outside', async () => {
    const links = { 'to-file': 'out/secret.txt', 'to-folder': 'out', 'to-nothing': 'out/missing', inside: 'w/src' };
    for (const [name, target] of Object.entries(links)) {
      await symlink(path.join(outer.path, target), path.join(root, name));
    }
    await symlink('nowhere', path.join(root, 'broken'));
    const listed = await call('list_directory', { path: '.' });
    assert.equal(
      'content' in listed && listed.content,
      '.:\ndeep/\ninside/ (link)\nsrc/\n.env\nbroken (link that cannot be followed)\nto-file (link)\nto-folder (link)\nto-nothing (link)',
    );
    for (const name of ['to-file', 'to-folder', 'to-nothing', 'to-nothing/x']) {
      const said = (await verdict('read_file', { path: name })).replace(/…\S+/, '…');
      assert.equal(said, 'ask: … is outside the workspace, so reading it always asks', name);
    }
    assert.match(JSON.stringify(await call('read_file', { path: 'to-nothing' })), /out\/missing.*does not exist/);
    assert.match(JSON.stringify(await call('read_file', { path: 'broken' })), /link to something that does not exist/);
  });

  it('ask about a link to a protected file', async () => {
    await symlink('.env', path.join(root, 'a.txt'));
    await symlink('deep/.ssh', path.join(root, 'docs'));
    assert.deepEqual(
      await Promise.all([
        verdict('read_file', { path: 'a.txt' }),
        verdict('read_file', { path: 'docs/id_rsa' }),
        verdict('apply_edit', { path: 'a.txt', old_text: 'secret', new_text: 'x' }),
        verdict('write_file', { path: 'docs/authorized_keys', content: 'x' }),
      ]),
      [
        'ask: a.txt, which is .env, may hold secrets, so reading it always asks',
        'ask: docs/id_rsa, which is deep/.ssh/id_rsa, may hold secrets, so reading it always asks',
        'ask: a.txt, which is .env, may hold secrets, so looking at it to plan an edit asks first. You decide about the edit itself afterwards',
        'ask: docs/authorized_keys, which is deep/.ssh/authorized_keys, may hold secrets, so looking at it to plan an edit asks first. You decide about the edit itself afterwards',
      ],
    );
  });

  it('keep files that may hold secrets out of a search', async () => {
    const hit = { content: 'src/a.ts\n1: export const needle = 1;', isError: false };
    assert.deepEqual(await call('search_text', { pattern: 'needle' }), hit);
    assert.deepEqual(await call('search_text', { pattern: 'needle', path: 'src' }), hit);
    // The answer is the same whether or not the protected file matches, so nobody can guess secrets.
    const rest = 'Ignored, binary, very big and protected files (such as .env) were not searched.';
    for (const pattern of ['secret', 'secreu']) {
      assert.deepEqual(await call('search_text', { pattern }), {
        content: `No match for "${pattern}" in the workspace. ${rest}`,
        isError: false,
      });
    }
    assert.match(await verdict('search_text', { pattern: 'needle', path: '.env' }), /^ask: \.env may hold secrets/);
    assert.deepEqual(await call('search_text', { pattern: 'needle', path: '.env' }), {
      content: '.env\n1: needle=secret',
      isError: false,
    });
  });

  it('show the names of protected files', async () => {
    assert.deepEqual(await call('list_directory', {}), { content: '.:\ndeep/\nsrc/\n.env', isError: false });
  });

  it('refuse pipes, sockets and devices, and never wait for them', async function () {
    execFileSync('mkfifo', [path.join(root, 'fifo')]);
    await symlink('fifo', path.join(root, 'to-fifo'));
    await symlink('/dev/zero', path.join(root, 'to-zero'));
    const server = net.createServer().listen(path.join(root, 'socket'));
    const special = ['fifo', 'to-fifo', 'to-zero', 'socket', '/dev/zero', '/dev/stdin', '/proc/self/environ'];
    if (process.getuid?.() === 0) {
      execFileSync('mknod', [path.join(root, 'zero'), 'c', '1', '5']);
      special.push('zero');
    }
    try {
      for (const file of special) {
        for (const [name, input] of [
          ['read_file', {}],
          ['apply_edit', { old_text: 'a', new_text: 'b' }],
          ['write_file', { content: 'x' }],
          ['search_text', { pattern: 'x' }],
        ] as const) {
          const result = await call(name, { path: file, ...input });
          assert.ok('refused' in result, `${name} ${file}: ${JSON.stringify(result)}`);
          assert.match(result.refused, /device, pipe or socket|not a file to work on/);
        }
      }
      assert.deepEqual(await call('search_text', { pattern: 'needle' }), {
        content: 'src/a.ts\n1: export const needle = 1;',
        isError: false,
      });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('do not wait for ignore files that are pipes', async () => {
    execFileSync('mkfifo', [path.join(root, '.gitignore'), path.join(root, 'src/.gitignore')]);
    assert.deepEqual(await call('search_text', { pattern: 'needle', path: 'src' }), {
      content: 'src/a.ts\n1: export const needle = 1;',
      isError: false,
    });
    assert.deepEqual(await call('list_directory', { path: 'src' }), {
      content: 'src:\n.gitignore (not a regular file)\na.ts',
      isError: false,
    });
  });

  it('read only the approved place if a folder becomes a link before the run', async () => {
    for (const [name, input] of [
      ['read_file', { path: 'src/a.ts' }],
      ['list_directory', { path: 'src' }],
      ['search_text', { pattern: 'needle', path: 'src' }],
      ['apply_edit', { path: 'src/a.ts', old_text: 'needle', new_text: 'pin' }],
      ['write_file', { path: 'src/new.ts', content: 'x' }],
      ['run_terminal_command', { command: 'pwd', cwd: 'src' }],
    ] as const) {
      const swap = async (plan: unknown): Promise<unknown> => {
        await rename(path.join(root, 'src'), path.join(root, 'src-before'));
        await mkdir(path.join(outer.path, 'out/src'), { recursive: true });
        await writeFile(path.join(outer.path, 'out/src/a.ts'), 'needle outside\n');
        await symlink(path.join(outer.path, 'out/src'), path.join(root, 'src'));
        return plan;
      };
      const result = await call(name, input, { approve: swap });
      assert.ok('content' in result && result.isError === true, `${name}: ${JSON.stringify(result)}`);
      assert.match(JSON.stringify(result.content), /is outside the workspace/, name);
      assert.equal(await readFile(path.join(outer.path, 'out/src/a.ts'), 'utf8'), 'needle outside\n');
      await rm(path.join(root, 'src'));
      await rename(path.join(root, 'src-before'), path.join(root, 'src'));
    }
  });

  it('do not create a file that exists meanwhile, not even through a link', async () => {
    const { approved } = safetySample('ED14', z.object({ approved: z.string(), beforeApply: z.string() })).input;
    const file = approved.replace(' (create)', '');
    const target = path.join(outer.path, 'out/made.txt');
    for (const appear of [
      () => writeFile(path.join(root, file), 'theirs'),
      () => symlink(target, path.join(root, file)),
    ]) {
      const approve = async (plan: unknown): Promise<unknown> => {
        await appear();
        return plan;
      };
      const result = await call('write_file', { path: file, content: 'ours' }, { approve });
      assert.ok('content' in result && result.isError === true, JSON.stringify(result));
      await assert.rejects(stat(target), { code: 'ENOENT' });
      await rm(path.join(root, file));
    }
  });

  it('keep the mode of a file that is edited', async () => {
    const { path: file, mode } = safetySample('ED26', z.object({ path: z.string(), mode: z.string() })).input;
    await writeFile(path.join(root, file), 'echo a\n', { mode: Number.parseInt(mode, 8) });
    await call('apply_edit', { path: file, old_text: 'a', new_text: 'b' });
    assert.equal((await stat(path.join(root, file))).mode & 0o7777, Number.parseInt(mode, 8));
    assert.equal(await readFile(path.join(root, file), 'utf8'), 'echo b\n');
  });

  it('keep line ends, byte order mark and every byte outside the edit', async () => {
    const shape = z.object({ path: z.string(), eol: z.literal('CRLF'), bom: z.literal(true) });
    const { path: file } = safetySample('ED21', shape).input;
    const text = '\uFEFFone \r\n\ttwo\r\nlone\nthree\r\nend';
    await writeFile(path.join(root, file), text);
    await call('apply_edit', { path: file, old_text: '\ttwo\n', new_text: '\tTWO\n\tmore\n' });
    assert.equal(await readFile(path.join(root, file), 'utf8'), text.replace('\ttwo\r\n', '\tTWO\r\n\tmore\r\n'));
    await call('write_file', { path: file, content: 'all\nnew\n' });
    assert.equal(await readFile(path.join(root, file), 'utf8'), '\uFEFFall\r\nnew\r\n');
  });

  it(proving('PR12', 'report that the folder of a command is gone'), async () => {
    const approve = async (plan: unknown): Promise<unknown> => {
      await rm(path.join(root, 'src'), { recursive: true });
      return plan;
    };
    const result = await call('run_terminal_command', { command: 'pwd', cwd: 'src' }, { approve });
    assert.deepEqual(result, { content: '"src" does not exist any more. Nothing was done.', isError: true });
  });
});
