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
      'CLAUDE.md': 'Answer in one word.\n\nBe kind.\n',
      '.claude/skills/poem/SKILL.md': '---\ndescription: Write a poem\n---\nRhyme.\n',
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
      /AGENTS\.md in the repository[^]*Answer in one word\.[^]*CLAUDE\.md in the repository.*\n```\nBe kind\.\n```\n\nSkills of this project[^]*\n\.claude\/skills\/poem\/SKILL\.md: poem: Write a poem\n```[^]*src\/answer\.ts \(1 line\):\nexport const answer = 41;\n[^]*Is this right: @src\/answer\.ts$/,
    );
    assert.deepEqual(
      (await attached()).map((text) =>
        text
          .replaceAll(/\s+/g, ' ')
          .replace(/\d+ tokens/, 'N tokens')
          .trim(),
      ),
      ['AGENTS.md N tokens', 'CLAUDE.md N tokens', '1 skill N tokens', 'src/answer.ts'],
    );
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
    const chips = window.panel.getByRole('list', { name: 'Goes with the message' }).getByRole('listitem');
    const shown = async () => (await chips.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
    await window.workbench.until('both are chips', async () => (await chips.count()) === 2);
    assert.deepEqual(await shown(), ['two.md 3 lines, 21 tokens', 'two.md:2-3 22 tokens']);
    await window.workbench.screenshot('e2e-context-chips');
    await window.panel.getByRole('button', { name: 'Remove two.md', exact: true }).click();
    await untilTyped('@two.md:2-3 ');
    await window.workbench.untilStored('"openAgent.draft":"@two.md:2-3 "');
    await window.workbench.reload();
    await window.workbench.showChat();
    await window.workbench.until('the chip is back', async () => (await chips.count()) >= 1);
    assert.equal((await shown())[0], 'two.md:2-3 22 tokens');
    window.expect({ text: 'Letters.' });
    await composer().press('Enter');
    await window.untilAnswered('Letters.');
    assert.deepEqual(await window.panel.locator('.context-labels li').allInnerTexts(), ['two.md:2-3']);
  });

  it('names the file of a tab', async () => {
    await window.workbench.openFile('two.md');
    await window.workbench.contextMenu(
      window.workbench.page.locator('.tab').filter({ hasText: 'two.md' }).first(),
      'Add to Open Agent',
    );
    await untilTyped('@two.md ');
    await composer().fill('');
  });

  it('offers the selected lines, which are sent only once the person has added them', async () => {
    await window.workbench.openFile('src/one.ts');
    await window.workbench.selectLines(1, 1);
    const offer = window.panel.getByRole('button', { name: 'Add the selection, one.ts:1' });
    await offer.waitFor();
    await window.workbench.screenshot('e2e-context-offer');
    await window.ask('Hello', { text: 'Hi.' });
    await window.untilAnswered('Hi.');
    assert.doesNotMatch(JSON.stringify((await window.request(1)).body.messages), /export const one/);
    await offer.click();
    await untilTyped('@src/one.ts:1 ');
    window.expect({ text: 'One.' });
    await composer().press('Enter');
    await window.untilAnswered('One.');
    assert.match(String((await window.request(1)).body.messages.at(-1)?.content), /export const one = 1;/);
  });

  it('lists the open editors first, and sends what is selected for @selection', async () => {
    await composer().fill('');
    await composer().pressSequentially('@');
    const options = window.panel.getByRole('option');
    await window.panel.getByRole('option', { name: '@src/one.ts' }).waitFor();
    assert.deepEqual((await options.allInnerTexts()).slice(0, 5), [
      '@selection The lines selected in the editor',
      '@problems Errors and warnings of the workspace',
      '@changes Uncommitted changes. After @changes: comes a branch or commit',
      '@terminal The newest commands of the terminal, with output',
      '@src/one.ts open',
    ]);
    await composer().fill('Why @selection?');
    window.expect({ text: 'So.' });
    await composer().press('Escape');
    await composer().press('Enter');
    await window.untilAnswered('So.');
    assert.match(
      String((await window.request(1)).body.messages.at(-1)?.content),
      /^Selected in src\/one\.ts, line 1:\n```typescript\nexport const one = 1;\n```\n\nWhy @selection\?$/,
    );
  });
});
