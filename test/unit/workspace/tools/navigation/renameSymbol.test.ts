import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { contentToText } from '../../../../../src/sdk/tool';
import path from 'node:path';
import type { CodeNavigation, CodeRename } from '../../../../../src/workspace/codeNavigation';
import { createNodePorts } from '../../../../../src/workspace/node/createNodePorts';
import type { EditsPlan } from '../../../../../src/workspace/plans';
import type { FileSystem } from '../../../../../src/workspace/ports';
import { createTools } from '../../../../../src/workspace/tools/createTools';
import type { JsonObject } from '../../../../../src/util/json';
import { callTool, type CallOptions, type CallResult } from '../../../../support/callTool';
import { fakeNavigation } from '../../../../support/fakeNavigation';
import { createTemporaryFolder } from '../../../../support/files/temporaryFolder';

const files = {
  'ws/src/cart.js': 'function subtotal(items) {}\r\nsubtotal([]);\r\n',
  'ws/src/checkout.js': 'subtotal(cart);\n',
  'ws/src/other.js': 'function other() {}\n',
  'ws/build/cart.js': 'other();\n',
  'ws/.gitignore': 'build/\n',
  'ws/secrets/.env': 'const secret = 1\n',
  'outside/notes.js': 'function far() {}\n',
};

interface World {
  readonly result: CallResult;
  readonly plan: EditsPlan | undefined;
  /** Some of the files afterwards. */
  readonly texts: readonly string[];
}

interface Options {
  readonly change?: (root: string) => Partial<CodeNavigation>;
  readonly call?: (root: string) => CallOptions;
  readonly fileSystem?: (real: FileSystem) => Partial<FileSystem>;
  readonly shown?: Readonly<Record<string, string>>;
}

