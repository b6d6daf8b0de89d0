import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';

const source = [
  'export function mean(values: number[]): number {',
  '  const sum = values.reduce((a, b) => a + b, 0);',
  '  return sum / values.lenght;',
  '}',
  '',
  'export const answer = 42;',
  '',
].join('\n');

describe('a selection in the editor', () => {
  const window = useChatWindow({
    files: {
      'src/mean.ts': source,
      'fix/menu.ts': source,
      'fix/keys.ts': source,
      'docs/fences.md': 'a\n```\nb\n```\n',
    },
    settings: { 'files.autoSave': 'off' },
  });

  const chooseFromMenu = async (...labels: readonly string[]): Promise<void> => {
    const { page } = window.workbench;
    const selection = window.workbench.editor().locator('.selected-text').first();
    // Clicks a point, not the element: the editor may redraw it at any time, and the text covers it.
    await window.workbench.until('a point of the selection is clicked', async () => {
      const box = await selection.boundingBox();
      if (box === null || box.width === 0) return false;
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { button: 'right' });
      return true;
    });
    for (const label of labels) {
      // Presses Enter, because a menu ignores clicks right after it opened.
      await page.getByRole('menuitem').filter({ hasText: label }).locator('.action-label').last().hover();
      await page.locator('.monaco-menu .action-item.focused').filter({ hasText: label }).last().waitFor();
      await page.keyboard.press('Enter');
    }
  };
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await window.workbench.page.keyboard.press(key);
  };
  const userMessage = async () => (await window.request(1)).body.messages.findLast(({ role }) => role === 'user');
  const explanation = 'what it does, how, and anything in it that could surprise.';

  it('is explained from the context menu, in a panel that was closed', async () => {
    const { workbench } = window;
    window.expect({ text: 'It computes the mean.' });
    await workbench.openFile('src/mean.ts');
    // The editor shows the error now, so the prompt includes it.
    await workbench.editor().locator('.squiggly-error').first().waitFor();
    await workbench.selectLines(1, 4);
    await chooseFromMenu('Open Agent', 'Explain Selection');
    await window.untilAnswered('It computes the mean.');
    await workbench.screenshot('e2e-selection-explained');
    assert.deepEqual(await userMessage(), {
      role: 'user',
      content: [
        'Selected in src/mean.ts, lines 1-4:',
        '```typescript',
        ...source.split('\n').slice(0, 4),
        '```',
        'Problems the editor reports there:',
        "- line 3: Property 'lenght' does not exist on type 'number[]'. Did you mean 'length'?",
        '',
        `Explain src/mean.ts:1-4: ${explanation}`,
      ].join('\n'),
    });
    assert.deepEqual(await window.panel.locator('.context-labels li').allInnerTexts(), ['src/mean.ts:1-4']);
  });

  it('is added to the field from the context menu', async () => {
    const field = window.panel.getByLabel('Message to Open Agent');
    await window.workbench.openFile('src/mean.ts');
    await window.workbench.selectLines(1, 2);
    await chooseFromMenu('Open Agent', 'Add to Open Agent');
    await window.workbench.until('the lines are named', async () => (await field.inputValue()) === '@src/mean.ts:1-2 ');
    await field.fill('');
  });

  it('is explained by keyboard with its whole unsaved lines, in a session of its own', async () => {
    const { workbench } = window;
    await workbench.openFile('src/mean.ts');
    await press('ControlOrMeta+End');
    // At once: the language server would report the half word.
    await workbench.page.keyboard.insertText('export const more = 1;');
    await workbench.selectText('more');
    window.expect({ text: 'A constant.' });
    await press('ControlOrMeta+k', 'x');
    await window.untilAnswered('A constant.');
    assert.deepEqual(await userMessage(), {
      role: 'user',
      content: [
        'Selected in src/mean.ts, line 7 (not saved yet):',
        '```typescript',
        'export const more = 1;',
        '```',
        '',
        `Explain src/mean.ts:7: ${explanation}`,
      ].join('\n'),
    });
    assert.deepEqual(
      (await window.request(1)).body.messages.map(({ role }) => role),
      ['system', 'user'],
    );
    assert.equal(await window.read('src/mean.ts'), source);
  });

  it('is sent in a fence that is longer than the fences in its text', async () => {
    await window.workbench.openFile('docs/fences.md');
    await window.workbench.selectLines(1, 4);
    window.expect({ text: 'A fence.' });
    await window.workbench.runCommand('Open Agent: Explain Selection');
    await window.untilAnswered('A fence.');
    const content = (await userMessage())?.content ?? '';
    assert.equal(
      content.split('\n\n')[0],
      'Selected in docs/fences.md, lines 1-4:\n````markdown\na\n```\nb\n```\n````',
    );
  });

  it('is fixed from the context menu and by keyboard, after its edit is accepted', async () => {
    const { workbench } = window;
    for (const [file, choose] of [
      ['fix/menu.ts', () => chooseFromMenu('Open Agent', 'Fix Selection')],
      ['fix/keys.ts', () => press('ControlOrMeta+k', 'q')],
    ] as const) {
      window.expect(
        {
          text: 'A misspelt name.',
          toolCalls: [
            { name: 'apply_edit', arguments: { path: file, edits: [{ old_text: 'lenght', new_text: 'length' }] } },
          ],
        },
        { text: `Fixed in ${file}.` },
      );
      await workbench.openFile(file);
      await workbench.selectText('values.lenght');
      await choose();
      await window.button('Accept').click();
      await window.untilAnswered(`Fixed in ${file}.`);
      const [context, prompt] = ((await userMessage())?.content ?? '').split('\n\n');
      assert.match(
        context ?? '',
        new RegExp(`^Selected in ${file}, line 3:\n\`\`\`typescript\n  return sum / values\\.lenght;\n`),
      );
      assert.equal(
        prompt,
        `Find and fix what is wrong in ${file}:3. Say first what the mistake is. If nothing is wrong, say so and change nothing.`,
      );
      assert.equal(await window.read(file), source.replace('lenght', 'length'));
      await workbench.untilEditorShows(source.replace('lenght', 'length'));
    }
  });

  it('is explained and fixed from the menu of code actions', async () => {
    const { workbench } = window;
    window.expect({ text: 'It computes the mean.' });
    await workbench.openFile('docs/fences.md');
    const select = () => workbench.selectLines(1, 4);
    await workbench.quickFix('Explain Selection with Open Agent', select, 'ControlOrMeta+Shift+r');
    await window.untilAnswered('It computes the mean.');
    assert.deepEqual(await window.panel.locator('.context-labels li').allInnerTexts(), ['docs/fences.md:1-4']);
  });

  it('shows a notification when it is empty', async () => {
    await window.workbench.openFile('docs/fences.md');
    await press('ControlOrMeta+Home');
    await window.workbench.runCommand('Open Agent: Explain Selection');
    await window.workbench.notification('Select the code to explain in an editor first.');
    await window.workbench.hideNotifications();
  });
});

