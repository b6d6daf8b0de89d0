import assert from 'node:assert/strict';
import * as z from 'zod';
import type { ApprovalSummary } from '../../src/agent/view/approvalSummary';
import { safetySample } from '../support/safetySample';
import { commandApproval, commandCard, editApproval, editCard, prompt, sessionId, view } from './support/sessions';
import { useWebview } from './support/useWebview';
import type { WebviewPage } from './support/webviewPage';

describe('an approval request', function () {
  this.timeout(120_000);
  const webview = useWebview();

  async function ask(approval: ApprovalSummary): Promise<WebviewPage> {
    const panel = await webview.open();
    const card = approval.kind === 'edit' ? editCard : commandCard;
    await panel.snapshot(view([prompt('Go'), { ...card, approval }], { state: 'waiting_for_approval' }));
    return panel;
  }
  const button = (panel: WebviewPage, name: string) =>
    panel.page.locator('.tool').getByRole('button', { name, exact: true });

  it('shows a command once, with its folder, its programs and the reason', async () => {
    const programs = ['/usr/bin/npm', '/usr/bin/npm', 'part of the shell'];
    const panel = await ask({ ...commandApproval, programs, reason: 'No rule allows "npm \u202Etest"' });
    const card = panel.page.locator('.tool');
    assert.equal((await card.innerText()).split('npm test -- --grep "price"').length - 1, 1);
    assert.deepEqual(await card.locator('.approval-reason').allInnerTexts(), [
      'In shop. Runs /usr/bin/npm, part of the shell.',
      'No rule allows "npm <U+202E>test"',
    ]);
  });

  it('offers to review all edits together when several wait', async () => {
    const panel = await ask(editApproval);
    assert.equal(await panel.page.getByRole('button', { name: /^Review All/ }).count(), 0);
    const others = ['a', 'b'].map((id) => ({
      ...editCard,
      id,
      approval: { ...editApproval, toolUseId: id, requestId: `request-${id}` },
    }));
    await panel.snapshot(view([prompt('Go'), ...others], { state: 'waiting_for_approval' }));
    await panel.page.getByRole('button', { name: 'Review All 2 Edits' }).last().click();
    assert.deepEqual((await panel.intents()).at(-1), { type: 'reviewProposedEdits', sessionId });
  });

  it('says when a program asked, and only then', async () => {
    const served = await ask({ ...editApproval, askedBy: 'endpoint' });
    assert.equal(
      (await served.page.locator('.approval-asker').innerText()).trim(),
      'A program asks for this, through the endpoint.',
    );
    const chat = await ask({ ...editApproval, askedBy: 'chat' });
    assert.equal(
      (await chat.page.locator('.approval-asker').innerText()).trim(),
      'The chat @openagent in VS Code asks for this.',
    );
    assert.equal(await (await ask(editApproval)).page.locator('.approval-asker').count(), 0);
  });

  it('names the extension of a tool and shows its arguments literally', async () => {
    const { requestId, toolUseId } = editApproval;
    const questionOf = async (extension: string | null): Promise<readonly string[]> => {
      const panel = await ask({
        ...{ requestId, toolUseId, kind: 'extension', reason: 'No rule allows this tool' },
        ...{ extension, tool: 'look<b>', arguments: '{\n  "q": "<b>\u202E"\n}' },
      });
      const card = panel.page.locator('.tool');
      assert.equal(await card.locator('b').count(), 0);
      assert.deepEqual(await card.locator('.approval button').allInnerTexts(), ['Run', 'Deny…']);
      return [
        await card.locator('.approval-reason').first().innerText(),
        await card.getByLabel('Arguments').innerText(),
      ];
    };
    const given = '{\n  "q": "<b><U+202E>"\n}';
    assert.deepEqual(await questionOf('acme.tools'), ['Run look<b> of the extension acme.tools with:', given]);
    assert.deepEqual(await questionOf(null), ['Run look<b> of VS Code with:', given]);
  });

  it('shows the end of a very long command without scrolling', async () => {
    const panel = await ask({ ...commandApproval, command: `echo ${'a '.repeat(4000)}; rm -rf \u200B~` });
    const command = panel.page.locator('.command');
    assert.equal(await command.evaluate((element) => element.scrollHeight > element.clientHeight), true);
    assert.equal(await command.evaluate((element) => element.scrollWidth > element.clientWidth), false);
    assert.match(
      await panel.page.locator('.approval-warning').innerText(),
      /^The command is long: 8016 characters, one line\. It ends with: .*; rm -rf <U\+200B>~$/,
    );
  });

  it('shows a command as plain text', async () => {
    const shape = z.object({ approvalCard: z.object({ command: z.string() }) });
    const { command } = safetySample('WV33', shape).input.approvalCard;
    const panel = await ask({ ...commandApproval, command });
    assert.equal(await panel.page.locator('.command').innerText(), command);
    assert.equal(await panel.page.locator('.tool').locator('b, strong').count(), 0);
  });

  it('shows all of a command of ordinary length', async () => {
    const panel = await ask({ ...commandApproval, command: `echo ${'long '.repeat(300)}` });
    const box = panel.page.locator('.command');
    assert.equal(await box.evaluate((element) => element.scrollHeight > element.clientHeight + 1), false);
    assert.equal(await panel.page.locator('.approval-warning').count(), 0);
  });

  for (const [name, scope] of [
    ['Always in This Session', 'session'],
    ['Always in This Workspace', 'workspace'],
  ] as const) {
    it(`sends "${name}", and explains what it allows`, async () => {
      const remember = {
        rules: ['npm test', "echo '\u200B'"],
        folder: 'packages/a',
        scopes: ['session', 'workspace'],
      } as const;
      const panel = await ask({ ...commandApproval, remember });
      assert.equal(
        await panel.page.locator('.approval-reason').last().innerText(),
        "“Always” allows exactly npm test and echo '<U+200B>' in packages/a.",
      );
      await button(panel, name).dblclick();
      assert.deepEqual(await panel.intents(), [
        { type: 'approve', sessionId, requestId: 'request-command', remember: scope },
      ]);
    });
  }

  it('accepts an edit with lines that the card leaves out only after Open Diff', async () => {
    const panel = await ask({ ...editApproval, unshownLines: 4_620, offersAcceptEdits: true });
    await panel.page.getByText('4620 lines are not shown on this card.').waitFor();
    const enabled = () =>
      Promise.all(['Accept', 'Accept All Edits of This Run', 'Reject…'].map((name) => button(panel, name).isEnabled()));
    assert.deepEqual(await enabled(), [false, false, true]);
    await panel.screenshot('edit-with-unshown-lines');
    await button(panel, 'Open Diff').click();
    assert.deepEqual(await enabled(), [true, true, true]);
    await button(panel, 'Accept').click();
    assert.deepEqual(
      (await panel.intents()).map(({ type }) => type),
      ['openDiff', 'approve'],
    );
  });

  it('accepts all edits of the run', async () => {
    const panel = await ask({ ...editApproval, offersAcceptEdits: true });
    await button(panel, 'Accept All Edits of This Run').press('Enter');
    assert.deepEqual(await panel.intents(), [
      { type: 'approve', sessionId, requestId: 'request-edit', acceptsEdits: true },
    ]);
  });

  it('offers no lasting answer when the request does not', async () => {
    const panel = await ask(commandApproval);
    assert.deepEqual(await panel.page.locator('.approval button').allInnerTexts(), ['Run', 'Deny…']);
  });

  it('does not make yes the primary button when secrets are at risk', async () => {
    const panel = await ask({ ...editApproval, isSensitive: true });
    assert.equal(await panel.page.locator('.approval .button:not(.secondary)').count(), 0);
    assert.equal(await panel.page.evaluate(() => document.activeElement === document.body), true);
  });

  it('fits a narrow panel', async () => {
    const panel = await ask({
      ...commandApproval,
      programs: ['/home/someone/.local/share/very-long-folder-name/node/v22.17.1/bin/npm'],
      remember: { rules: ['npm run a-script-with-a-rather-long-name'], scopes: ['session', 'workspace'] },
    });
    await panel.page.setViewportSize({ width: 300, height: 700 });
    assert.equal(await panel.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  });
});
