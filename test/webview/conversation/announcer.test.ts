import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../src/agent/view/sessionEvents';
import type { SessionNotice } from '../../../src/agent/view/sessionView';
import { answer, prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';

describe('what a screen reader hears when a run ends', function () {
  this.timeout(120_000);
  const webview = useWebview();

  async function heardAfter(
    ...events: readonly SessionEvent[]
  ): Promise<{ status: string; alerts: readonly string[] }> {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Go'), answer('Well.')], { state: 'running' }));
    const status = panel.page.locator('.visually-hidden[aria-live]');
    await panel.page.waitForFunction(() => document.querySelector('.visually-hidden[aria-live]')?.textContent !== '');
    await panel.events(sessionId, ...events, { type: 'state_changed', state: 'idle', ts: 0 });
    await panel.page.waitForFunction(() => document.querySelector('.activity') === null);
    await panel.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    return { status: await status.innerText(), alerts: await panel.page.getByRole('alert').allInnerTexts() };
  }

  const shown = (notice: Omit<SessionNotice, 'id'>) => {
    return { type: 'notice', notice: { id: 'n', ...notice }, ts: 0 } as const;
  };

  it('says that it has finished', async () => {
    assert.deepEqual(await heardAfter(), { status: 'Open Agent has finished.', alerts: [] });
  });

  it('says that it has stopped', async () => {
    const stopping: SessionEvent = { type: 'state_changed', state: 'stopping', ts: 0 };
    assert.deepEqual(await heardAfter(stopping), { status: 'Open Agent has stopped.', alerts: [] });
  });

  it('reads a failure once, as an alert, and does not say that it has finished', async () => {
    const message = 'The model server closed the connection.';
    const failed = shown({ severity: 'error', message, actions: ['retry'] });
    const review = shown({ severity: 'info', message: 'Two files are not reviewed.', actions: ['reviewEdits'] });
    assert.deepEqual(await heardAfter(failed, { ...review, notice: { ...review.notice, id: 'r' } }), {
      status: '',
      alerts: [message],
    });
  });

  it('reads the question whether to go on', async () => {
    const message = 'The agent has used all steps. Continue?';
    const limit = shown({ severity: 'info', message, actions: ['continue'] });
    assert.deepEqual(await heardAfter(limit), { status: message, alerts: [] });
  });
});