describe('a problem in the editor', () => {
  const misspelt = 'export const first = [1].lenght;\n\n\nexport const second = [2].lenght;\n';
  const window = useChatWindow({ files: { 'src/a.ts': misspelt }, settings: { 'files.autoSave': 'off' } });
  const content = async (): Promise<string> =>
    (await window.request(1)).body.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const message = "Property 'lenght' does not exist on type 'number[]'. Did you mean 'length'?";

  /** Opens the quick fixes of the first problem and chooses one. */
  const quickFix = async (title: string): Promise<void> => {
    const { workbench } = window;
    await workbench.openFile('src/a.ts');
    await workbench.editor().locator('.squiggly-error').first().waitFor();
    await workbench.quickFix(title, async () => {
      await workbench.selectText('lenght');
      await workbench.page.keyboard.press('ArrowLeft');
    });
  };

  it('is explained from its quick fixes, before the panel was ever open', async () => {
    window.expect({ text: 'A misspelt name.' });
    await quickFix('Explain with Open Agent');
    await window.untilAnswered('A misspelt name.');
    assert.equal(
      await content(),
      [
        'Problems that the editor reports in src/a.ts:',
        `- line 1, ts: ${message}`,
        'Lines 1-5 of the file:',
        `\`\`\`typescript\n${misspelt}\n\`\`\``,
        '',
        'Explain what this problem means in src/a.ts: the cause, and how it could be fixed. Change nothing.',
      ].join('\n'),
    );
  });

  it('is fixed with all others of its file, in a session of its own', async () => {
    const edit = (old: string) => ({ old_text: `${old}.lenght`, new_text: `${old}.length` });
    window.expect(
      {
        text: 'A misspelt name.',
        toolCalls: [{ name: 'apply_edit', arguments: { path: 'src/a.ts', edits: [edit('[1]'), edit('[2]')] } }],
      },
      { text: 'Both are mended.' },
    );
    await quickFix('Fix All 2 Problems of This File with Open Agent');
    await window.button('Accept').click();
    await window.untilAnswered('Both are mended.');
    assert.match(await content(), /^- line 4, ts: Property 'lenght'/m);
    assert.equal((await window.request(1)).body.messages.length, 2);
    assert.equal(await window.read('src/a.ts'), misspelt.replaceAll('lenght', 'length'));
  });
});
