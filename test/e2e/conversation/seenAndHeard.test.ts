import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate, type Turn } from '../../support/servers/modelServer';
import { Chat } from '../support/chat';

interface Page {
  readonly getComputedStyle: (element: unknown) => {
    readonly outlineStyle: string;
    readonly outlineWidth: string;
    readonly outlineColor: string;
  };
}

/** What reaches a person who cannot see the panel, or sees it only in part. */
describe('what a person sees and hears in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'a.ts': 'let a = 1;\nlet b = 1;\n' },
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);
  /** The live region: what it holds is read out. */
  const heard = () => window.panel.locator('.visually-hidden[role=status][aria-live=polite]');
  const untilHeard = (text: string) => heard().getByText(text, { exact: true }).waitFor({ state: 'attached' });
  const alerts = () => window.panel.getByRole('alert');
  const edit = (oldText: string, newText: string): Turn => ({
    toolCalls: [{ name: 'apply_edit', arguments: { path: 'a.ts', edits: [{ old_text: oldText, new_text: newText }] } }],
  });

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  describe('with a screen reader', () => {
    it('hears that a question waits, and that the agent has finished', async () => {
      await window.ask('Change a', edit('a = 1', 'a = 2'), { text: 'Done.' });
      await untilHeard('Needs your approval: Edit a.ts');
      await window.button('Accept').click();
      await window.untilAnswered('Done.');
      await untilHeard('Open Agent has finished.');
      assert.equal(await alerts().count(), 0);
    });

    it('hears that the agent has stopped, and not that it has finished', async () => {
      const gate = createGate();
      await window.ask('Tell me more', { text: ['It begins.', gate] });
      await chat.answers.getByText('It begins.').waitFor();
      await chat.button('Stop').click();
      await chat.untilIdle();
      gate.open();
      await untilHeard('Open Agent has stopped.');
      assert.equal(await alerts().count(), 0);
    });

    it('hears an error at once, as an alert, and nothing of an end', async () => {
      const refusal = { error: { code: 400, message: 'The cat sleeps on the cable.' } };
      await window.ask('Go', { kind: 'status', status: 400, body: refusal });
      await alerts().getByText('The cat sleeps on the cable.').waitFor();
      await chat.untilIdle();
      await window.workbench.until('nothing else is read out', async () => (await heard().textContent()) === '');
      assert.equal(await alerts().count(), 1);
    });
  });

  describe('who presses keys', () => {
    const inPanel = (expression: string) => window.panel.locator('body').evaluate(expression);
    const nextFrames = () =>
      inPanel('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');

    it('answers no question that has been on screen for less than half a second', async () => {
      await window.newSession();
      await inPanel('globalThis.testNow = performance.now(); performance.now = () => globalThis.testNow; 0');
      await window.ask('Change b', edit('b = 1', 'b = 2'), { text: 'Changed.' });
      await window.button('Accept').waitFor();
      // An observer tells what is in view with the next frames.
      await nextFrames();
      await inPanel('globalThis.testNow += 499');
      await chat.composer.focus();
      const focusedCard = window.panel.locator('[data-tool-use] .tool-head:focus');
      for (const key of ['ControlOrMeta+Enter', 'ControlOrMeta+Shift+Backspace']) {
        await chat.composer.focus();
        // The key shows the card, and does no more. One that is lost on its way is pressed again.
        await window.workbench.until('the card has the focus', async () => {
          await chat.composer.press(key);
          await nextFrames();
          return focusedCard.isVisible();
        });
      }
      assert.equal(await window.button('Accept').isEnabled(), true);
      assert.match(await window.read('a.ts'), /b = 1/);
      await inPanel('globalThis.testNow += 1');
      await window.workbench.until('the key accepts the edit', async () => {
        await chat.composer.press('ControlOrMeta+Enter');
        return (await window.read('a.ts')).includes('b = 2');
      });
      await inPanel('delete performance.now');
      await window.untilAnswered('Changed.');
    });
  });

  describe('with many questions', () => {
    it('sees three whole, the others as a line, and one more with each answer', async () => {
      const names = ['one', 'two', 'three', 'four', 'five'];
      const calls: Turn = {
        toolCalls: names.map((name) => ({ name: 'write_file', arguments: { path: `${name}.ts`, content: 'new\n' } })),
      };
      await window.ask('Create them', calls, { text: 'None is there.' });
      const folded = window.panel.getByRole('button', { name: 'Show Question', exact: true });
      const untilShown = (open: number, lines: number) =>
        window.workbench.until(`${open} are open and ${lines} are folded`, async () => {
          return (await window.button('Reject').count()) === open && (await folded.count()) === lines;
        });
      const rejectFirst = async (open: number, lines: number): Promise<void> => {
        const card = window.panel.locator('[data-tool-use]', { has: window.button('Reject') }).first();
        await card.getByRole('button', { name: 'Reject', exact: true }).press('Enter');
        await untilShown(open, lines);
      };
      await untilShown(3, 2);
      await window.workbench.screenshot('e2e-folded-questions');
      await rejectFirst(3, 1);
      await folded.press('Enter');
      await untilShown(4, 0);
      for (const left of [3, 2, 1, 0]) await rejectFirst(left, 0);
      await window.untilAnswered('None is there.');
    });
  });

  describe('in high contrast', () => {
    after(() => window.workbench.setTheme('dark'));

    it('sees changed lines by their border, which differs for added and removed ones', async () => {
      await window.ask('Change a again', edit('let a =', 'const a ='), { text: 'No.' });
      await window.button('Accept').waitFor();
      for (const [theme, rootClass] of [
        ['highContrast', 'vscode-high-contrast:not(.vscode-high-contrast-light)'],
        ['highContrastLight', 'vscode-high-contrast-light'],
      ] as const) {
        await window.workbench.setTheme(theme);
        await window.panel.locator(`body.${rootClass}`).waitFor();
        const borders = await Promise.all(
          ['.diff-added', '.diff-removed'].map((line) =>
            window.panel
              .locator(line)
              .first()
              .evaluate((element) => {
                const style = (globalThis as unknown as Page).getComputedStyle(element);
                return [style.outlineStyle, style.outlineWidth, style.outlineColor];
              }),
          ),
        );
        for (const border of borders) {
          assert.deepEqual(border.slice(0, 2), ['dashed', '1px'], theme);
          assert.doesNotMatch(border[2] ?? '', /transparent|, 0\)/);
        }
        await window.workbench.screenshot(`e2e-diff-${theme}`);
      }
      await window.button('Reject').click();
      await window.untilAnswered('No.');
    });
  });
});
