import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { pressInProposal } from '../../support/window/proposalKeys';
import type { Turn } from '../../support/servers/modelServer';

const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const text = names.map((name) => `const ${name} = '${name}';\n`).join('');
/** The text with these values in capitals. */
const withCapitals = (...changed: readonly string[]): string =>
  changed.reduce((all, name) => all.replace(`'${name}'`, `'${name.toUpperCase()}'`), text);

/** A browser function that the types of Node lack. */
interface Styles {
  getComputedStyle(element: unknown, pseudoElement: string): { readonly content: string };
}

describe('the changes of a proposed edit in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      ...{ 'keys.ts': text, 'card.ts': text, 'typed.ts': text, 'none.ts': text },
      // Else the names of one file conflict with those of the next, and the model would be told.
      'tsconfig.json': '{ "compilerOptions": { "moduleDetection": "force" } }\n',
    },
    settings: { 'files.autoSave': 'off' },
  });

  afterEach(() => window.workbench.runCommand('View: Close All Editors'));

  const edits = (file: string): Turn => ({
    toolCalls: [
      {
        name: 'apply_edit',
        arguments: {
          path: file,
          edits: ['one', 'five', 'ten'].map((name) => ({
            old_text: `'${name}'`,
            new_text: `'${name.toUpperCase()}'`,
          })),
        },
      },
    ],
  });
  const says = (answer: string): Turn => ({ text: answer });
  /** The decorations after the lines. They are no text of the editor. */
  const marks = async () => {
    const contents = await window.workbench
      .editor('modified')
      .locator('.view-line span')
      .evaluateAll((spans) =>
        spans.map((span) => (globalThis as unknown as Styles).getComputedStyle(span, '::after').content),
      );
    return contents
      .filter((content) => content.startsWith('"'))
      .map((content) => content.slice(1, -1).replaceAll('\u00A0', ' '));
  };
  const untilMarked = (...wanted: readonly string[]) =>
    window.workbench.until('the changes are named', async () => (await marks()).join() === wanted.join());
  const modified = () => window.workbench.editorText('modified');
  const untilModified = (wanted: string) =>
    window.workbench.until('the proposal is as decided', async () => (await modified()) === wanted);
  const box = (hunk: number) => window.panel.getByRole('checkbox', { name: `Change ${hunk} of 3` });
  const toolResult = async (request: number) => (await window.request(request)).body.messages.at(-1)?.content;

  const proposal = async (): Promise<void> => {
    const { workbench } = window;
    await workbench.page.locator('.editor-group-container.active .monaco-diff-editor').waitFor();
    await untilModified(withCapitals('one', 'five', 'ten'));
    await untilMarked('Change 1 of 3', 'Change 2 of 3', 'Change 3 of 3');
  };

  it('are decided one by one by keyboard; the last decision applies the edit', async () => {
    const { workbench } = window;
    const { keyboard } = workbench.page;
    await window.ask('Shout', edits('keys.ts'), says('Two of three.'));
    await proposal();
    await workbench.editor('modified').locator('.view-line').first().click();
    const acceptChange = async (): Promise<void> => {
      await keyboard.press('ControlOrMeta+k');
      await keyboard.press('Shift+y');
    };
    const isDecided = async () => (await window.panel.getByText('1 of 3 decided.').count()) > 0;
    await pressInProposal(workbench, acceptChange, isDecided);
    // The cursor has moved to the second change.
    await keyboard.press('ControlOrMeta+k');
    await keyboard.press('Shift+x');
    await untilModified(withCapitals('one', 'ten'));
    await window.panel.getByText('2 of 3 decided.').waitFor();
    await untilMarked('Change 1 of 3: accepted', 'Change 2 of 3: rejected', 'Change 3 of 3');
    await workbench.screenshot('e2e-hunks-decided');
    assert.equal(await window.read('keys.ts'), text);
    await acceptChange();
    await window.untilAnswered('Two of three.');
    assert.equal(await window.read('keys.ts'), withCapitals('one', 'ten'));
    assert.equal(
      await toolResult(2),
      `Edited keys.ts (+2 -2 lines). Rejected by the user and not applied: hunk 2 (line 5, "const five = 'FIVE';") of 3.`,
    );
  });

  it('are left out and put back on the card, also while the diff is closed', async () => {
    const { workbench } = window;
    await window.ask('Shout', edits('card.ts'), says('One of three.'));
    await proposal();
    await box(1).click();
    await untilModified(withCapitals('five', 'ten'));
    // The card updates after the proposal. A key pressed earlier would repeat the same decision.
    await workbench.until('the card shows it', async () => !(await box(1).isChecked()));
    await box(1).press('Space');
    await untilModified(withCapitals('one', 'five', 'ten'));
    await workbench.until('the card shows it', () => box(1).isChecked());
    await box(3).press('Space');
    await untilModified(withCapitals('one', 'five'));
    await workbench.editor('modified').locator('.view-line').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await workbench.page.locator('.tabs-container .tab.active:not(.dirty)').waitFor();
    await workbench.runCommand('View: Close Editor');
    await workbench.page.locator('.monaco-diff-editor').first().waitFor({ state: 'detached' });
    await box(1).click();
    await workbench.until('the box is empty', async () => !(await box(1).isChecked()));
    assert.equal(await box(2).isChecked(), true);
    assert.deepEqual(await workbench.tabs(), []);
    await window.button('Accept').click();
    await window.untilAnswered('One of three.');
    assert.equal(await window.read('card.ts'), withCapitals('five'));
    assert.match(String(await toolResult(2)), /not applied: hunks 1 \(line 1, .*\), 3 \(line 10, .*\) of 3\.$/);
  });

  it('keep text typed elsewhere, and can be undone', async () => {
    const { workbench } = window;
    const { keyboard } = workbench.page;
    await window.ask('Shout', edits('typed.ts'), says('With your words.'));
    await proposal();
    await workbench.editor('modified').locator('.view-line').nth(2).click();
    await keyboard.press('End');
    await keyboard.type(' // typed');
    await box(2).click();
    const typed = (wanted: string): string => wanted.replace("'three';", "'three'; // typed");
    await untilModified(typed(withCapitals('one', 'ten')));
    await workbench.editor('modified').locator('.view-line').nth(2).click();
    await keyboard.press('ControlOrMeta+z');
    await untilModified(typed(withCapitals('one', 'five', 'ten')));
    await workbench.until('the box is ticked again', () => box(2).isChecked());
    await box(3).click();
    await untilModified(typed(withCapitals('one', 'five')));
    await keyboard.press('Escape');
    await window.button('Accept').click();
    await window.untilAnswered('With your words.');
    assert.equal(await window.read('typed.ts'), typed(withCapitals('one', 'five')));
    assert.equal(
      await toolResult(2),
      [
        `Edited typed.ts (+3 -3 lines). Rejected by the user and not applied: hunk 3 (line 10, "const ten = 'TEN';") of 3. The user also changed the rest of your proposal. The difference to the applied text:`,
        '@@ -2,3 +2,3 @@',
        " const two = 'two';",
        "-const three = 'three';",
        "+const three = 'three'; // typed",
        " const four = 'four';",
      ].join('\n'),
    );
  });

  it('are rejected by mouse; the edit is rejected when none is left', async () => {
    const { workbench } = window;
    await window.ask('Shout', edits('none.ts'), says('Nothing then.'));
    await proposal();
    for (const [index, name] of ['one', 'five', 'ten'].entries()) {
      const hunk = index + 1;
      const line = workbench.editor('modified').locator('.view-line').nth(names.indexOf(name));
      await line.locator('> span > span').last().hover();
      const hover = workbench.page.locator('.monaco-hover:visible');
      await hover.getByText('Reject', { exact: true }).click();
      if (hunk === 3) break;
      await window.panel.getByText(`${hunk} of 3 decided.`).waitFor();
      // An open hover would cover the next one.
      await window.panel.getByText('Change 1 of 3').first().hover();
      await hover.first().waitFor({ state: 'hidden' });
    }
    await window.untilAnswered('Nothing then.');
    assert.equal(await window.read('none.ts'), text);
    assert.match(String(await toolResult(2)), /The user said no/);
  });
});
