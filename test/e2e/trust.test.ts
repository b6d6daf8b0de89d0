import assert from 'node:assert/strict';
import { useChatWindow } from '../support/chatWindow';
import type { Turn } from '../support/modelServer';

const source = 'export const answer = 41;\n';

describe('an untrusted workspace in the VS Code window', function () {
  this.timeout(120_000);
  const window = useChatWindow({ files: { 'src/answer.ts': source }, workspaceTrust: true });

  const reads: Turn = { toolCalls: [{ name: 'read_file', arguments: { path: 'src/answer.ts' } }] };
  const toolResult = async (request: number) => (await window.request(request)).body.messages.at(-1)?.content ?? '';

  it('lets one chat and explain, and runs no tool', async () => {
    const { workbench } = window;
    await window.ask('What is the answer?', reads, { text: 'I may not look.' });
    await window.untilAnswered('I may not look.');
    assert.match(await toolResult(2), /This workspace is not trusted/);
    assert.doesNotMatch(await toolResult(2), /41/);
    await window.panel.getByText('This workspace is not trusted: Open Agent').first().waitFor();
    await workbench.screenshot('e2e-untrusted');

    window.expect({ text: 'A constant.' });
    await workbench.openFile('src/answer.ts');
    await workbench.selectText('answer = 41');
    await workbench.page.keyboard.press('ControlOrMeta+k');
    await workbench.page.keyboard.press('x');
    await window.untilAnswered('A constant.');
    assert.match((await window.request(1)).body.messages.at(-1)?.content ?? '', /export const answer = 41;/);
  });

  it('reads and proposes edits once it is trusted, without a reload', async () => {
    const { workbench } = window;
    await window.button('Manage Trust').click();
    await workbench.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await window.panel.getByText('This workspace is not trusted: Open Agent').waitFor({ state: 'detached' });
    await window.ask('What is the answer?', reads, { text: 'It is 41.' });
    await window.untilAnswered('It is 41.');
    assert.match(await toolResult(2), /export const answer = 41;/);
  });
});
