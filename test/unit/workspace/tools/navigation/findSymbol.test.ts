import assert from 'node:assert/strict';
import { createTools } from '../../../../../src/workspace/tools/createTools';
import type { CodeNavigation } from '../../../../../src/workspace/codeNavigation';
import { createNodePorts } from '../../../../../src/workspace/node/createNodePorts';
import type { JsonObject } from '../../../../../src/util/json';
import { callTool } from '../../../../support/callTool';
import { fakeNavigation } from '../../../../support/fakeNavigation';
import { createTemporaryFolder } from '../../../../support/files/temporaryFolder';

const files = {
  'ws/src/cart.js': 'function subtotal(items) {\n  return sum(items);\n}\nconst tax = subtotal([]);\n',
  'ws/src/checkout.js': '  subtotal(cart);\n  subtotal(cart);\n',
  'ws/test/cart.test.js': 'subtotal([]);\nfunction helper() {}\n',
  'ws/a/twice.js': 'function twice() {}\n',
  'ws/b/twice.js': 'function twice() {}\n',
  'ws/src/many.js': `function many() {}\n${'many();\n'.repeat(99)}`,
  'ws/.env': 'TOKEN=subtotal\n',
  'ws/certs/server.key': 'function hidden() {}\nsubtotal\n',
  'ws/build/cart.js': 'function subtotal() {}\nfunction built() {}\n',
  'ws/.gitignore': 'build/\n',
  'outside/notes.js': 'function subtotal() {}\nfunction far() {}\n',
};

