import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { useChatWindow } from '../../support/window/chatWindow';
import type { Turn } from '../../support/servers/modelServer';

const names = ['one', 'two', 'three'];
const long = Array.from({ length: 60 }, (_, index) => `export const line${index} = ${index};\n`).join('');

describe('several proposed edits in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      // Else the names of one file conflict with those of the next, and the model would be told.
      'tsconfig.json': '{ "compilerOptions": { "moduleDetection": "force" } }\n',
      'small.ts': 'let a = 1;\n',
      'long.ts': long,
      ...Object.fromEntries(
        ['all', 'none', 'each', 'bar', 'keys'].flatMap((set) =>
          names.map((name) => [`${set}-${name}.ts`, `let ${name} = 0;\n`]),
        ),
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

  /** What can be done about all waiting edits, above the field for messages. */
  const bar = () => window.panel.getByRole('region', { name: 'Waiting edits' });

  /** Opens the editor with all proposed edits. */
  async function review(): Promise<void> {
    const { workbench } = window;
    await bar().getByRole('button', { name: 'Review', exact: true }).click();
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
    await action('Reject All Proposed Edits').waitFor();
    const labels = await window.workbench.page
      .locator('.editor-actions .action-label')
      .evaluateAll((all) => all.map((label) => label.getAttribute('aria-label') ?? ''));
    const accept = labels.findIndex((label) => label.startsWith('Accept All Proposed Edits'));
    assert.match(labels[accept + 1] ?? '', /^Reject All Proposed Edits/, labels.join(', '));
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
    const { workbench } = window;
    await window.ask('Change all', edits('each'), { text: 'They are in.' });
    const shown = (name: string) =>
      workbench.page.locator('.tab.active', { hasText: `each-${name}.ts (proposed edit)` }).waitFor();
    await shown('one');
    assert.equal((await workbench.tabs()).length, 1);
    for (const name of ['one', 'two']) {
      const accept = window.card(`Edit each-${name}.ts`).getByRole('button', { name: 'Accept', exact: true });
      await accept.click();
      // The cards below move up then.
      await accept.waitFor({ state: 'detached' });
      await shown(name === 'one' ? 'two' : 'three');
    }
    await window.answerWith('Accept All Edits of This Run');
    await window.untilAnswered('They are in.');
    assert.deepEqual([...(await files('each')), await window.read('each-four.ts')], [...changed, 'const four = 4;\n']);
  });

  it('are answered together above the field for messages, and leave no proposal open', async () => {
    const { workbench } = window;
    await window.ask('Change all', edits('bar'), { text: 'All at once.' });
    await bar().getByText('4 edits wait').waitFor();
    // The fourth card shows its title only.
    await window.panel.getByRole('button', { name: 'Show Question' }).waitFor();
    assert.equal(await window.button('Accept').count(), 3);
    for (const theme of ['light', 'dark'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`e2e-question-bar-${theme}`);
    }
    await bar().getByRole('button', { name: 'Accept All' }).click();
    await window.untilAnswered('All at once.');
    assert.deepEqual([...(await files('bar')), await window.read('bar-four.ts')], [...changed, 'const four = 4;\n']);
    await workbench.until(
      'no proposal is open',
      async () => !(await workbench.tabs()).some((name) => name.includes('(proposed')),
    );
    assert.equal(await bar().count(), 0);
  });

  it('are answered by keys while the field for messages is empty', async () => {
    const { page } = window.workbench;
    await window.ask('Change all', edits('keys'), { text: 'By keys.' });
    await bar().getByText('4 edits wait').waitFor();
    const composer = window.panel.getByLabel('Message to Open Agent');
    await composer.focus();
    const cards = window.panel.getByRole('button', { name: /^(Accept|Show Question)$/ });
    const press = async (key: string, left: number): Promise<void> => {
      // A key that is lost on its way is pressed again, but only when it cannot arrive any more.
      await window.workbench.until(`${left} are left`, async () => {
        await window.button('Accept').first().scrollIntoViewIfNeeded();
        // A question takes keys once it was in view for half a second.
        await composer.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)));
        await page.keyboard.press(key);
        const end = performance.now() + 25_000;
        await window.workbench.until(
          'the key has arrived, or is lost',
          async () => (await cards.count()) <= left || performance.now() > end,
        );
        return (await cards.count()) <= left;
      });
      assert.equal(await cards.count(), left);
    };
    await press('ControlOrMeta+Enter', 3);
    await press('ControlOrMeta+Shift+Backspace', 2);
    await press('ControlOrMeta+Enter', 1);
    await press('ControlOrMeta+Shift+Backspace', 0);
    await window.untilAnswered('By keys.');
    assert.deepEqual(await files('keys'), [changed[0], unchanged[1], changed[2]]);
    assert.equal(existsSync(path.join(window.folder, 'keys-four.ts')), false);
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
    await bar().getByRole('button', { name: 'Review', exact: true }).click();
    await workbench.page.locator('.tab.active', { hasText: 'Proposed edits (2 files)' }).waitFor();
    await action('Accept All Proposed Edits').click();
    await workbench.until(
      'the harmless one is applied',
      async () => (await window.read('small.ts')) === 'const a = 1;\n',
    );
    await workbench.notification('One edit is of a protected file or has a warning');
    await panel.getByText('The file loses 59 of its 60 lines.').waitFor();
    assert.equal(await window.read('long.ts'), long);
    await workbench.screenshot('e2e-review-warning');
    await window.button('Accept').click();
    await window.untilAnswered('Tidied.');
    assert.equal(await window.read('long.ts'), 'export {};\n');
  });
});
