import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('rounds of the check command in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'src/total.txt': 'good\n', 'check.sh': '! grep -q bad src/total.txt\n' },
    modelServer: { models: ['coder-7b'] },
    settings: { 'openAgent.permissionMode': 'acceptEdits', 'openAgent.checks': 'command' },
  });
  const chat = new Chat(() => window.workbench);
  const edit = (path: string) => ({
    toolCalls: [{ name: 'write_file', arguments: { path, content: 'one\n' } }],
  });
  const check = { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'sh check.sh' } }] };
  const field = () => window.workbench.page.locator('.quick-input-widget input');

  it('ask for the command once, keep it as a rule, and show the round and the result', async () => {
    const { workbench } = window;
    await chat.show();
    await chat.untilModel('coder-7b');
    await window.ask('Write it', edit('src/one.txt'), { text: 'All is checked.' }, check, { text: 'Now it is.' });
    await workbench.page.getByText('Which Command Checks the Work?').waitFor();
    await workbench.screenshot('check-command-asked');
    await field().fill('edit:**');
    await workbench.page.getByText('Write one whole command, such as npm test.').waitFor();
    await field().fill('sh check.sh');
    await workbench.page.keyboard.press('Enter');
    // The agent's edit was not seen, so the command asks in spite of its rule.
    await window.panel.getByRole('button', { name: 'Run', exact: true }).click();
    await window.untilAnswered('Now it is.');
    await chat.notices.filter({ hasText: 'Told the model: Round 1 of 3: the check has not run' }).waitFor();
    await chat.notices.filter({ hasText: 'Checks ran after the last change: sh check.sh, exit code 0.' }).waitFor();
    await workbench.screenshot('check-rounds');
    assert.match(
      String((await window.request(3)).body.messages.at(-1)?.content),
      /^Round 1 of 3: .*\nRun exactly this .*sh check\.sh\n/,
    );
    await workbench.startCommand('Open Agent: Manage Allowed Commands…');
    await workbench.page.locator('.quick-input-widget').getByText('sh check.sh').first().waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('do not ask again, and can be stopped', async () => {
    await window.ask('Write more', edit('src/two.txt'), { text: 'Done.' }, check);
    await window.panel.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await chat.notices.filter({ hasText: 'Told the model: Round 1 of 3' }).last().waitFor();
    await window.panel.getByRole('button', { name: 'Stop', exact: true }).click();
    await window.untilIdle();
    await chat.notices.filter({ hasText: 'No check ran' }).waitFor();
  });
});
