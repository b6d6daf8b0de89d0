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
    await page.getByRole('button', { name: 'Open the Chat' }).first().click();
    await window.workbench.until('the field for messages has the focus', () =>
      window.panel.getByLabel('Message to Open Agent').evaluate((field) => field.ownerDocument.activeElement === field),
    );
    await page.locator('.getting-started-step .codicon-getting-started-step-checked.complete').first().waitFor();
  });
});
