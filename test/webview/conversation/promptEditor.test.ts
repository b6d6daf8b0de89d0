import assert from 'node:assert/strict';
import { accessibilityProblems } from '../support/accessibility';
import { answer, prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';

describe('the editor of a sent prompt', function () {
  this.timeout(120_000);
  const webview = useWebview();
  const sent = prompt('Fix the tests');
  const items = [sent, answer('Done.')];

  it('sends the changed text with Enter, and closes when it arrives', async () => {
    const panel = await webview.open();
    await panel.snapshot(view(items));
    await panel.page.getByRole('button', { name: 'Edit and Resend' }).press('Enter');
    const field = panel.page.getByLabel('Edit message');
    assert.equal(await field.inputValue(), 'Fix the tests');
    await field.fill('Fix the\nunit tests');
    assert.deepEqual(await accessibilityProblems(panel.page), []);
    await field.press('Escape');
    await field.press('Enter');
    const text = 'Fix the\nunit tests';
    assert.deepEqual(await panel.intents(), [{ type: 'editPrompt', sessionId, promptId: sent.id, text }]);
    await panel.events(sessionId, { type: 'branch_changed', view: view([]), ts: 0 });
    await panel.events(sessionId, { type: 'prompt_added', id: 'p', text, contextLabels: [], ts: 0 });
    assert.equal(await field.count(), 0);
    assert.equal(await panel.page.getByLabel('Message to Open Agent').inputValue(), '');
  });

  it('moves a text that could not be sent to the composer', async () => {
    const panel = await webview.open();
    await panel.snapshot(view(items));
    await panel.page.getByRole('button', { name: 'Edit and Resend' }).press('Enter');
    const field = panel.page.getByLabel('Edit message');
    await field.fill('Fix it');
    await field.press('Enter');
    await panel.send({ type: 'prompt_returned', text: 'Fix it', message: 'No.' });
    assert.equal(await field.count(), 0);
    assert.equal(await panel.page.getByLabel('Message to Open Agent').inputValue(), 'Fix it');
  });

  it('keeps its text when another prompt takes its place', async () => {
    const panel = await webview.open();
    await panel.snapshot(view(items));
    await panel.page.getByRole('button', { name: 'Edit and Resend' }).press('Enter');
    await panel.page.getByLabel('Edit message').fill('Half a thought');
    await panel.events(sessionId, { type: 'branch_changed', view: view([]), ts: 0 });
    await panel.events(sessionId, { type: 'prompt_added', id: 'p', text: 'Other', contextLabels: [], ts: 0 });
    assert.equal(await panel.page.getByLabel('Message to Open Agent').inputValue(), 'Half a thought');
  });

  it('closes without a change with Escape', async () => {
    const panel = await webview.open();
    await panel.snapshot(view(items));
    await panel.page.getByRole('button', { name: 'Edit and Resend' }).press('Enter');
    await panel.page.getByLabel('Edit message').press('Escape');
    assert.equal(await panel.page.getByLabel('Edit message').count(), 0);
    assert.deepEqual(await panel.intents(), []);
  });
});
