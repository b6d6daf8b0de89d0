import assert from 'node:assert/strict';
import type { ViewItem } from '../../../src/agent/view/sessionView';
import { moreAnswer } from '../support/answers';
import {
  commandApproval,
  commandCard,
  editApproval,
  editCard,
  prompt,
  sessionId,
  tool,
  view,
} from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

describe('a tool card', function () {
  this.timeout(120_000);
  const webview = useWebview();

  const show = async (...items: readonly ViewItem[]): Promise<WebviewPage> => {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Go'), ...items], { state: 'waiting_for_approval' }));
    return panel;
  };
  const button = (panel: WebviewPage, name: string) =>
    panel.page.locator('.tool').getByRole('button', { name, exact: true });

  it('shows an edit as a diff and sends one approval for several clicks', async () => {
    const panel = await show(editCard);
    assert.equal(
      await panel.page.locator('.tool-title').textContent(),
      'Edit src/checkout/price.ts +3 −1, Needs your approval',
    );
    assert.deepEqual(await panel.page.locator('.diff-added .diff-text').allInnerTexts(), [
      '  const cents = items.reduce((sum, item) => sum + Math.round(item.price * 100) * item.count, 0);',
      '  // Whole cents, because a sum of fractions drifts.',
      '  return cents / 100;',
    ]);
    await button(panel, 'Accept').dblclick();
    assert.equal(await button(panel, 'Accept').isDisabled(), true);
    assert.equal(await button(panel, 'Reject').isDisabled(), true);
    assert.deepEqual(await panel.intents(), [{ type: 'approve', sessionId, requestId: 'request-edit' }]);
  });

  it('marks changed lines by a border in high contrast, where they have no background', async () => {
    const panel = await show(editCard);
    const lines = ['.diff-added', '.diff-removed'].map((line) => panel.page.locator(line).first());
    for (const theme of ['high-contrast', 'high-contrast-light'] as const) {
      await panel.setTheme(theme);
      for (const line of lines) {
        const { outlineStyle, outlineColor, outlineWidth } = await line.evaluate((element) => {
          const style = getComputedStyle(element);
          return {
            outlineStyle: style.outlineStyle,
            outlineColor: style.outlineColor,
            outlineWidth: style.outlineWidth,
          };
        });
        assert.deepEqual([outlineStyle, outlineWidth], ['dashed', '1px'], theme);
        assert.doesNotMatch(outlineColor, /transparent|, 0\)/);
      }
    }
  });

  describe('of an edit with several changes', () => {
    const hunks = [
      { diff: '@@ -1,2 +1,2 @@\n-a\n+b\n c', state: 'open' },
      { diff: '@@ -9,1 +9,0 @@\n-gone', state: 'open' },
    ] as const;
    const card = { ...editCard, approval: { ...editApproval, hunks } };
    const box = (panel: WebviewPage, hunk: number) => panel.page.getByRole('checkbox', { name: `Change ${hunk} of 2` });
    const decision = { type: 'decideHunk', sessionId, requestId: 'request-edit' };

    it('shows each with a checkbox that works by mouse and keyboard', async () => {
      const panel = await show(card);
      assert.deepEqual(await panel.page.locator('.diff-removed .diff-text').allInnerTexts(), ['a', 'gone']);
      await box(panel, 1).click();
      await box(panel, 2).press('Space');
      assert.deepEqual(await panel.intents(), [
        { ...decision, hunk: 0, isKept: false },
        { ...decision, hunk: 1, isKept: false },
      ]);
    });

    it('shows the decisions of the host and continues from them', async () => {
      const decided = [{ ...hunks[0], state: 'rejected' } as const, { ...hunks[1], state: 'accepted' } as const];
      const panel = await show({ ...card, approval: { ...card.approval, hunks: decided } });
      assert.deepEqual([await box(panel, 1).isChecked(), await box(panel, 2).isChecked()], [false, true]);
      assert.equal(await panel.page.getByRole('status').getByText('2 of 2 decided.').count(), 1);
      await box(panel, 1).click();
      assert.deepEqual(await panel.intents(), [{ ...decision, hunk: 0, isKept: true }]);
    });
  });

  it('keeps the focus on the card when its buttons disappear', async () => {
    const panel = await show(editCard);
    await (await moreAnswer(panel, 'Reject with Reason…')).press('Enter');
    await panel.page.keyboard.press('Escape');
    assert.equal(await button(panel, 'Reject').evaluate((element) => element === document.activeElement), true);
    await button(panel, 'Accept').press('Enter');
    assert.equal(
      await panel.page.locator('.tool-head').evaluate((element) => element === document.activeElement),
      true,
    );
  });

  it('can be answered again when a snapshot shows the request still open', async () => {
    const panel = await show(editCard);
    await button(panel, 'Accept').click();
    await panel.snapshot(view([prompt('Go'), editCard], { state: 'waiting_for_approval' }));
    assert.equal(await button(panel, 'Accept').isDisabled(), false);
  });

  it('opens the diff without deciding', async () => {
    const panel = await show(editCard);
    await (await moreAnswer(panel, 'Open Diff')).click();
    await (await moreAnswer(panel, 'Open Diff')).click();
    assert.deepEqual(await panel.intents(), [
      { type: 'openDiff', sessionId, requestId: 'request-edit' },
      { type: 'openDiff', sessionId, requestId: 'request-edit' },
    ]);
    assert.equal(await button(panel, 'Accept').isDisabled(), false);
  });

  it('denies with a reason, by keyboard alone', async () => {
    const panel = await show(commandCard);
    await (await moreAnswer(panel, 'Deny with Reason…')).press('Enter');
    await panel.page.keyboard.type('Use the fast tests');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intents(), [
      { type: 'deny', sessionId, requestId: 'request-command', reason: 'Use the fast tests' },
    ]);
  });

  it('denies without a reason, and lets the person go back', async () => {
    const panel = await show(commandCard);
    await (await moreAnswer(panel, 'Deny with Reason…')).click();
    await panel.page.keyboard.press('Escape');
    assert.deepEqual(await panel.intents(), []);
    await button(panel, 'Deny').click();
    assert.deepEqual(await panel.intents(), [{ type: 'deny', sessionId, requestId: 'request-command' }]);
  });

  it('has one primary action', async () => {
    const panel = await show(editCard, { ...commandCard, id: 'other' });
    const primary = await panel.page
      .locator('.tool')
      .evaluateAll((cards) =>
        cards.map((card) =>
          [...card.querySelectorAll('.button:not(.secondary)')].map((element) => element.textContent),
        ),
      );
    assert.deepEqual(primary, [['Accept'], ['Run']]);
  });

  it('shows the outcome of the approval and of the edit', async () => {
    const panel = await show(editCard);
    const resolve = (outcome: 'allowed_with_changes' | 'denied', reason?: string) =>
      panel.events(sessionId, {
        type: 'approval_resolved',
        requestId: 'request-edit',
        toolUseId: 'use-edit',
        outcome,
        ...(reason !== undefined && { reason }),
        ts: 0,
      });
    const end = (outcome: 'succeeded' | 'denied') =>
      panel.events(sessionId, {
        type: 'agent',
        event: {
          type: 'tool_execution_end',
          toolUseId: 'use-edit',
          outcome,
          result: { type: 'tool_result', toolUseId: 'use-edit', content: 'result text', isError: outcome === 'denied' },
        },
        ts: 0,
      });
    await resolve('allowed_with_changes');
    assert.equal(await panel.page.locator('.approval').count(), 0);
    await end('succeeded');
    assert.equal(await panel.page.locator('.tool-summary').innerText(), 'Accepted with your changes.');

    await panel.snapshot(view([editCard], { state: 'waiting_for_approval' }));
    await resolve('denied', 'Not this file');
    await end('denied');
    assert.equal(await panel.page.locator('.tool-summary').innerText(), 'Rejected: Not this file');
  });

  it('shows the whole command with hidden characters; padding cannot push its end out of sight', async () => {
    const command = `ls\u202E${' '.repeat(4000)}; rm -rf ~\u200B\nsecond line`;
    const panel = await show({ ...commandCard, approval: { ...commandApproval, command } });
    assert.equal(
      await panel.page.locator('.command').innerText(),
      'ls<U+202E><4000 spaces>; rm -rf ~<U+200B>↵\nsecond line',
    );
    const fits = await panel.page
      .locator('.command')
      .evaluate(
        (element) => element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth,
      );
    assert.equal(fits, true);
  });

  it('never parts the hyphens of an option from its name, at any width', async () => {
    const command = Array.from({ length: 12 }, (_, at) => `${'word'.slice(at % 4)} --option-${at} -q -- -x${at}`).join(
      ' ',
    );
    const ran = tool({ id: 'ran', toolName: 'run_terminal_command', state: 'succeeded', input: { command } });
    const panel = await show(ran, { ...commandCard, approval: { ...commandApproval, command } });
    for (let width = 240; width < 460; width += 7) {
      await panel.page.setViewportSize({ width, height: 900 });
      const parted = await panel.page.evaluate(() =>
        [...document.querySelectorAll('[data-tool-use=ran] .tool-target, .command')].flatMap((element) => {
          const tops: number[] = [];
          const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
            for (let at = 0; at < (node.nodeValue ?? '').length; at += 1) {
              const range = document.createRange();
              range.setStart(node, at);
              range.setEnd(node, at + 1);
              tops.push(Math.round(range.getBoundingClientRect().bottom));
            }
          return [...(element.textContent ?? '').matchAll(/(?<=^|\s)-+[^\s-]?/g)].flatMap(({ index, 0: option }) =>
            new Set(tops.slice(index, index + option.length)).size > 1 ? [`${element.className}: ${option}`] : [],
          );
        }),
      );
      assert.deepEqual(parted, [], `${width} pixels`);
    }
  });

  it('shows hidden characters of a path and of a diff', async () => {
    const displayPath = 'src/\u202Eevil.ts';
    const diff = '@@ -1,1 +1,1 @@\n-a\n+a\u200B\u00A0b';
    const panel = await show({ ...editCard, approval: { ...editApproval, displayPath, diff } });
    assert.equal(await panel.page.locator('.tool-target').innerText(), 'src/<U+202E>evil.ts');
    assert.equal(await panel.page.locator('.diff-added .diff-text').innerText(), 'a<U+200B><NO-BREAK SPACE>b');
  });

  it('streams the output of a command and stops it', async () => {
    const running = tool({
      id: 'use-run',
      toolName: 'run_terminal_command',
      state: 'running',
      input: { command: 'npm run watch' },
    });
    const panel = await show(running);
    const progress = (output: string) =>
      panel.events(sessionId, {
        type: 'agent',
        event: { type: 'tool_execution_progress', toolUseId: 'use-run', output },
        ts: 0,
      });
    await progress('\u001B[32mready\u001B[0m\n');
    await progress(Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n'));
    const output = panel.page.locator('.output.live');
    assert.match(await output.innerText(), /^ready\nline 0\n/);
    const distance = await output.evaluate(
      (element) => element.scrollHeight - element.clientHeight - element.scrollTop,
    );
    assert.ok(distance < 2, `the newest output is ${distance} pixels out of sight`);
    await button(panel, 'Stop: Run npm run watch').click();
    assert.deepEqual(await panel.intents(), [{ type: 'stopTool', sessionId, toolUseId: 'use-run' }]);
  });

  it('keeps the output of a finished command and its outcome', async () => {
    const ended = (id: string, state: 'succeeded' | 'failed' | 'interrupted', result: string) =>
      tool({ id, toolName: 'run_terminal_command', state, input: { command: 'npm test' }, result });
    const panel = await show(
      ended('a', 'succeeded', 'Exit code 0.\n3 passing\n'),
      ended('b', 'failed', 'Exit code 1.\n1 failing\n'),
      ended('c', 'succeeded', 'Exit code 0.\n(no output)'),
      ended('d', 'interrupted', 'The user stopped this tool call.\n2 passing\n'),
    );
    assert.deepEqual(await panel.page.locator('.output').allInnerTexts(), ['3 passing', '1 failing', '2 passing']);
    assert.deepEqual(await panel.page.locator('.tool-summary').allInnerTexts(), ['Exit code 1.', 'Stopped.']);
  });

  it('keeps its verb when it is approved and when it has ended', async () => {
    const panel = await webview.open();
    const card = tool({ id: 'new', toolName: 'write_file', state: 'ready', input: { path: 'a.ts', content: 'a' } });
    const approval = { ...editApproval, toolUseId: 'new', operation: 'create', displayPath: 'a.ts' } as const;
    await panel.snapshot(view([prompt('Go'), card], { state: 'running' }));
    const head = panel.page.locator('.tool-title');
    const result = {
      type: 'tool_result',
      toolUseId: 'new',
      content: 'Created a.ts (+1 -0 lines).',
      isError: false,
    } as const;
    const answered = { requestId: approval.requestId, toolUseId: 'new', outcome: 'allowed', ts: 0 } as const;
    await panel.events(sessionId, { type: 'approval_requested', approval, ts: 0 });
    assert.match(await head.innerText(), /^Create\b/);
    await panel.events(sessionId, { type: 'approval_resolved', ...answered });
    assert.match(await head.innerText(), /^Create\b/);
    await panel.events(sessionId, {
      type: 'agent',
      event: { type: 'tool_execution_end', toolUseId: 'new', outcome: 'succeeded', result },
      ts: 1,
    });
    assert.match(await head.innerText(), /^Create\b/);
  });

  it('offers no way to the end where nothing scrolls', async () => {
    const panel = await webview.open();
    await panel.snapshot(
      view([
        prompt('Go'),
        tool({
          id: 'a',
          toolName: 'run_terminal_command',
          state: 'succeeded',
          input: { command: 'npm test' },
          result: 'ok',
        }),
      ]),
    );
    const jump = panel.page.getByRole('button', { name: 'Jump to Latest' });
    await panel.page.getByRole('button', { name: /^Run/ }).click();
    await panel.page.getByText('ok', { exact: true }).waitFor();
    assert.equal(await jump.count(), 0);
  });

  it('keeps the line counts of an applied edit', async () => {
    const edit = {
      toolName: 'apply_edit',
      state: 'succeeded',
      input: { path: 'src/a.ts' },
      result: 'Edited.',
    } as const;
    const panel = await show(
      tool({ ...edit, id: 'a', display: { applied: true, addedLines: 12, removedLines: 0 } }),
      tool({ ...edit, id: 'b', display: { applied: false }, approvalOutcome: 'allowed_with_changes' }),
    );
    assert.deepEqual(await panel.page.locator('.tool-title').allTextContents(), [
      'Edit src/a.ts +12 −0, Done',
      'Edit src/a.ts, Done',
    ]);
    assert.deepEqual(await panel.page.locator('.tool-summary').allInnerTexts(), ['Nothing was changed.']);
  });

  it('shows arguments and result when it is opened, and opens its file', async () => {
    const panel = await show(
      tool({
        id: 'use-read',
        toolName: 'read_file',
        state: 'succeeded',
        input: { path: 'src/a.ts', start_line: 3 },
        result: '3\tconst a = 1;',
      }),
    );
    const head = panel.page.locator('.tool-head');
    assert.equal(await head.getAttribute('aria-expanded'), 'false');
    await head.press('Enter');
    assert.equal(await head.getAttribute('aria-expanded'), 'true');
    assert.deepEqual(await panel.page.locator('.tool-details .output').allInnerTexts(), [
      'path: src/a.ts\nstart_line: 3',
      '3\tconst a = 1;',
    ]);
    await button(panel, 'Open File').click();
    assert.deepEqual(await panel.intents(), [{ type: 'openFile', path: 'src/a.ts', line: 3 }]);
  });

  it('opens a changed file at its first changed line, proposed or done', async () => {
    const display = { applied: true, addedLines: 1, removedLines: 1, line: 12 };
    const panel = await show(
      editCard,
      tool({ id: 'done', toolName: 'apply_edit', state: 'succeeded', input: { path: 'src/b.ts' }, display }),
      tool({
        id: 'old',
        toolName: 'apply_edit',
        state: 'succeeded',
        input: { path: 'src/c.ts' },
        display: { line: -1 },
      }),
    );
    for (const open of await button(panel, 'Open File').all()) await open.click();
    assert.deepEqual(await panel.intents(), [
      { type: 'openFile', path: 'src/checkout/price.ts', line: 10 },
      { type: 'openFile', path: 'src/b.ts', line: 12 },
      { type: 'openFile', path: 'src/c.ts' },
    ]);
  });

  it('gets the focus from the activity bar', async () => {
    const fillers = Array.from({ length: 40 }, (_, index) => prompt(`Filler ${index}`));
    const panel = await show(editCard, ...fillers);
    await panel.page.getByRole('button', { name: 'Show', exact: true }).click();
    assert.equal(
      await panel.page.locator('.tool-head').evaluate((element) => element === document.activeElement),
      true,
    );
    assert.equal(await button(panel, 'Accept').isVisible(), true);
    assert.equal(
      await panel.page.locator('[role=status][aria-live=polite]').textContent(),
      'Needs your approval: Edit src/checkout/price.ts',
    );
  });

  it('is followed by notices with their actions', async () => {
    const panel = await webview.open();
    const notice = (
      id: string,
      actions: readonly ('retry' | 'openSettings' | 'selectModel' | 'setApiKey' | 'continue')[],
    ) => ({ kind: 'notice', id, notice: { id, severity: 'error', message: `Message ${id}`, actions } }) as const;
    await panel.snapshot(
      view([notice('a', ['retry', 'openSettings', 'selectModel']), notice('b', ['setApiKey', 'continue'])]),
    );
    for (const name of ['Retry', 'Open Settings', 'Set API Key…', 'Continue']) await noticeButton(panel, name).click();
    await noticeButton(panel, 'Select Model').click();
    await panel.page.getByRole('menu', { name: 'Model' }).waitFor();
    await panel.page.keyboard.press('Escape');
    await panel.page.getByRole('button', { name: 'Dismiss' }).first().click();
    assert.deepEqual(await panel.intents(), [
      { type: 'retry', sessionId },
      { type: 'runCommand', command: 'openSettings' },
      { type: 'runCommand', command: 'setApiKey' },
      { type: 'continue', sessionId },
      { type: 'dismissNotice', sessionId, noticeId: 'a' },
    ]);
  });
});

function noticeButton(panel: WebviewPage, name: string) {
  return panel.page.locator('.notice').getByRole('button', { name, exact: true });
}
