import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('edits of protected files in the VS Code window', () => {
  const window = useChatWindow({
    files: { '.env': 'TOKEN=s3cr3t\nMODE=dev\n' },
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);
  const edit = (oldText: string, newText: string) => ({
    toolCalls: [{ name: 'apply_edit', arguments: { path: '.env', edits: [{ old_text: oldText, new_text: newText }] } }],
  });
  const question = () =>
    window.panel.getByText('.env may hold secrets, so looking at it to plan an edit asks first.', { exact: false });
  const answerOfTool = async (number: number) => String((await window.request(number)).body.messages.at(-1)?.content);

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('ask to look at the file first, whether the quote is right or wrong', async () => {
    const told: string[] = [];
    for (const quote of ['MODE=dev', 'MODE=live']) {
      await window.ask(`Change ${quote}`, edit(quote, 'MODE=test'), { text: `No ${quote}.` });
      await question().waitFor();
      assert.equal(await window.panel.getByText('s3cr3t', { exact: false }).count(), 0);
      await window.workbench.screenshot('e2e-protected-read');
      await window.answerWith('Deny with Reason…');
      await window.button('Deny').click();
      await window.untilAnswered(`No ${quote}.`);
      told.push(await answerOfTool(2));
    }
    assert.equal(told[0], told[1]);
    assert.match(told[0] ?? '', /denied/);
  });

  it('show the edit after that, and do not ask to look again in the same run', async () => {
    await window.ask('Change it', edit('MODE=live', 'MODE=test'), edit('MODE=dev', 'MODE=test'), { text: 'Changed.' });
    await question().waitFor();
    await window.button('Read').click();
    // The wrong quote is told now, and the next edit comes with its change.
    await window.panel.getByText('.env can run programs or hold secrets, so changing it always asks').waitFor();
    await window.workbench.screenshot('e2e-protected-edit');
    assert.match(await answerOfTool(2), /TOKEN=s3cr3t|MODE=dev/);
    await window.button('Accept').click();
    await window.untilAnswered('Changed.');
    assert.equal(await window.read('.env'), 'TOKEN=s3cr3t\nMODE=test\n');
  });
});
