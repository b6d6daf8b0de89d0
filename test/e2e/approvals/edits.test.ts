import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { useChatWindow } from '../../support/window/chatWindow';
import { pressInProposal } from '../../support/window/proposalKeys';
import { createGate } from '../../support/servers/modelServer';
import type { Turn } from '../../support/servers/modelServer';
import type { ScriptedToolCall } from '../../support/servers/turns';

const pricing = [
  'export function total(prices: number[]): number {',
  '  let sum = 0;',
  '  for (const price of prices) sum = price;',
  '  return sum;',
  '}',
  '',
].join('\n');
const corrected = pricing.replace('sum = price', 'sum += price');
const tasks = '{ "version": "2.0.0", "tasks": [] }\n';
const windowsText = '\uFEFFfirst  \r\nsecond\r\n\tthird';

describe('an edit in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      'unsaved.ts': pricing,
      'keyboard.ts': pricing,
      'card.ts': pricing,
      'plain.ts': pricing,
      'denied.ts': pricing,
      'rejected.ts': pricing,
      'stale.ts': pricing,
      'stopped.ts': pricing,
      'twice.ts': pricing,
      'later.ts': pricing,
      'undone.ts': pricing,
      'typed.ts': pricing,
      'fenced.ts': pricing,
      'whole.txt': 'old\r\nlines\r\n',
      'windows.txt': windowsText,
      '.vscode/tasks.json': tasks,
    },
    // With auto save, typed text would be saved after a second.
    settings: { 'files.autoSave': 'off' },
  });

  afterEach(() => window.workbench.runCommand('View: Close All Editors'));

  const reads = (file: string): Turn => ({
    text: 'Let me look.',
    toolCalls: [{ name: 'read_file', arguments: { path: file } }],
  });
  const edit = (file: string, oldText = 'sum = price;', newText = 'sum += price;'): ScriptedToolCall => ({
    name: 'apply_edit',
    arguments: { path: file, edits: [{ old_text: oldText, new_text: newText }] },
  });
  const edits = (...calls: Parameters<typeof edit>): Turn => ({ toolCalls: [edit(...calls)] });
  const says = (text: string): Turn => ({ text });

  /** Waits for the diff editor; resolves with its original and its modified text. */
  const proposal = async (): Promise<readonly [string, string]> => {
    const { workbench } = window;
    await workbench.page.locator('.editor-group-container.active .monaco-diff-editor').waitFor();
    const texts = async () => [await workbench.editorText('original'), await workbench.editorText('modified')] as const;
    await workbench.until('the proposal shows its text', async () => (await texts())[1] !== '');
    return texts();
  };

  /** Types a line at the end of the proposal. */
  const typeIntoProposal = async (line: string): Promise<void> => {
    const { workbench } = window;
    await workbench.editor('modified').locator('.view-line').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+End');
    await workbench.page.keyboard.type(line);
    await workbench.until('the line is in the proposal', async () =>
      (await workbench.editorText('modified')).includes(line),
    );
  };

  /** Saves the proposal. This keeps a draft and writes no file of the workspace. */
  const saveDraft = async (): Promise<void> => {
    const { page } = window.workbench;
    await page.keyboard.press('ControlOrMeta+s');
    await page.locator('.tabs-container .tab.active:not(.dirty)').waitFor();
  };

  const pressAccept = (isDone: () => Promise<boolean>) =>
    pressInProposal(window.workbench, () => window.workbench.page.keyboard.press('ControlOrMeta+Enter'), isDone);

  const acceptByKey = () => pressAccept(async () => (await window.button('Accept').count()) === 0);

  const titleButton = (name: string) =>
    window.workbench.page.locator('.editor-group-container.active .editor-actions').getByLabel(name).first();

  /** The last message of the nth request: the result of the tool call before it. */
  const toolResult = async (request: number) => (await window.request(request)).body.messages.at(-1);

  const untilClosed = () => window.workbench.page.locator('.monaco-diff-editor').first().waitFor({ state: 'detached' });

  it('includes unsaved text, can be typed into, and is accepted from the editor title', async () => {
    const { workbench } = window;
    await workbench.openFile('unsaved.ts');
    await workbench.editor().locator('.view-line').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+End');
    await workbench.page.keyboard.type('// Prices are in cents.');
    await window.ask('Fix the total', reads('unsaved.ts'), edits('unsaved.ts'), says('It adds up now.'));
    assert.deepEqual(await proposal(), [`${pricing}// Prices are in cents.`, `${corrected}// Prices are in cents.`]);
    assert.match((await toolResult(2))?.content ?? '', /Prices are in cents/);
    await typeIntoProposal(' Typed by hand.');
    await workbench.screenshot('e2e-edit-proposed');
    assert.equal(await window.read('unsaved.ts'), pricing);
    await titleButton('Accept Proposed Edit').click();
    await window.untilAnswered('It adds up now.');

    const expected = `${corrected}// Prices are in cents. Typed by hand.`;
    assert.equal(await window.read('unsaved.ts'), expected);
    await untilClosed();
    await workbench.untilEditorShows(expected);
    assert.equal(await workbench.page.locator('.tabs-container .tab.dirty').count(), 0);
    assert.deepEqual(await toolResult(3), {
      role: 'tool',
      tool_call_id: 'call_2_0',
      content: [
        'Edited unsaved.ts (+2 -2 lines). The user changed your proposal before accepting it. The difference between your proposal and the file now:',
        '@@ -5,2 +5,2 @@',
        ' }',
        '-// Prices are in cents.',
        '\\ No newline at end of file',
        '+// Prices are in cents. Typed by hand.',
        '\\ No newline at end of file',
      ].join('\n'),
    });
    assert.equal(
      await window.card('Edit unsaved.ts').locator('.tool-summary').innerText(),
      'Accepted with your changes.',
    );
  });

  it('is accepted by keyboard with the typed text, saved or not', async () => {
    const { workbench } = window;
    await window.ask('Fix the total', edits('keyboard.ts'), says('Done by keyboard.'));
    assert.deepEqual(await proposal(), [pricing, corrected]);
    await typeIntoProposal('// Draft one.');
    await saveDraft();
    assert.equal(await window.read('keyboard.ts'), pricing);
    await workbench.page.keyboard.type(' Two.');
    await acceptByKey();
    await window.untilAnswered('Done by keyboard.');
    assert.equal(await window.read('keyboard.ts'), `${corrected}// Draft one. Two.`);
    await untilClosed();
    await workbench.openFile('keyboard.ts');
    await workbench.untilEditorShows(`${corrected}// Draft one. Two.`);
    assert.match((await toolResult(2))?.content ?? '', /\+\/\/ Draft one\. Two\.\n/);
  });

  it('is accepted from the card after its diff was closed and reopened', async () => {
    const { workbench } = window;
    await window.ask('Fix the total', edits('card.ts'), says('Done from the card.'));
    await proposal();
    await typeIntoProposal('// Kept.');
    await saveDraft();
    await workbench.runCommand('View: Close Editor');
    await untilClosed();
    await window.answerWith('Open Diff');
    assert.deepEqual(await proposal(), [pricing, `${corrected}// Kept.`]);
    await window.button('Accept').click();
    await window.untilAnswered('Done from the card.');
    assert.equal(await window.read('card.ts'), `${corrected}// Kept.`);
    await untilClosed();
    await workbench.openFile('card.ts');
    await workbench.untilEditorShows(`${corrected}// Kept.`);
  });

  it('reports no changes of the user to the model when nothing was typed', async () => {
    await window.ask('Fix the total', edits('plain.ts'), says('As proposed.'));
    await proposal();
    await window.button('Accept').click();
    await window.untilAnswered('As proposed.');
    assert.equal(await window.read('plain.ts'), corrected);
    assert.equal((await toolResult(2))?.content, 'Edited plain.ts (+1 -1 lines).');
    await untilClosed();
    assert.deepEqual(await window.workbench.tabs(), []);
  });

  it('changes nothing when rejected with a reason on the card', async () => {
    await window.ask('Fix the total', edits('denied.ts'), says('I will use reduce.'));
    await proposal();
    await typeIntoProposal('// Thrown away.');
    await window.answerWith('Reject with Reason…');
    await window.panel.getByLabel('Reason for the model (optional)').fill('Use reduce instead');
    await window.button('Reject').click();
    await window.untilAnswered('I will use reduce.');
    assert.equal(await window.read('denied.ts'), pricing);
    assert.match((await toolResult(2))?.content ?? '', /Use reduce instead/);
    assert.equal(
      await window.card('Edit denied.ts').locator('.tool-summary').innerText(),
      'Rejected: Use reduce instead',
    );
    await untilClosed();
  });

  it('is rejected with a reason from the editor title and by keyboard', async () => {
    const { workbench } = window;
    const input = workbench.page.locator('.quick-input-widget input[placeholder="Reason for the model (optional)"]');
    await window.ask('Fix the total', edits('rejected.ts'), edits('rejected.ts'), says('I stop.'));
    await proposal();
    await titleButton('Reject Proposed Edit').click();
    await input.fill('Not like this');
    await workbench.page.keyboard.press('Enter');
    assert.match((await toolResult(2))?.content ?? '', /Not like this/);
    await window.button('Accept').waitFor();
    await proposal();
    await workbench.editor('modified').locator('.view-line').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+Shift+Backspace');
    // Escape closes the input without a decision.
    await input.waitFor();
    await workbench.page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
    assert.equal(await window.button('Accept').isEnabled(), true);
    await workbench.editor('modified').locator('.view-line').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+Shift+Backspace');
    await input.fill('Nor like that');
    await workbench.page.keyboard.press('Enter');
    await window.untilAnswered('I stop.');
    assert.match((await toolResult(3))?.content ?? '', /Nor like that/);
    assert.equal(await window.read('rejected.ts'), pricing);
    await untilClosed();
  });

  it('creates a file only when accepted', async () => {
    const creates: Turn = {
      toolCalls: [{ name: 'write_file', arguments: { path: 'new/deep/made.txt', content: 'made\n' } }],
    };
    const file = path.join(window.folder, 'new');
    await window.ask('Make a file', creates, creates, says('It is there.'));
    assert.deepEqual((await proposal())[1], 'made\n');
    await window.answerWith('Reject with Reason…');
    await window.button('Reject').click();
    await window.request(2);
    assert.equal(existsSync(file), false);
    await window.button('Accept').click();
    await window.untilAnswered('It is there.');
    assert.equal(await window.read('new/deep/made.txt'), 'made\n');
    assert.equal((await toolResult(3))?.content, 'Created new/deep/made.txt (+1 -0 lines).');
  });

  it('whose new text alone has marks goes back to the model before anybody is asked', async () => {
    const line = '  for (const price of prices) sum = price;';
    const fenced = `\`\`\`ts\n${line.replace('=', '+=')}\n\`\`\``;
    await window.ask('Fix the total', edits('fenced.ts', line, fenced), edits('fenced.ts'), says('Fixed.'));
    assert.deepEqual(await proposal(), [pricing, corrected]);
    assert.match((await toolResult(2))?.content ?? '', /a code fence/);
    assert.equal(await window.button('Accept').count(), 1);
    await window.workbench.screenshot('e2e-edit-with-marks');
    await window.button('Accept').click();
    await window.untilAnswered('Fixed.');
    assert.equal(await window.read('fenced.ts'), corrected);
  });

  it('of a protected file is accepted by its buttons only', async () => {
    const { workbench } = window;
    await window.ask('Run it', edits('.vscode/tasks.json', '"tasks": []', '"tasks": [{}]'), says('It runs.'));
    await proposal();
    await workbench.editor('modified').locator('.view-line').first().click();
    const refused = workbench.page.getByText('so no key accepts the edit');
    await pressAccept(async () => (await refused.count()) > 0);
    await workbench.notification('so no key accepts the edit');
    await workbench.hideNotifications();
    assert.equal(await window.read('.vscode/tasks.json'), tasks);
    await titleButton('Accept Proposed Edit').click();
    await window.untilAnswered('It runs.');
    assert.equal(await window.read('.vscode/tasks.json'), tasks.replace('[]', '[{}]'));
  });

  it('keeps line ends, byte order mark and trailing spaces, also in a proposal that was typed into', async () => {
    await window.ask('Change it', edits('windows.txt', 'second', 'zweite'), says('Changed.'));
    assert.deepEqual(await proposal(), ['first  \nsecond\n    third', 'first  \nzweite\n    third']);
    await typeIntoProposal(' and more');
    await acceptByKey();
    await window.untilAnswered('Changed.');
    assert.equal(await window.read('windows.txt'), '\uFEFFfirst  \r\nzweite\r\n\tthird and more');
  });

  it('changes the open editor in one undo step', async () => {
    const { workbench } = window;
    await workbench.openFile('undone.ts');
    await window.ask('Fix the total', edits('undone.ts'), says('Applied.'));
    await proposal();
    await window.button('Accept').click();
    await window.untilAnswered('Applied.');
    await untilClosed();
    await workbench.untilEditorShows(corrected);
    await workbench.editor().locator('.view-line').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+z');
    await workbench.untilEditorShows(pricing);
    await workbench.page.keyboard.press('ControlOrMeta+s');
    await workbench.until('that is saved', async () => (await window.read('undone.ts')) === pricing);
  });

  it('is not applied when the file was typed into after the proposal', async () => {
    const { workbench } = window;
    await workbench.openFile('typed.ts');
    await window.ask('Fix the total', edits('typed.ts'), says('I read it again.'));
    await proposal();
    await workbench.openFile('typed.ts');
    await workbench.editor().locator('.view-line').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+End');
    await workbench.page.keyboard.type('// Mine.');
    await window.button('Accept').click();
    await window.untilAnswered('I read it again.');
    assert.match((await toolResult(2))?.content ?? '', /Nothing was written/);
    assert.equal(await window.read('typed.ts'), pricing);
    await workbench.untilEditorShows(`${pricing}// Mine.`);
    await workbench.page.locator('.tabs-container .tab.active.dirty').waitFor();
    await workbench.runCommand('File: Save');
    await workbench.until('that is saved', async () => (await window.read('typed.ts')) === `${pricing}// Mine.`);
  });

  it('replaces a whole file and keeps its line ends', async () => {
    const rewrites: Turn = {
      toolCalls: [{ name: 'write_file', arguments: { path: 'whole.txt', content: 'new\nlines\n' } }],
    };
    await window.ask('Rewrite it', rewrites, says('Rewritten.'));
    assert.deepEqual(await proposal(), ['old\nlines\n', 'new\nlines\n']);
    await window.button('Accept').click();
    await window.untilAnswered('Rewritten.');
    assert.equal(await window.read('whole.txt'), 'new\r\nlines\r\n');
  });

  it('is accepted on a card that leaves out lines only after its diff was opened', async () => {
    const content = Array.from({ length: 1500 }, (_, line) => `line ${line}\n`).join('');
    const writes: Turn = { toolCalls: [{ name: 'write_file', arguments: { path: 'long.txt', content } }] };
    await window.ask('Write it', writes, says('Written.'));
    await window.panel.getByText(/\d+ lines are not shown on this card\./).waitFor();
    assert.equal(await window.button('Accept').isDisabled(), true);
    await window.workbench.screenshot('e2e-edit-cut');
    await window.button('Open Diff').click();
    await window.button('Accept').click();
    await window.untilAnswered('Written.');
    assert.equal(await window.read('long.txt'), content);
  });

  it('does not overwrite a file that changed on disk after the proposal', async () => {
    await window.ask('Fix the total', edits('stale.ts'), says('I read it again.'));
    await proposal();
    await window.write('stale.ts', '// Somebody else.\n');
    await window.button('Accept').click();
    await window.untilAnswered('I read it again.');
    assert.equal(await window.read('stale.ts'), '// Somebody else.\n');
    assert.match(
      (await toolResult(2))?.content ?? '',
      /^stale\.ts was changed by someone else in the meantime\. Nothing was written\./,
    );
    assert.match(await window.card('Edit stale.ts').locator('.tool-summary').innerText(), /Nothing was written/);
    await untilClosed();
  });

  it('closes its diff when the run is stopped', async () => {
    await window.ask('Fix the total', edits('stopped.ts'));
    await proposal();
    await typeIntoProposal('// Thrown away.');
    await window.button('Stop').click();
    await untilClosed();
    await window.untilIdle();
    assert.equal(await window.read('stopped.ts'), pricing);
    assert.equal(
      await window.card('Edit stopped.ts').locator('.tool-summary').innerText(),
      'Stopped before it was approved.',
    );
  });

  it('waits in its session until the person reopens the session', async () => {
    const { workbench } = window;
    const gate = createGate();
    await window.ask(
      'Fix it later',
      { text: ['Thinking. ', gate, 'Here it is.'], toolCalls: [edit('later.ts')] },
      says('Later has come.'),
    );
    await gate.reached;
    await window.newSession();
    gate.open();
    // The command is available while any proposal exists. No proposal is open here, so it accepts nothing.
    await workbench.runCommand('Open Agent: Accept Proposed Edit');
    await workbench.notification('No proposed edit is open in the editor');
    await workbench.hideNotifications();
    assert.deepEqual(await workbench.tabs(), []);
    await window.button('Past Sessions').click();
    await window.panel.getByRole('button', { name: /^Fix it later/ }).click();
    await window.button('Accept').waitFor();
    assert.deepEqual(await workbench.tabs(), []);
    await window.answerWith('Open Diff');
    assert.deepEqual(await proposal(), [pricing, corrected]);
    await acceptByKey();
    await window.untilAnswered('Later has come.');
    assert.equal(await window.read('later.ts'), corrected);
  });

  it('builds on the result of the edit before it', async () => {
    const both: Turn = { toolCalls: [edit('twice.ts'), edit('twice.ts', 'let sum = 0', 'let sum = 1')] };
    await window.ask('Fix it twice', both, says('Both are in.'));
    assert.deepEqual(await proposal(), [pricing, corrected]);
    await window.button('Accept').click();
    const second = corrected.replace('let sum = 0', 'let sum = 1');
    await window.workbench.until(
      'the second proposal is shown',
      async () => (await window.workbench.editorText('modified')) === second,
    );
    assert.deepEqual(await proposal(), [corrected, second]);
    await window.button('Accept').click();
    await window.untilAnswered('Both are in.');
    assert.equal(await window.read('twice.ts'), second);
  });
});
