import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';

const files = {
  'src/cart.ts': 'export function subtotal(items: number[]) {\r\n  return items.length;\r\n}\r\n',
  'src/checkout.ts': "import { subtotal } from './cart';\n\nexport const all = { subtotal, tax: subtotal([]) };\n",
  'src/report.ts': "import { subtotal } from './cart';\n// subtotal in words\nconsole.log(subtotal([1]));\n",
  'tsconfig.json': '{"compilerOptions":{"strict":true},"include":["src"]}\n',
};

describe('a rename in the VS Code window', () => {
  const window = useChatWindow({ files, settings: { 'files.autoSave': 'off' } });
  const call = { name: 'find_symbol', arguments: { symbol: 'subtotal in src/cart.ts', find: 'rename to sum' } };
  const sources = () => Promise.all(['src/cart.ts', 'src/checkout.ts', 'src/report.ts'].map(window.read));
  const originals = [files['src/cart.ts'], files['src/checkout.ts'], files['src/report.ts']];
  const review = async (): Promise<void> => {
    const { workbench } = window;
    await window.button('Open Diff').click();
    await workbench.page.locator('.tab.active', { hasText: 'Proposed edits (3 files)' }).waitFor();
    await workbench.until(
      'all diffs are drawn',
      async () => (await workbench.page.locator('.multiDiffEntry').count()) === 3,
    );
  };
  const untilClosed = () =>
    window.workbench.page.locator('.tab', { hasText: 'Proposed edits (3 files)' }).waitFor({ state: 'detached' });
  const result = async () => String((await window.request(2)).body.messages.at(-1)?.content);

  before(async () => {
    await window.workbench.openFile('src/cart.ts');
    await window.workbench.page.locator('.breadcrumbs-control').getByText('subtotal').waitFor();
  });

  it('is rejected as a whole', async () => {
    const { workbench } = window;
    await window.ask('Rename subtotal to sum', { toolCalls: [call] }, { text: 'Then not.' });
    const card = window.card('Rename subtotal in src/cart.ts');
    await card.waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`e2e-rename-card-${theme}`);
    }
    await review();
    await workbench.screenshot('e2e-rename-review');
    await workbench.page.locator('.editor-actions').getByRole('button', { name: 'Reject All Proposed Edits' }).click();
    await workbench.page.locator('.quick-input-widget input').fill('Not now');
    await workbench.page.keyboard.press('Enter');
    await window.untilAnswered('Then not.');
    await untilClosed();
    assert.deepEqual(await sources(), originals);
    assert.match(await result(), /denied.*Not now/s);
  });

  it('changes all files when it is accepted, with line ends and unsaved text, and can be undone', async () => {
    const { workbench } = window;
    await workbench.openFile('src/report.ts');
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type('// unsaved');
    await window.ask('Rename subtotal to sum', { toolCalls: [call] }, { text: 'It is renamed.' });
    await review();
    await workbench.page.locator('.editor-actions').getByRole('button', { name: 'Accept All Proposed Edits' }).click();
    await window.untilAnswered('It is renamed.');
    await untilClosed();
    assert.deepEqual(await sources(), [
      'export function sum(items: number[]) {\r\n  return items.length;\r\n}\r\n',
      "import { sum } from './cart';\n\nexport const all = { subtotal: sum, tax: sum([]) };\n",
      "import { sum } from './cart';\n// subtotal in words\nconsole.log(sum([1]));\n// unsaved",
    ]);
    assert.deepEqual((await result()).split('\n').toSorted(), [
      'Edited src/cart.ts (+1 -1 lines).',
      'Edited src/checkout.ts (+2 -2 lines).',
      'Edited src/report.ts (+2 -2 lines).',
    ]);
    await window.panel.getByText('Changed 3 files').waitFor();
    await workbench.screenshot('e2e-rename-done');
    await window.panel.getByRole('button', { name: 'Undo', exact: true }).last().click();
    const asBefore = JSON.stringify(originals.slice(0, 2));
    const restored = async () => JSON.stringify((await sources()).slice(0, 2)) === asBefore;
    await workbench.until('the files are as before', restored);
  });
});
