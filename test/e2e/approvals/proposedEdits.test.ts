import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import type { Turn } from '../../support/servers/modelServer';

const names = ['one', 'two', 'three'];
const long = Array.from({ length: 60 }, (_, index) => `export const line${index} = ${index};\n`).join('');

describe('several proposed edits in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      'small.ts': 'let a = 1;\n',
      'long.ts': long,
      ...Object.fromEntries(
        ['all', 'none', 'each'].flatMap((set) => names.map((name) => [`${set}-${name}.ts`, `let ${name} = 0;\n`])),
      ),
    },
    settings: { 'files.autoSave': 'off' },
  });

  afterEach(() => window.workbench.runCommand('View: Close All Editors'));

  const edits = (set: string): Turn => ({
    toolCalls: [
      ...names.map((name) => ({
        name: 'apply_edit',
        arguments: { path: `${set}-${name}.ts`, old_text: `let ${name} = 0;`, new_text: `const ${name} = 1;` },
      })),
      { name: 'write_file', arguments: { path: `${set}-four.ts`, content: 'const four = 4;\n' } },
    ],
  });
  const files = (set: string) => Promise.all(names.map((name) => window.read(`${set}-${name}.ts`)));
  const changed = names.map((name) => `const ${name} = 1;\n`);
  const unchanged = names.map((name) => `let ${name} = 0;\n`);
  const results = async (count: number): Promise<readonly unknown[]> =>
    (await window.request(2)).body.messages.slice(-count).map(({ content }) => content);

  /** Opens the editor with all proposed edits from a card. */
  async function review(): Promise<void> {
    const { workbench, panel } = window;
    await panel.getByRole('button', { name: 'Review All 4 Edits' }).first().click();
    await workbench.page.locator('.tab.active', { hasText: 'Proposed edits (4 files)' }).waitFor();
    await workbench.until(
      'all diffs are drawn',
      async () => (await workbench.page.locator('.multiDiffEntry').count()) === 4,
    );
  }
  const action = (name: string) => window.workbench.page.locator('.editor-actions').getByRole('button', { name });
  const untilClosed = () =>
    window.workbench.page.locator('.tab', { hasText: 'Proposed edits (4 files)' }).waitFor({ state: 'detached' });

  it('open in one editor and are accepted from its title', async () => {
    await window.ask('Change all', edits('all'), { text: 'All are in.' });
    await review();
    await window.workbench.screenshot('e2e-review-proposed');
    assert.deepEqual(await files('all'), unchanged);
    await action('Accept All Proposed Edits').click();
    await window.untilAnswered('All are in.');
    assert.deepEqual([...(await files('all')), await window.read('all-four.ts')], [...changed, 'const four = 4;\n']);
    await untilClosed();
    assert.deepEqual(await results(4), [
      ...names.map((name) => `Edited all-${name}.ts (+1 -1 lines).`),
      'Created all-four.ts (+1 -0 lines).',
    ]);
  });

  it('are all rejected with one reason', async () => {
    const { workbench } = window;
    await window.ask('Change all', edits('none'), { text: 'None is in.' });
    await review();
    await action('Reject All Proposed Edits').click();
    await workbench.page.locator('.quick-input-widget input').fill('Not today');
    await workbench.page.keyboard.press('Enter');
    await window.untilAnswered('None is in.');
    assert.deepEqual(await files('none'), unchanged);
    await untilClosed();
    for (const result of await results(4)) assert.match(String(result), /Not today/);
  });

  it('open one after the other while they are accepted on the cards', async () => {
    const { workbench, panel } = window;
    await window.ask('Change all', edits('each'), { text: 'They are in.' });
    const shown = (name: string) =>
      workbench.page.locator('.tab.active', { hasText: `each-${name}.ts (proposed edit)` }).waitFor();
    await shown('one');
    assert.equal((await workbench.tabs()).length, 1);
    for (const name of ['one', 'two']) {
      await panel.getByRole('button', { name: 'Accept', exact: true }).first().click();
      await shown(name === 'one' ? 'two' : 'three');
    }
    await panel.getByRole('button', { name: 'Accept All Edits of This Run' }).first().click();
    await window.untilAnswered('They are in.');
    assert.deepEqual([...(await files('each')), await window.read('each-four.ts')], [...changed, 'const four = 4;\n']);
  });

  it('need a decision of their own when the card has a warning', async () => {
    const { workbench, panel } = window;
    const turn: Turn = {
      toolCalls: [
        { name: 'apply_edit', arguments: { path: 'small.ts', old_text: 'let a', new_text: 'const a' } },
        { name: 'write_file', arguments: { path: 'long.ts', content: 'export {};\n' } },
      ],
    };
    await window.ask('Tidy up', turn, { text: 'Tidied.' });
    await panel.getByRole('button', { name: 'Review All 2 Edits' }).first().click();
    await workbench.page.locator('.tab.active', { hasText: 'Proposed edits (2 files)' }).waitFor();
    await action('Accept All Proposed Edits').click();
    await workbench.until(
      'the harmless one is applied',
      async () => (await window.read('small.ts')) === 'const a = 1;\n',
    );
    await workbench.notification('One edit has a warning');
    await panel.getByText('The file loses 59 of its 60 lines.').waitFor();
    assert.equal(await window.read('long.ts'), long);
    await workbench.screenshot('e2e-review-warning');
    await window.button('Accept').click();
    await window.untilAnswered('Tidied.');
    assert.equal(await window.read('long.ts'), 'export {};\n');
  });
});
