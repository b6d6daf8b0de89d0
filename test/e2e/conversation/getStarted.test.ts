import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';

describe('the walkthrough in the VS Code window', () => {
  const window = useChatWindow({ files: { 'a.txt': 'a\n' } });

  it('leads from the empty panel through its steps, whose buttons work', async () => {
    const { page } = window.workbench;
    await window.workbench.runCommand('Open Agent: New Session');
    await window.button('Get Started').click();
    const steps = page.locator('.getting-started-step');
    await steps.nth(4).waitFor();
    assert.deepEqual(
      (await steps.locator('.step-title').allInnerTexts()).map((title) => title.trim()),
      [
        'Connect a model server',
        'Check server and model',
        'Ask the first question',
        'Look at the first edit',
        'Go back',
      ],
    );
    await steps.nth(2).click();
    await window.workbench.screenshot('walkthrough');
    await steps.getByRole('button', { name: 'Open Chat' }).first().click();
    await window.workbench.until('the field for messages has the focus', () =>
      window.panel.getByLabel('Message to Open Agent').evaluate((field) => field.ownerDocument.activeElement === field),
    );
    await page.locator('.getting-started-step .codicon-getting-started-step-checked.complete').first().waitFor();
  });
});

describe('the empty panel in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'src/a.ts': 'export const total: number = 1;\n', 'tsconfig.json': '{}\n' },
    settings: { 'git.enabled': false },
  });
  const suggestions = () => window.panel.locator('.suggestion').allInnerTexts();

  it('suggests what there is to do now', async () => {
    const { workbench } = window;
    await workbench.runCommand('Open Agent: New Session');
    await workbench.until('there is nothing special', async () => (await suggestions()).length === 3);
    await workbench.openFile('src/a.ts');
    await workbench.until('the file is offered', async () => (await suggestions()).includes('Explain @src/a.ts'));
    await workbench.selectText('1');
    await workbench.page.keyboard.insertText("'one'");
    await workbench.until(
      'the error is offered',
      async () => (await suggestions())[0] === 'Fix the errors in @problems',
    );
    await workbench.screenshot('welcome-errors');
    await workbench.setTheme('light');
    await workbench.screenshot('welcome-errors-light');
    window.expect({ text: 'It is a text, not a number.' });
    await window.panel.locator('.suggestion').first().click();
    await window.panel.getByLabel('Message to Open Agent').press('Enter');
    await window.untilAnswered('It is a text, not a number.');
    const sent = JSON.stringify((await window.request(1)).body.messages.at(-1)?.content);
    assert.match(sent, /not assignable to type 'number'/);
  });
});
