import assert from 'node:assert/strict';
import { reportText } from '../../../src/agent/view/server/doctorReport';
import { finishedCheck, runningCheck } from '../support/doctorReports';
import { answer, prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import { readyPanel } from '../support/webviewPage';

describe('the check of server and model in the panel', function () {
  this.timeout(120_000);
  const webview = useWebview();
  const session = view([prompt('Hello'), answer('Hi')]);
  const panelState = { ...readyPanel, activeSessionId: sessionId };

  it('replaces the conversation and gets the focus', async () => {
    const panel = await webview.open();
    await panel.snapshot(session);
    await panel.send({ type: 'panel_changed', panel: { ...panelState, doctor: runningCheck } });
    const heading = panel.page.getByRole('heading', { name: 'Check of server and model' });
    assert.equal(await heading.evaluate((element) => element === document.activeElement), true);
    assert.equal(await panel.page.locator('.message-scroller').count(), 0);
    await panel.page.getByText('Checking, 3 of 11 done.').first().waitFor();
    await panel.page.getByText('Waiting for the running answer…').waitFor();
  });

  it('announces its progress and its result to screen readers', async () => {
    const panel = await webview.open();
    await panel.snapshot(session, { doctor: runningCheck });
    const status = panel.page.locator('.doctor > [role="status"]');
    assert.equal(await status.innerText(), 'Checking: Tool calls. Waiting for the running answer');
    await panel.send({ type: 'panel_changed', panel: { ...panelState, doctor: finishedCheck } });
    assert.equal(await status.innerText(), 'The check has ended. 1 problem, 2 pieces of advice, 1 not known, 6 fine.');
  });

  it('shows each result by an icon and a word, and hidden characters by name', async () => {
    const panel = await webview.open();
    await panel.snapshot(session, { doctor: finishedCheck });
    const lines = await panel.page.locator('.doctor-check-title').allInnerTexts();
    assert.deepEqual(
      lines.map((line) => line.replace(/\s*\n\s*/, ': ')),
      [
        'Server: OK',
        'Model: OK',
        'Streaming: OK',
        'Tool calls: Problem',
        'Tool calls in text: OK',
        'Several calls at once: OK',
        'Tool results: OK',
        'Reasoning: Advice',
        'Context window: Advice',
        'Prompt cache: Not known',
        'Slots: Skipped',
      ],
    );
    assert.equal(await panel.page.locator('.doctor-problem .hidden-character').count(), 1);
    assert.equal(await panel.page.locator('.doctor-problem > .codicon-error').count(), 1);
  });

  it('stops, repeats and closes by keyboard', async () => {
    const panel = await webview.open();
    await panel.snapshot(session, { doctor: runningCheck });
    const press = async (name: string): Promise<void> => {
      await panel.page.getByRole('button', { name, exact: true }).focus();
      await panel.page.keyboard.press('Enter');
    };
    await press('Stop');
    await panel.send({ type: 'panel_changed', panel: { ...panelState, doctor: finishedCheck } });
    await press('Check Again');
    await panel.page.keyboard.press('Escape');
    assert.deepEqual(await panel.intents(), [{ type: 'stopDoctor' }, { type: 'startDoctor' }, { type: 'closeDoctor' }]);
    await panel.send({ type: 'panel_changed', panel: panelState });
    await panel.page.locator('.message-scroller').waitFor();
    const field = panel.page.getByLabel('Message to Open Agent');
    assert.equal(await field.evaluate((element) => element === document.activeElement), true);
  });

  it('keeps the focus when it ends while Stop has it', async () => {
    const panel = await webview.open();
    await panel.snapshot(session, { doctor: runningCheck });
    await panel.page.getByRole('button', { name: 'Stop', exact: true }).focus();
    await panel.send({ type: 'panel_changed', panel: { ...panelState, doctor: finishedCheck } });
    assert.equal(await panel.page.evaluate(() => document.activeElement?.textContent), 'Check Again');
  });

  it('copies a flag and the report, and opens a setting', async () => {
    const panel = await webview.open();
    await panel.snapshot(session, { doctor: finishedCheck });
    const clipboard = () => panel.page.evaluate(() => navigator.clipboard.readText());
    await panel.page.locator('.doctor-problem').getByRole('button', { name: 'Copy' }).click();
    await panel.page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await clipboard(), '--jinja');
    await panel.page.getByRole('button', { name: 'Copy Report' }).click();
    await panel.page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await clipboard(), reportText(finishedCheck));
    await panel.page.getByRole('button', { name: 'Open Setting' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'openSetting', setting: 'openAgent.maxTokens' }]);
  });

  it('offers to set the key or choose a model when one is missing', async () => {
    const panel = await webview.open();
    const checks = [
      {
        id: 'server',
        title: 'Server',
        status: 'problem',
        detail: '401',
        remedy: { text: 'Set the key.', action: 'setApiKey' },
      },
      {
        id: 'model',
        title: 'Model',
        status: 'problem',
        detail: '404',
        remedy: { text: 'Choose.', action: 'selectModel' },
      },
    ] as const;
    await panel.snapshot(session, { doctor: { ...finishedCheck, checks } });
    await panel.page.getByRole('button', { name: 'Set API Key…' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'runCommand', command: 'setApiKey' }]);
    await panel.page.getByRole('button', { name: 'Select Model' }).click();
    await panel.page.locator('.model-picker .menu').waitFor();
  });

  it('leads to the exam', async () => {
    const panel = await webview.open();
    await panel.snapshot(session, { doctor: finishedCheck });
    await panel.page.getByRole('button', { name: 'Examine Models…' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'runCommand', command: 'examineModels' }]);
  });

  it('replaces the list of sessions', async () => {
    const panel = await webview.open();
    await panel.snapshot(session);
    await panel.page.getByRole('button', { name: 'Past Sessions' }).click();
    await panel.send({ type: 'panel_changed', panel: { ...panelState, doctor: runningCheck } });
    await panel.page.getByRole('heading', { name: 'Check of server and model' }).waitFor();
    assert.equal(await panel.page.locator('.session-list').count(), 0);
  });

  it('starts from the notice of a failed run', async () => {
    const panel = await webview.open();
    const notice = { id: 'n', severity: 'error', message: 'It failed.', actions: ['retry', 'checkServer'] } as const;
    await panel.snapshot(view([prompt('Hello'), { kind: 'notice', id: 'n', notice }]));
    await panel.page.getByRole('button', { name: 'Check Server' }).click();
    assert.deepEqual(await panel.intents(), [{ type: 'startDoctor' }]);
  });
});
