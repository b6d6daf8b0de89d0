import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';

describe('find_symbol in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      'src/cart.js': 'export function subtotal(items) {\n  return items.length;\n}\n',
      'src/checkout.js': "import { subtotal } from './cart.js';\n\nexport const total = subtotal([]) + 1;\n",
      'dist/cart.js': 'function subtotal() {}\n',
      '.gitignore': 'dist/\n',
      '.env': 'SUBTOTAL=1\nsubtotal=2\n',
    },
  });

  it('answers with lines of the workspace, as VS Code finds them', async () => {
    await window.workbench.openFile('src/cart.js');
    // The language server has answered when VS Code shows where the cursor is.
    await window.workbench.page.locator('.breadcrumbs-control').getByText('subtotal').waitFor();
    const call = { name: 'find_symbol', arguments: { symbol: 'subtotal', find: 'references' } };
    await window.ask('Where is subtotal used?', { toolCalls: [call] }, { text: 'In two files.' });
    await window.untilAnswered('In two files.');
    const { tools, messages } = (await window.request(2)).body;
    assert.equal(tools?.at(-1)?.function.name, 'find_symbol');
    assert.deepEqual(String(messages.at(-1)?.content).split('\n'), [
      'src/cart.js:1: export function subtotal(items) {',
      "src/checkout.js:1: import { subtotal } from './cart.js';",
      'src/checkout.js:3: export const total = subtotal([]) + 1;',
    ]);
    assert.equal(JSON.stringify((await window.request(1)).body.tools), JSON.stringify(tools));
    await window.panel.getByText('subtotal', { exact: true }).first().waitFor();
    await window.workbench.screenshot('e2e-find-symbol');
  });
});
