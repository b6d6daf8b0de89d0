import assert from 'node:assert/strict';
import { prompt, sessionId, tool, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import { readyPanel } from '../support/webviewPage';

const serve = {
  id: 'output:00000001',
  command: 'npm start -- --port 3000\n# \u202eneve',
  startedMs: 0,
  lastLine: 'listening on 3000',
};
const watch = { id: 'output:00000002', command: 'npm run watch', startedMs: 0, lastLine: '' };

describe('the list of running commands', function () {
  this.timeout(120_000);
  const webview = useWebview();

  it('shows command, time and last line, and buttons to show the output and to stop', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]), { commands: [serve, watch] });
    const list = panel.page.getByRole('region', { name: 'Running commands' });
    const head = list.getByRole('button', { name: '2 commands run in the background' });
    assert.equal(await head.getAttribute('aria-expanded'), 'true');
    const rows = list.getByRole('listitem');
    assert.equal(await rows.count(), 2);
    assert.match(await rows.first().innerText(), /^npm start -- --port 3000↵ # <U\+202E>neve\nlistening on 3000\n/);
    await rows.nth(1).getByRole('button', { name: 'Show output: npm run watch' }).click();
    await rows.nth(1).getByRole('button', { name: 'Stop: npm run watch' }).click();
    assert.deepEqual(await panel.intents(), [
      { type: 'showCommandOutput', id: watch.id },
      { type: 'stopCommand', id: watch.id },
    ]);
    assert.equal(await rows.nth(1).getByRole('button', { name: 'Stopping: npm run watch' }).isDisabled(), true);
    await head.click();
    assert.equal(await rows.first().isVisible(), false);
    await panel.send({ type: 'panel_changed', panel: readyPanel });
    assert.equal(await list.count(), 0);
  });

  it('shows the card of a command as running while it runs in the background', async () => {
    const panel = await webview.open();
    const started = { state: 'succeeded', input: { command: 'npm start' }, display: { background: serve.id } } as const;
    const card = tool({ id: 'use-start', toolName: 'run_terminal_command', ...started });
    await panel.snapshot(view([prompt('Go'), card]), { commands: [watch, serve] });
    const state = panel.page.locator('.tool-state');
    assert.equal(await state.getAttribute('title'), 'Running');
    assert.equal(await panel.page.locator('.tool-head .visually-hidden').innerText(), ', Running');
    await panel.send({
      type: 'panel_changed',
      panel: { ...readyPanel, activeSessionId: sessionId, commands: [watch] },
    });
    assert.equal(await state.getAttribute('title'), 'Done');
  });
});
