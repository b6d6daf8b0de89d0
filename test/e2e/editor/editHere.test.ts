import assert from 'node:assert/strict';
import { createGate } from '../../support/servers/gate';
import { useChatWindow } from '../../support/window/chatWindow';

const source = 'export function sum(a, b) {\n  return a - b;\n}\n\nexport const one = 1;\n';
const fence = '```';

describe('an edit at the cursor in the VS Code window', function () {
  this.timeout(180_000);
  const window = useChatWindow({
    files: {
      'src/sum.js': source,
      'src/other.js': source,
      'src/last.js': source,
      '.env': 'KEY=MARKED\n',
      '.npmrc': 'a=1\n',
    },
    settings: { 'files.autoSave': 'off' },
  });
  const field = () => window.workbench.page.locator('.quick-input-widget:visible input').first();
  const press = (key: string) => window.workbench.page.keyboard.press(key);
  /** Presses the keys of the command until its field is there: VS Code drops keys while a file is being opened. */
  const wish = async (text: string, title: string): Promise<void> => {
    const { page } = window.workbench;
    const titled = page.locator('.quick-input-title').filter({ hasText: title });
    await window.workbench.until(`the field "${title}" is there`, async () => {
      if (await titled.isVisible()) return true;
      await press('Control+K');
      await press('h');
      await titled.waitFor({ timeout: 3_000 }).catch(() => {});
      return titled.isVisible();
    });
    await field().fill(text);
    await press('Enter');
    await titled.waitFor({ state: 'hidden' });
  };
  const untilProposed = (text: string) =>
    window.workbench.until(`the proposal shows ${text}`, async () =>
      (await window.workbench.editorText('modified')).includes(text),
    );
  /** The model has ended, and the person decides. */
  const untilAsked = () =>
    window.workbench.page
      .locator('.editor-actions .action-item:not(.disabled) [aria-label^="Accept Proposed Edit"]')
      .waitFor();
  /** A key that is pressed while VS Code moves the focus is lost, so this presses it again. */
  const escape = () =>
    window.workbench.until('the proposal is gone', async () => {
      const proposals = window.workbench.page.locator('.monaco-diff-editor');
      if ((await proposals.count()) === 0) return true;
      await window.workbench
        .editor('modified')
        .click({ timeout: 2_000 })
        .catch(() => {});
      await press('Escape');
      await proposals.waitFor({ state: 'detached', timeout: 3_000 }).catch(() => {});
      return (await proposals.count()) === 0;
    });
  const untilClosed = () => window.workbench.page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });

  it('is written into the diff, refined, and accepted', async () => {
    const { workbench } = window;
    const gate = createGate();
    window.expect(
      { text: [`${fence}js\nexport function sum(a, b) {\n  return a + b;\n`, gate, `}\n${fence}`] },
      { text: `${fence}js\nexport function sum(a, b) {\n  return Number(a) + Number(b);\n}\n${fence}` },
    );
    await workbench.openFile('src/sum.js');
    await workbench.selectLines(1, 3);
    await wish('Add them', 'Edit Lines 1–3 of sum.js');
    await untilProposed('return a + b;');
    await workbench.screenshot('edit-here-writing');
    gate.open();
    const { body } = await window.request(1);
    assert.equal(body.tools, undefined);
    const content = String(body.messages.at(-1)?.content);
    assert.match(
      content,
      /The part, lines 1-3:\n```javascript\nexport function sum\(a, b\) \{\n {2}return a - b;\n\}\n```/,
    );
    assert.match(content, /Below, not to change:\n```javascript\n\nexport const one = 1;\n```/);
    assert.ok(content.endsWith('Wanted: Add them'));

    await untilAsked();
    await workbench.editor('modified').click();
    await wish('Of texts too', 'Change the Proposal for Lines 1–3 of sum.js');
    await untilProposed('Number(a)');
    const second = await window.request(2);
    const further = String(second.body.messages.at(-1)?.content);
    assert.ok(further.startsWith(content), 'the prompt only grows');
    await workbench.screenshot('edit-here-refined');

    assert.equal(await window.read('src/sum.js'), source);
    await untilAsked();
    await workbench.runCommand('Open Agent: Accept Proposed Edit');
    await untilClosed();
    // VS Code empties the file before it writes.
    const written = 'export function sum(a, b) {\n  return Number(a) + Number(b);\n}\n\nexport const one = 1;\n';
    await workbench.until('it is written', async () => (await window.read('src/sum.js')) === written);
  });

  it('is about the function around the cursor, and Escape takes it back', async () => {
    const { workbench } = window;
    window.expect({ text: `${fence}js\nexport function sum(a, b) {\n  return a * b;\n}\n${fence}` });
    await workbench.openFile('src/other.js');
    await workbench.selectLines(2, 2);
    await press('ArrowLeft');
    await wish('Multiply', 'Edit Lines 1–3 of other.js');
    await untilProposed('a * b');
    await escape();
    assert.equal(await window.read('src/other.js'), source);
  });

  it('stops the model with Escape while it writes', async () => {
    const { workbench } = window;
    const gate = createGate();
    window.expect({ text: [`${fence}js\nexport function sum(a, b) {\n  return 7;\n`, gate, `}\n${fence}`] });
    await workbench.openFile('src/last.js');
    await workbench.selectLines(1, 3);
    await wish('Seven', 'Edit Lines 1–3 of last.js');
    await untilProposed('return 7;');
    await escape();
    assert.equal(await (await window.request(1)).closed, 'broken');
    gate.open();
    assert.equal(await window.read('src/last.js'), source);
  });

  it('goes on in the chat, in a new session', async () => {
    const { workbench } = window;
    window.expect({ text: `${fence}js\nexport const one = 11;\n${fence}` }, { text: 'Eleven it is.' });
    await workbench.openFile('src/last.js');
    await workbench.selectLines(5, 5);
    await wish('Make it eleven', 'Edit Line 5 of last.js');
    await untilProposed('one = 11');
    await untilAsked();
    await workbench.editor('modified').click();
    await workbench.runCommand('Open Agent: Continue in Chat');
    await window.untilAnswered('Eleven it is.');
    assert.deepEqual(await window.panel.locator('.context-labels li').allInnerTexts(), ['src/last.js:5']);
    assert.equal(await window.read('src/last.js'), source);
  });

  it('says why it wrote nothing, and keeps what was wanted', async () => {
    const { workbench } = window;
    window.expect({ text: 'I would rather not.' });
    await workbench.openFile('src/last.js');
    await workbench.selectLines(5, 5);
    await wish('Make it twelve', 'Edit Line 5 of last.js');
    const toast = await workbench.notification('The model wrote no code: “I would rather not.”');
    await toast.getByRole('button', { name: 'Retry' }).click();
    await workbench.until('what was wanted is there', async () => (await field().inputValue()) === 'Make it twelve');
    await press('Escape');
  });

  it('sends nothing of files that may hold secrets', async () => {
    const { workbench } = window;
    await workbench.openFile('.env');
    await workbench.runCommand('Open Agent: Edit Here…');
    await workbench.notification(/\.env may hold secrets|\.env is a protected file/);
    assert.deepEqual(window.server.unexpected, []);
  });
});
