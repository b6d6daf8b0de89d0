import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';

const source = 'export function total(prices) {\n  return prices.reduce((a, b) => a + b, 0);\n}\n';
const rounded = source.replace('prices.reduce((a, b) => a + b, 0)', 'Math.round(prices.reduce((a, b) => a + b, 0))');

/** This compilation has no DOM types. */
interface FocusedElement {
  getAttribute(name: string): string | null;
  readonly textContent: string | null;
}

describe('a whole task by the keyboard alone, in the VS Code window', () => {
  const window = useChatWindow({ files: { 'src/cart.js': source }, settings: { 'files.autoSave': 'off' } });
  const press = (key: string): Promise<void> => window.workbench.page.keyboard.press(key);
  const type = (text: string): Promise<void> => window.workbench.page.keyboard.type(text);
  const composer = () => window.panel.getByLabel('Message to Open Agent');
  const untilComposing = () => window.panel.locator('textarea:focus').waitFor();
  const picker = () => window.workbench.page.locator('.quick-input-widget');

  /** VS Code loses a key while it moves the focus, so this presses again. A second press must do no harm. */
  const pressUntil = async (keys: readonly string[], what: string, isDone: () => Promise<boolean>): Promise<void> => {
    await window.workbench.until(what, async () => {
      if (await isDone()) return true;
      for (const key of keys) await press(key);
      const end = performance.now() + 5_000;
      await window.workbench.until('the key has arrived, or is lost', async () => {
        return (await isDone()) || performance.now() > end;
      });
      return isDone();
    });
  };

  /** The name of what has the focus in the panel. Empty: it is elsewhere. */
  const focused = (): Promise<string> =>
    window.panel.locator(':focus').evaluateAll(([node]) => {
      if (node === undefined) return '';
      const { getAttribute, textContent } = node as unknown as FocusedElement;
      return getAttribute.call(node, 'aria-label') ?? textContent ?? '';
    });

  /** Goes from stop to stop, back from the field, until one has this name. */
  const walkBackTo = async (name: string): Promise<void> => {
    const walks: string[] = [];
    while (walks.length < 5) {
      await pressUntil(
        ['Control+K', 'a'],
        'the field has the focus',
        async () => (await focused()) === 'Message to Open Agent',
      );
      let last = 'Message to Open Agent';
      const seen: string[] = [];
      // VS Code may give the focus to an editor that has just opened. Then the walk begins again.
      while (last !== name && last !== '' && seen.length < 40) {
        await press('Shift+Tab');
        last = await focused();
        seen.push(last);
      }
      if (last === name) return;
      walks.push(seen.join(', '));
    }
    assert.fail(walks.join('; '));
  };

  it('goes from opening the panel to going back', async () => {
    const edit = {
      old_text: 'return prices.reduce((a, b) => a + b, 0)',
      new_text: 'return Math.round(prices.reduce((a, b) => a + b, 0))',
    };
    window.expect(
      { text: 'I round it.', toolCalls: [{ name: 'apply_edit', arguments: { path: 'src/cart.js', ...edit } }] },
      {
        toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'node --check src/cart.js > checked.txt' } }],
      },
      { text: 'The total is rounded.' },
    );
    // Opens the panel, with the focus in the field.
    await pressUntil(
      ['Control+K', 'a'],
      'the panel is open',
      async () => (await window.panel.locator('textarea:focus').count()) > 0,
    );
    await type('Round the total in @cart');
    await window.panel.getByRole('option', { name: 'src/cart.js' }).first().waitFor();
    await press('Enter');
    await window.workbench.until('the file is named', async () =>
      (await composer().inputValue()).includes('@src/cart.js'),
    );
    await press('Enter');

    // The edit waits, in the diff editor and on its card.
    await window.button('Accept').waitFor();
    await window.workbench.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await pressUntil(
      ['Control+Enter'],
      'the edit is accepted',
      async () => (await window.read('src/cart.js')) === rounded,
    );

    // The command waits. Its card is reached with Tab.
    await window.button('Run').waitFor();
    await walkBackTo('Run');
    await pressUntil(['Enter'], 'the command runs', async () => (await window.button('Run').count()) === 0);
    await window.untilAnswered('The total is rounded.');

    // The note of the run is reached, too, and shows the changes.
    await walkBackTo('Review');
    await press('Enter');
    await window.workbench.page.locator('.multiDiffEditor, .monaco-diff-editor').first().waitFor();

    await walkBackTo('Go Back to Before This Message…');
    await press('Enter');
    await picker().getByText('Files and conversation').first().waitFor();
    await press('Enter');
    await picker().getByText('src/cart.js').first().waitFor();
    await press('Enter');
    await window.workbench.until('the file is as before', async () => (await window.read('src/cart.js')) === source);
    await untilComposing();
    assert.match(await composer().inputValue(), /^Round the total in @src\/cart\.js/);
    await window.workbench.screenshot('e2e-keyboard-task');
  });
});
