import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('attachments of a prompt in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      'src/answer.ts': 'export const answer = 41;\n',
      'src/answers.ts': '',
      '.env': 'KEY=secret\n',
      'AGENTS.md': 'Answer in one word.\n',
    },
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);
  const dialog = () => window.workbench.page.locator('.monaco-dialog-box');
  const sent = async (request: number) => String((await window.request(request)).body.messages.at(-1)?.content);
  const attached = async (): Promise<readonly string[]> =>
    window.panel.getByRole('list', { name: 'Attached' }).last().getByRole('listitem').allInnerTexts();

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it("include a file completed while its name is typed, and the project's rules with the first prompt", async () => {
    window.expect({ text: 'Wrong.' });
    await chat.composer.fill('Is this right: ');
    await chat.composer.pressSequentially('@answ');
    await window.panel.getByRole('option', { name: '@src/answer.ts' }).waitFor();
    await window.workbench.screenshot('e2e-mentions');
    await chat.composer.press('Enter');
    assert.equal(await chat.composer.inputValue(), 'Is this right: @src/answer.ts ');
    await chat.composer.press('Enter');
    await window.untilAnswered('Wrong.');
    assert.match(
      await sent(1),
      /AGENTS\.md in the repository[^]*Answer in one word\.[^]*src\/answer\.ts \(1 line\):\nexport const answer = 41;\n[^]*Is this right: @src\/answer\.ts$/,
    );
    assert.deepEqual(await attached(), ['AGENTS.md', 'src/answer.ts']);
    await window.workbench.screenshot('e2e-mentions-sent');
  });

  it('include a file with secrets only after the person agrees; else the prompt is not sent', async () => {
    await chat.composer.fill('Read @.env');
    await chat.composer.press('Enter');
    await dialog().getByText('Send .env to the model?').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await window.panel.getByText('.env may hold secrets and you did not agree to send it.', { exact: false }).waitFor();
    assert.equal(await chat.composer.inputValue(), 'Read @.env');
    window.expect({ text: 'A key.' });
    await chat.composer.press('Enter');
    await dialog().getByRole('button', { name: 'Send It' }).click();
    await window.untilAnswered('A key.');
    assert.match(await sent(1), /^Named in the prompt\.[^]*KEY=secret/);
  });
});

describe('Add to Open Agent in the VS Code window', () => {
  const window = useChatWindow({ files: { 'src/one.ts': 'export const one = 1;\n', 'two.md': 'a\nb\nc\n' } });
  const composer = () => window.panel.getByLabel('Message to Open Agent');
  const untilTyped = (text: string) =>
    window.workbench.until(`the field says ${text}`, async () => (await composer().inputValue()) === text);

  it('names files of the explorer and selected lines in the field, and sends nothing', async () => {
    const file = window.workbench.page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: 'two.md' });
    await window.workbench.contextMenu(file, 'Add to Open Agent');
    await untilTyped('@two.md ');
    await window.workbench.openFile('two.md');
    await window.workbench.selectLines(2, 3);
    await window.workbench.runCommand('Open Agent: Add to Open Agent');
    await untilTyped('@two.md @two.md:2-3 ');
    window.expect({ text: 'Letters.' });
    await composer().press('Enter');
    await window.untilAnswered('Letters.');
    assert.deepEqual(await window.panel.locator('.context-labels li').allInnerTexts(), ['two.md', 'two.md:2-3']);
  });
});