describe('find_symbol', () => {
  /** The answer's lines. `change`: methods of the language server. */
  async function ask(input: JsonObject, change: Partial<CodeNavigation> = {}): Promise<readonly string[]> {
    await using folder = await createTemporaryFolder(files);
    const known = Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder.path}/${name}`, text]));
    const codeNavigation = { ...fakeNavigation({ files: known }), ...change };
    const tools = createTools({
      ports: { ...createNodePorts(), codeNavigation },
      roots: () => [{ name: 'ws', path: `${folder.path}/ws` }],
    });
    const result = await callTool(tools, 'find_symbol', input);
    const text = 'refused' in result ? result.refused : result.content;
    assert.equal(typeof text, 'string');
    return (text as string).split('\n');
  }

  it('lists references by file: the own one, sources, tests; none of protected, ignored and outside files', async () => {
    assert.deepEqual(await ask({ symbol: 'subtotal' }), [
      'src/cart.js:1: function subtotal(items) {',
      'src/cart.js:4: const tax = subtotal([]);',
      'src/checkout.js:1: subtotal(cart);',
      'src/checkout.js:2: subtotal(cart);',
      'test/cart.test.js:1: subtotal([]);',
    ]);
  });

  it('finds the definition of a name that a file uses', async () => {
    const expected = ['src/cart.js:1: function subtotal(items) {'];
    assert.deepEqual(await ask({ symbol: 'subtotal in src/checkout.js', find: 'definition' }), expected);
    assert.deepEqual(await ask({ name: 'subtotal()', file: 'src/checkout.js', action: 'go to definition' }), expected);
  });

  it('lists candidates for a name that several files declare', async () => {
    assert.deepEqual(await ask({ symbol: 'twice' }), [
      'There are several symbols "twice". Add a file, such as "twice in a/twice.js":',
      'a/twice.js:1: function twice() {}',
      'b/twice.js:1: function twice() {}',
    ]);
    assert.deepEqual(await ask({ symbol: 'twice in b/twice.js', find: 'definition' }), [
      'b/twice.js:1: function twice() {}',
    ]);
  });

  it('tells similar names of an unknown one', async () => {
    assert.deepEqual(await ask({ symbol: 'subtot' }), [
      'The language server knows no symbol "subtot". Similar ones:',
      'src/cart.js:1: function subtotal(items) {',
    ]);
  });

  for (const name of ['hidden', 'built', 'far', 'nowhere']) {
    it(`tells of "${name}" the same as of a name that nothing has`, async () => {
      assert.deepEqual(await ask({ symbol: name }), [
        `The language server knows no symbol "${name}". Try search_text. Ignored, binary, very big and protected files (such as .env) were not searched.`,
      ]);
    });
  }

  it('lists the types above and below a type, without those that may not be shown', async () => {
    const related: CodeNavigation['related'] = async (relation, { path }) => {
      const line = { line: 1, character: 0 };
      if (relation === 'supertypes') return [{ path, ...line }];
      if (relation === 'subtypes')
        return [
          { path: path.replace('src/cart.js', 'b/twice.js'), ...line },
          { path: path.replace('src/cart.js', '.env'), ...line },
        ];
      return [];
    };
    assert.deepEqual(await ask({ symbol: 'subtotal', find: 'type hierarchy' }, { related }), [
      'Supertypes:',
      'src/cart.js:1: function subtotal(items) {',
      'Subtypes:',
      'b/twice.js:1: function twice() {}',
    ]);
  });

  it('names implementations where the server knows no types', async () => {
    const lines = await ask({ symbol: 'subtotal', find: 'types' });
    assert.equal(lines[0], 'The language server knows no types above or below "subtotal". Implementations:');
  });

  it('outlines a file', async () => {
    const expected = ['src/cart.js:', '1: function subtotal(items) {', '4: const tax = subtotal([]);'];
    assert.deepEqual(await ask({ symbol: 'src/cart.js', find: 'symbols' }), expected);
    assert.deepEqual(await ask({ path: 'src/cart.js', find: 'outline' }), expected);
  });

  it('leaves out what is too much, and says how much', async () => {
    const lines = await ask({ symbol: 'many' });
    assert.deepEqual([lines.length, lines.at(-1)], [61, '… 40 more']);
  });

  it('asks before it looks in a protected file or outside the workspace', async () => {
    await using folder = await createTemporaryFolder(files);
    const tools = createTools({
      ports: { ...createNodePorts(), codeNavigation: fakeNavigation() },
      roots: () => [{ name: 'ws', path: `${folder.path}/ws` }],
    });
    const asked: unknown[] = [];
    const approve = (plan: unknown): never => {
      asked.push((plan as { readonly target: { readonly displayPath: string } }).target.displayPath);
      throw new Error('denied');
    };
    for (const file of ['.env', '../outside/notes.js']) {
      await assert.rejects(callTool(tools, 'find_symbol', { symbol: 'TOKEN', path: file }, { approve }), /denied/);
    }
    assert.deepEqual(asked, ['.env', `${folder.path}/outside/notes.js`]);
  });

  it('tells no error of a server, which may quote any file', async () => {
    const related = (): Promise<never> => Promise.reject(new Error('TOKEN=secret'));
    assert.deepEqual(await ask({ symbol: 'subtotal' }, { related }), [
      'The language server did not answer. Use search_text instead.',
    ]);
  });

  it('tells of a type only literals that a readable file has', async () => {
    const hover = async (): Promise<string> => '```ts\nconst tax: "sk-secret" | 12 | "sum"\n```\nThe tax.';
    assert.deepEqual(await ask({ symbol: 'tax', find: 'hover' }, { hover }), ['const tax: … | … | "sum"', 'The tax.']);
  });

  it('shows the line instead of the type of a symbol that is defined in a file that may not be read', async () => {
    const related: CodeNavigation['related'] = async (_relation, { path }) => [
      { path: path.replace('src/cart.js', '.env'), line: 1, character: 0 },
    ];
    const hover = (): never => assert.fail('asked for the type');
    assert.deepEqual(await ask({ symbol: 'tax', find: 'hover' }, { related, hover }), [
      'src/cart.js:4: const tax = subtotal([]);',
    ]);
  });

  it('refuses a question that it does not know', async () => {
    assert.deepEqual(await ask({ symbol: 'subtotal', find: 'colour' }), [
      'find must be references, definition, implementations, callers, types, hover, symbols or rename to NEW, not "colour".',
    ]);
    assert.deepEqual(await ask({}), ['Name a symbol, or with find: symbols the path of a file.']);
  });
});
