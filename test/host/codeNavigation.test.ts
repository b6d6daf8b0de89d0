import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createVscodePorts } from '../../src/host/ports/createVscodePorts';
import type { JsonObject } from '../../src/util/json';
import { createTools } from '../../src/workspace/tools/createTools';
import { callTool } from '../support/callTool';
import { createTemporaryFolder, type TemporaryFolder } from '../support/files/temporaryFolder';

const cart = [
  '/** The sum of all items. */',
  'export function subtotal(items) {',
  '  return items.reduce((sum, item) => sum + item.price, 0);',
  '}',
  '',
  'export class Cart {',
  '  items = [];',
  '  total() {',
  '    return subtotal(this.items);',
  '  }',
  '}',
  '',
].join('\n');
const checkout = [
  "import { Cart, subtotal } from './cart.js';",
  '',
  'export function checkout(items) {',
  '  return subtotal(items) + new Cart().total();',
  '}',
  '',
].join('\n');

/** VS Code's own TypeScript extension, on a folder without a project's configuration. */
describe('find_symbol with a language server', () => {
  const ports = createVscodePorts();
  let folder: TemporaryFolder;

  before(async () => {
    folder = await createTemporaryFolder({
      'src/cart.js': cart,
      'src/checkout.js': checkout,
      'test/cart.test.js': "import { subtotal } from '../src/cart.js';\n\nsubtotal([]);\n",
      'dist/cart.js': cart,
      'dist/checkout.js': checkout,
      '.gitignore': 'dist/\n',
      'README.md': '# Shop\n\nUses `subtotal`.\n',
    });
    const { signal } = new AbortController();
    // The extension starts with the first file.
    while ((await ports.codeNavigation!.symbolsOf(`${folder.path}/src/cart.js`, { signal })).length === 0);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await folder.dispose();
  });

  it('asks for the types above and below one, where a server knows them', async () => {
    const itemAt = (uri: vscode.Uri, name: string, line: number): vscode.TypeHierarchyItem => {
      const range = new vscode.Range(line, 0, line, 1);
      return new vscode.TypeHierarchyItem(vscode.SymbolKind.Class, name, '', uri, range, range);
    };
    const provider = vscode.languages.registerTypeHierarchyProvider('javascript', {
      prepareTypeHierarchy: ({ uri }, { line }) => itemAt(uri, 'Cart', line),
      provideTypeHierarchySupertypes: ({ uri }) => [itemAt(uri, 'subtotal', 1)],
      provideTypeHierarchySubtypes: ({ uri }) => [itemAt(uri, 'total', 7)],
    });
    try {
      assert.deepEqual(await find({ symbol: 'Cart in src/cart.js', find: 'types' }), [
        'Supertypes:',
        'src/cart.js:2: export function subtotal(items) {',
        'Subtypes:',
        'src/cart.js:8: total() {',
      ]);
    } finally {
      provider.dispose();
    }
    assert.deepEqual((await find({ symbol: 'Cart in src/cart.js', find: 'types' })).slice(0, 2), [
      'The language server knows no types above or below "Cart". Implementations:',
      'src/cart.js:6: export class Cart {',
    ]);
  });

  const find = async (input: JsonObject): Promise<readonly string[]> => {
    const tools = createTools({ ports, roots: () => [{ name: 'w', path: folder.path }] });
    const result = await callTool(tools, 'find_symbol', input);
    const text = 'refused' in result ? result.refused : result.content;
    assert.equal(typeof text, 'string');
    return (text as string).split('\n');
  };

  it('lists references: the same file first, then sources, then tests, without ignored files', async () => {
    assert.deepEqual(await find({ symbol: 'subtotal' }), [
      'src/cart.js:2: export function subtotal(items) {',
      'src/cart.js:9: return subtotal(this.items);',
      "src/checkout.js:1: import { Cart, subtotal } from './cart.js';",
      'src/checkout.js:4: return subtotal(items) + new Cart().total();',
      "test/cart.test.js:1: import { subtotal } from '../src/cart.js';",
      'test/cart.test.js:3: subtotal([]);',
      '[The word is also in README.md.]',
    ]);
  });

  it('finds a definition from a file that uses the symbol', async () => {
    const expected = ['src/cart.js:2: export function subtotal(items) {'];
    assert.deepEqual(await find({ symbol: 'subtotal', find: 'definition', path: 'src/checkout.js' }), expected);
    assert.deepEqual(await find({ symbol: 'subtotal in src/checkout.js', find: 'definition' }), expected);
  });

  it('finds callers of a method', async () => {
    assert.deepEqual(await find({ symbol: 'Cart.total', find: 'callers' }), [
      'src/checkout.js:4: return subtotal(items) + new Cart().total();',
    ]);
  });

  it('shows signature and documentation', async () => {
    assert.deepEqual(await find({ symbol: 'subtotal', find: 'hover' }), [
      'function subtotal(items: any): any',
      'The sum of all items.',
    ]);
  });

  it('outlines a file', async () => {
    assert.deepEqual(await find({ path: 'src/cart.js', find: 'symbols' }), [
      'src/cart.js:',
      '2: export function subtotal(items) {',
      '6: export class Cart {',
      '7: items = [];',
      '8: total() {',
    ]);
  });

  it('says that a symbol is unknown', async () => {
    assert.deepEqual(await find({ symbol: 'missingName' }), [
      'The language server knows no symbol "missingName". Try search_text. Ignored, binary, very big and protected files (such as .env) were not searched.',
    ]);
  });
});
