import assert from 'node:assert/strict';
import type { TemporaryFolder } from '../../support/files/temporaryFolder';
import { createGate } from '../../support/servers/modelServer';
import { useChatWindow } from '../../support/window/chatWindow';
import { installLanguageServer } from '../../support/window/languageServerExtension';

const SHOP = [
  'class Item:',
  '    price: int = 1',
  '',
  '',
  'class Book(Item):',
  '    pages: int = 2',
  '',
  '',
  'def subtotal(items: list[Item]) -> int:',
  '    return sum(item.price for item in items)',
  '',
].join('\n');
const CHECKOUT = [
  'from shop import Book, subtotal',
  '',
  '',
  'def checkout() -> int:',
  '    return subtotal([Book()])',
  '',
].join('\n');

/** Pyright in an extension of another author, as `test/fixtures/language-server-extension` starts it. */
describe('a language server from npm in the VS Code window', () => {
  let extensions: TemporaryFolder | undefined;

  before(async function () {
    this.timeout(600_000);
    const { folder, problem } = await installLanguageServer();
    extensions = folder;
    if (problem === undefined) return;
    console.log(`      ${problem}`);
    this.skip();
  });
  after(() => extensions?.dispose());

  const window = useChatWindow({
    files: { 'shop.py': SHOP, 'checkout.py': CHECKOUT, 'pyrightconfig.json': '{}\n' },
    extensionsFolder: () => extensions?.path ?? assert.fail('installed before'),
    settings: { 'openAgent.permissionMode': 'acceptEdits', 'openAgent.checks': 'problems' },
  });
  const find = (symbol: string, question: string) => ({
    toolCalls: [{ name: 'find_symbol', arguments: { symbol, find: question } }],
  });
  const answer = async (number: number) =>
    String((await window.request(number)).body.messages.at(-1)?.content).split('\n');

  it('answers to find_symbol: references, callers and a signature', async () => {
    const { workbench } = window;
    await workbench.openFile('checkout.py');
    // The server has answered when VS Code shows where the cursor is.
    await workbench.selectText('subtotal([Book()])');
    await workbench.page.locator('.breadcrumbs-control').getByText('checkout', { exact: true }).waitFor();
    await window.ask(
      'Where is subtotal used?',
      find('subtotal', 'references'),
      find('subtotal', 'callers'),
      find('subtotal', 'hover'),
      { text: 'In checkout.' },
    );
    await window.untilAnswered('In checkout.');
    assert.deepEqual(await answer(2), [
      'shop.py:9: def subtotal(items: list[Item]) -> int:',
      'checkout.py:1: from shop import Book, subtotal',
      'checkout.py:5: return subtotal([Book()])',
    ]);
    assert.deepEqual(await answer(3), ['checkout.py:5: return subtotal([Book()])']);
    assert.match((await answer(4)).join('\n'), /subtotal\(items: list\[Item\]\) -> int/);
    await workbench.screenshot('e2e-language-server');
  });

  it('renames over all files as one proposed edit', async () => {
    await window.ask('Rename it', find('subtotal', 'rename to total_of'), { text: 'Renamed.' });
    await window.untilAnswered('Renamed.');
    assert.equal(await window.read('shop.py'), SHOP.replace('subtotal', 'total_of'));
    assert.equal(await window.read('checkout.py'), CHECKOUT.replaceAll('subtotal', 'total_of'));
  });

  it('reports what an edit broke, in a round of repair', async () => {
    const { workbench } = window;
    await workbench.openFile('shop.py');
    const edit = (oldText: string, newText: string) => ({
      toolCalls: [
        { name: 'apply_edit', arguments: { path: 'shop.py', edits: [{ old_text: oldText, new_text: newText }] } },
      ],
    });
    const gate = createGate();
    await window.ask(
      'Write it as a word',
      edit('pages: int = 2', "pages: int = 'two'"),
      { text: ['Written.', gate] },
      edit("pages: int = 'two'", 'pages: int = 2'),
      { text: 'Mended.' },
    );
    // The model answers when the editor shows the error.
    await workbench.page.locator('.monaco-editor .squiggly-error').first().waitFor();
    gate.open();
    await window.untilAnswered('Mended.');
    const told = String((await window.request(3)).body.messages.at(-1)?.content);
    assert.match(
      told,
      /^Round 1 of 3: One error is new in the files that you edited\.\nshop\.py:\nline 6: error: .*"int"/,
    );
  });
});
