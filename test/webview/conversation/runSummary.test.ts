import assert from 'node:assert/strict';
import type { ViewItem } from '../../../src/agent/view/sessionView';
import { answer, prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

describe('the summary of a run', function () {
  this.timeout(120_000);
  const webview = useWebview();
  const promptId = 'prompt Change it.';
  const summary: ViewItem = {
    kind: 'notice',
    id: 'n',
    notice: {
      id: 'n',
      severity: 'info',
      message: 'Changed one file.\na.ts +2 −1\nNo check ran.',
      actions: ['reviewRun', 'keepRun', 'undoRun'],
      promptId,
    },
  };
  const run = [prompt('Change it.'), answer('Changed.'), summary];
  const buttons = (panel: WebviewPage) =>
    panel.page.locator('.notice button').evaluateAll((all) => all.map((button) => button.textContent));

  it('can be reviewed, undone and kept, by keyboard too', async () => {
    const panel = await webview.open();
    await panel.snapshot(view(run));
    assert.deepEqual(await buttons(panel), ['Review', 'Keep', 'Undo']);
    await panel.page.getByRole('button', { name: 'Review', exact: true }).press('Enter');
    await panel.page.getByRole('button', { name: 'Undo', exact: true }).click();
    await panel.page.getByRole('button', { name: 'Keep', exact: true }).press('Space');
    assert.deepEqual(await panel.intents(), [
      { type: 'reviewRun', sessionId, promptId },
      { type: 'undoRun', sessionId, promptId },
      { type: 'dismissNotice', sessionId, noticeId: 'n' },
    ]);
  });

  it('cannot be undone while the agent works', async () => {
    const panel = await webview.open();
    await panel.snapshot(view(run, { state: 'running' }));
    assert.equal(await panel.page.getByRole('button', { name: 'Undo', exact: true }).isDisabled(), true);
  });

  it('stays as a text after the next prompt', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([...run, prompt('And now?')]));
    assert.match(await panel.page.locator('.notice').innerText(), /Changed one file\.\s+a\.ts \+2 −1\s+No check ran\./);
    assert.deepEqual(await buttons(panel), ['']);
    await panel.page.getByRole('button', { name: 'Dismiss' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'dismissNotice', sessionId, noticeId: 'n' }]);
  });
});