describe('renaming with find_symbol', () => {
  async function rename(input: JsonObject, options: Options = {}): Promise<World> {
    await using folder = await createTemporaryFolder(files);
    const seen = options.shown ?? files;
    const known = Object.fromEntries(Object.entries(seen).map(([name, text]) => [`${folder.path}/${name}`, text]));
    const codeNavigation = { ...fakeNavigation({ files: known }), ...options.change?.(folder.path) };
    const node = createNodePorts();
    const fileSystem = { ...node.fileSystem, ...options.fileSystem?.(node.fileSystem) };
    const tools = createTools({
      ports: { ...node, fileSystem, codeNavigation },
      roots: () => [{ name: 'ws', path: `${folder.path}/ws` }],
    });
    let plan: EditsPlan | undefined;
    const call = options.call?.(folder.path) ?? {};
    const approve = async (planned: unknown): Promise<unknown> => {
      plan = planned as EditsPlan;
      return call.approve ? call.approve(planned) : planned;
    };
    const result = await callTool(tools, 'rename_symbol', input, { ...call, approve });
    const names = ['ws/src/cart.js', 'ws/src/checkout.js', 'ws/secrets/.env'];
    const texts = await Promise.all(names.map((name) => readFile(path.join(folder.path, name), 'utf8')));
    return { result, plan, texts };
  }
  const unchanged = [files['ws/src/cart.js'], files['ws/src/checkout.js'], files['ws/secrets/.env']];
  const changed = ['function sum(items) {}\r\nsum([]);\r\n', 'sum(cart);\n', files['ws/secrets/.env']];
  const errorOf = ({ result }: World): string => ('refused' in result ? result.refused : contentToText(result.content));

  for (const input of [
    { symbol: 'subtotal', find: 'rename to sum' },
    { symbol: 'subtotal in src/cart.js', find: 'rename sum' },
    { symbol: 'subtotal', new_name: 'sum' },
    { old_name: 'subtotal', newName: 'sum', path: 'src/checkout.js' },
  ]) {
    it(`plans one edit of all files, and writes them: ${JSON.stringify(input)}`, async () => {
      const { result, plan, texts } = await rename(input);
      assert.deepEqual(texts, changed);
      assert.equal(plan?.kind, 'edits');
      assert.equal(plan.title, 'Rename subtotal to sum');
      assert.deepEqual(
        plan.edits.map(({ kind, operation, target }) => [kind, operation, target.displayPath]),
        [
          ['edit', 'edit', 'src/cart.js'],
          ['edit', 'edit', 'src/checkout.js'],
        ],
      );
      assert.deepEqual(result, {
        content: 'Edited src/cart.js (+2 -2 lines).\nEdited src/checkout.js (+1 -1 lines).',
        isError: false,
        display: {
          applied: true,
          addedLines: 3,
          removedLines: 3,
          files: [
            { name: 'src/cart.js', addedLines: 2, removedLines: 2 },
            { name: 'src/checkout.js', addedLines: 1, removedLines: 1 },
          ],
        },
      });
    });
  }

  it('asks the server only after reading for an edit was decided', async () => {
    const asked: string[] = [];
    const world = rename(
      { symbol: 'subtotal', new_name: 'sum' },
      {
        change: () => ({ findSymbols: async () => (asked.push('server'), []) }),
        call: () => ({
          approveReading: (reading) => {
            asked.push(JSON.stringify((reading as { isFor?: string }).isFor));
            throw new Error('refused');
          },
        }),
      },
    );
    await assert.rejects(world, /refused/);
    assert.deepEqual(asked, ['"edit"']);
  });

  it('edits ignored files, as apply_edit does', async () => {
    const { plan } = await rename({ symbol: 'other', new_name: 'another' });
    assert.deepEqual(
      plan?.edits.map(({ target }) => target.displayPath),
      ['src/other.js', 'build/cart.js'],
    );
  });

  const alsoIn = (name: string) => (root: string) => ({
    rename: async (): Promise<CodeRename> => ({
      ok: true,
      files: ['ws/src/cart.js', name].map((file) => ({
        path: `${root}/${file}`,
        text: files[file as keyof typeof files] ?? '',
        changes: [{ startLine: 1, startCharacter: 9, endLine: 1, endCharacter: 17, text: 'sum' }],
      })),
    }),
  });

  for (const [name, pattern] of [
    ['ws/secrets/.env', /^The rename also reaches files that are protected or outside the workspace\. Nothing/],
    ['outside/notes.js', /^The rename also reaches files that are protected or outside the workspace\. Nothing/],
    ['ws/src/missing.js', /^"src\/missing.js" does not exist/],
    ['ws/src/other.js', /^src\/other.js would change in places that are not "subtotal"/],
    ['ws/src/cart.js', /^The language server changes a file under two names/],
  ] as const) {
    it(`changes nothing when the server also changes ${name}`, async () => {
      const world = await rename({ symbol: 'subtotal', new_name: 'sum' }, { change: alsoIn(name) });
      assert.match(errorOf(world), pattern);
      assert.doesNotMatch(errorOf(world), /\.env|notes/);
      assert.equal(world.plan, undefined);
      assert.deepEqual(world.texts, unchanged);
    });
  }

  it('changes nothing when the server saw another text than the file', async () => {
    const shown = { ...files, 'ws/src/checkout.js': ' subtotal(cart);\n' };
    const world = await rename({ symbol: 'subtotal in src/cart.js', new_name: 'sum' }, { shown });
    assert.match(errorOf(world), /^src\/checkout.js was changed while the language server looked at it\./);
    assert.deepEqual(world.texts, unchanged);
  });

  it('says why the server does not rename, and asks for no name that is none', async () => {
    const change = () => ({ rename: async (): Promise<CodeRename> => ({ ok: false, why: 'moves_files' }) });
    assert.match(
      errorOf(await rename({ symbol: 'subtotal', new_name: 'sum' }, { change })),
      /^The language server does not rename this: it would also rename, create or delete files\. Nothing was changed\./,
    );
    for (const name of ['', 'a b', 'x; y()', '1a', 'a\nb']) {
      assert.match(errorOf(await rename({ symbol: 'subtotal', new_name: name })), /is no name/);
    }
    assert.match(errorOf(await rename({ symbol: 'subtotal', new_name: 'subtotal' })), /named "subtotal" already/);
  });

  for (const late of ['ws/src/cart.js', 'ws/src/checkout.js']) {
    it(`writes no file when ${late} changes between plan and yes`, async () => {
      const call = (root: string): CallOptions => ({
        approve: async (plan) => {
          await writeFile(path.join(root, late), 'mine\n');
          return plan;
        },
      });
      const world = await rename({ symbol: 'subtotal', new_name: 'sum' }, { call });
      assert.match(errorOf(world), /was changed by someone else in the meantime\. Nothing was changed\./);
      assert.deepEqual(
        world.texts,
        unchanged.map((text, index) => (late.endsWith(['cart.js', 'checkout.js', '.env'][index]!) ? 'mine\n' : text)),
      );
    });
  }

  for (const stop of ['fails', 'is stopped'] as const) {
    it(`takes back the first file when the second ${stop}`, async () => {
      const stopped = new AbortController();
      let writes = 0;
      const world = rename(
        { symbol: 'subtotal', new_name: 'sum' },
        {
          call: () => ({ signal: stopped.signal }),
          fileSystem: (real) => ({
            writeText: async (...written) => {
              writes += 1;
              if (writes === 1 && stop === 'is stopped') stopped.abort();
              if (writes === 2 && stop === 'fails') throw Object.assign(new Error('no'), { code: 'EACCES' });
              return real.writeText(...written);
            },
          }),
        },
      );
      if (stop === 'is stopped') {
        await assert.rejects(world);
      } else {
        const { texts, result } = await world;
        assert.deepEqual(texts, unchanged);
        assert.match(
          errorOf({ texts, result, plan: undefined }),
          /is read-only\..* The other files are as they were\./,
        );
      }
      assert.equal(writes, stop === 'fails' ? 3 : 2);
    });
  }
});
