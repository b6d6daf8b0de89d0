import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import type { ScriptedToolCall } from '../../support/servers/turns';

const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const notebook = `${JSON.stringify(
  {
    cells: [
      { cell_type: 'markdown', id: 'title', metadata: {}, source: ['# Prices'] },
      {
        cell_type: 'code',
        execution_count: 7,
        id: 'sum',
        metadata: { tags: ['parameters'] },
        outputs: [
          { data: { 'image/png': image, 'text/plain': ['<Figure>'] }, metadata: {}, output_type: 'display_data' },
        ],
        source: ['prices = [1, 2]\n', 'total = 0'],
      },
    ],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  },
  null,
  1,
)}\n`;

interface StoredCell {
  readonly id: string;
  readonly source: readonly string[];
  readonly outputs?: readonly unknown[];
  readonly metadata: object;
}

describe('a notebook in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'open.ipynb': notebook, 'closed.ipynb': notebook },
    settings: { 'files.autoSave': 'off' },
  });

  afterEach(() => window.workbench.runCommand('View: Close All Editors'));

  const read = (path: string): ScriptedToolCall => ({ name: 'read_file', arguments: { path } });
  const edit = (path: string, oldText: string, newText: string): ScriptedToolCall => ({
    name: 'apply_edit',
    arguments: { path, edits: [{ old_text: oldText, new_text: newText }] },
  });
  const cellsOf = async (file: string): Promise<readonly StoredCell[]> =>
    (JSON.parse(await window.read(file)) as { cells: StoredCell[] }).cells;
  const sources = async (file: string): Promise<readonly string[]> =>
    (await cellsOf(file)).map(({ source }) => source.join(''));
  const result = async (request: number) => (await window.request(request)).body.messages.at(-1)?.content ?? '';
  const accept = async (): Promise<void> => {
    const { page } = window.workbench;
    await page.locator('.editor-group-container.active .monaco-diff-editor').waitFor();
    await page
      .locator('.editor-group-container.active .editor-actions')
      .getByLabel('Accept Proposed Edit')
      .first()
      .click();
  };

  /** VS Code opens a notebook as text until its extension for notebooks is known. */
  const openNotebook = async (file: string): Promise<void> => {
    const { workbench } = window;
    const overlay = workbench.page.locator('.notebookOverlay').filter({ visible: true });
    const text = workbench.page.locator(`.monaco-editor[data-uri$="/${file}"]`);
    await workbench.until('the notebook shows cells', async () => {
      await workbench.openFile(file);
      await overlay.or(text).first().waitFor();
      if ((await overlay.count()) > 0) return true;
      await workbench.runCommand('View: Close All Editors');
      return false;
    });
  };

  it('is read and edited as cells, with unsaved cells, and is brought back', async () => {
    const { workbench } = window;
    const { page } = workbench;
    await openNotebook('open.ipynb');
    const cells = page.locator('.notebookOverlay .cell-list-container .monaco-list-row');
    const code = cells.filter({ hasText: 'total' });
    await code.locator('.view-line').last().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' # in cents');
    await page.locator('.tabs-container .tab.active.dirty').waitFor();
    await workbench.screenshot('e2e-notebook-unsaved');

    await window.ask(
      'Add it up',
      { toolCalls: [read('open.ipynb'), read('open.ipynb:outputs')] },
      {
        toolCalls: [
          edit(
            'open.ipynb',
            'total = 0 # in cents',
            'total = sum(prices) # in cents\n\n# %% [markdown]\n## Result\n\n# %% [python]\nprint(total)',
          ),
        ],
      },
      { text: 'Added.' },
    );
    const [ofCells, ofOutputs] = (await window.request(2)).body.messages.slice(-2).map(({ content }) => content ?? '');
    const shown = String(ofCells);
    assert.equal(
      String(ofOutputs).split('\n').slice(1).join('\n'),
      '# Outputs of cell 2\n<Figure>\n[not shown: image/png]',
    );
    assert.ok(shown.includes('# %% [markdown]\n# Prices\n# %% [python]\nprices = [1, 2]\ntotal = 0 # in cents'), shown);
    assert.ok(shown.includes('with unsaved changes') && !shown.includes('iVBOR'), shown);
    await page.locator('.editor-group-container.active .monaco-diff-editor').waitFor();
    await workbench.until('the proposal shows cells', async () =>
      (await workbench.editorText('modified')).includes('# %% [markdown]\n## Result'),
    );
    await workbench.screenshot('e2e-notebook-proposal');
    await accept();
    await window.untilAnswered('Added.');

    const expected = ['# Prices', 'prices = [1, 2]\ntotal = sum(prices) # in cents', '## Result', 'print(total)'];
    assert.deepEqual(await sources('open.ipynb'), expected);
    const [, kept] = await cellsOf('open.ipynb');
    assert.deepEqual(
      [kept?.id, kept?.outputs?.length, JSON.stringify(kept?.metadata).includes('parameters')],
      ['sum', 1, true],
    );
    assert.match(await result(3), /^Edited open\.ipynb \(\+5 -1 lines\)\.$/);
    await cells.filter({ hasText: 'print' }).first().waitFor();
    await workbench.screenshot('e2e-notebook-edited');

    await window.button('Review').click();
    await page.locator('.multiDiffEntry, .multi-diff-root-floating-menu, .multiDiffEditor').first().waitFor();
    // As cells, with the outputs left alone.
    const review = page.locator('.multiDiffEntry').first();
    await review.getByText('total = sum(prices) # in cents').first().waitFor();
    assert.equal(await review.getByText('cell_type').count(), 0);
    await workbench.screenshot('e2e-notebook-review');

    // Going back brings the person's unsaved text too, because it was in the cells that the agent saw.
    await window.button('Undo').first().click();
    // A file that is being written may be empty for a moment.
    await workbench.until('the notebook is as before', async () => {
      const text = (await window.read('open.ipynb')).trim();
      return text.endsWith('}') && (JSON.parse(text) as { cells: unknown[] }).cells.length === 2;
    });
    assert.deepEqual(await sources('open.ipynb'), ['# Prices', 'prices = [1, 2]\ntotal = 0 # in cents']);
    await cells.filter({ hasText: 'print' }).first().waitFor({ state: 'detached' });
    await workbench.screenshot('e2e-notebook-undone');
  });

  it('is edited while it is closed, and its JSON is not', async () => {
    await window.ask(
      'Rename',
      { toolCalls: [edit('closed.ipynb', '"source": [\n    "# Prices"\n   ]', '"source": []')] },
      { toolCalls: [edit('closed.ipynb', '# Prices', '# Costs')] },
      { text: 'Renamed.' },
    );
    assert.match(await result(2), /closed\.ipynb cannot be edited as JSON\. Read it with read_file\./);
    await accept();
    await window.untilAnswered('Renamed.');
    const [title, code] = await cellsOf('closed.ipynb');
    assert.deepEqual([title?.source, code?.outputs?.length], [['# Costs'], 1]);
  });
});
