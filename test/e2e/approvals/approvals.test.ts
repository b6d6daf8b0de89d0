import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

const npm = (where: { readonly cwd?: string } = {}) => ({
  toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'npm --version', ...where } }],
});
const npmVersion = npm();

describe('approvals in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'src/a.ts': 'export const a = 1;\n', 'src/b.ts': 'export const b = 1;\n', 'package.json': '{}\n' },
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);
  const edit = (path: string, oldText: string, newText: string) => ({
    name: 'apply_edit',
    arguments: { path, edits: [{ old_text: oldText, new_text: newText }] },
  });

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('remembers an allowed command, runs it without asking, and lists and removes its rule', async () => {
    await window.ask('Which npm?', npmVersion, { text: 'First.' });
    await window.button('More Answers').click();
    await window.panel.getByText('Allows exactly npm --version in the workspace folder.').first().waitFor();
    await window.workbench.screenshot('e2e-always-allow');
    await window.panel.getByRole('menuitem', { name: 'Always in This Workspace' }).click();
    await window.untilAnswered('First.');

    await window.ask('And in another session?', npmVersion, { text: 'Second.' });
    await window.untilAnswered('Second.');
    assert.match(String((await window.request(2)).body.messages.at(-1)?.content), /^Exit code 0\./);

    // The rule holds in the folder that it names.
    await window.ask('And in src?', npm({ cwd: 'src' }), { text: 'In src.' });
    await window.button('More Answers').click();
    await window.panel.getByText('Allows exactly npm --version in src.').first().waitFor();
    await window.workbench.page.keyboard.press('Escape');
    await window.button('Deny').click();
    await window.untilAnswered('In src.');

    await window.workbench.startCommand('Open Agent: Manage Allowed Commands…');
    const rows = window.workbench.page.locator('.quick-input-widget .monaco-list-row');
    await rows.getByText('npm --version', { exact: true }).waitFor();
    await window.workbench.screenshot('e2e-manage-rules');
    await rows.getByText('npm --version', { exact: true }).click();
    await rows.getByText('There are no rules yet', { exact: true }).waitFor();
    await window.workbench.page.keyboard.press('Escape');

    await window.ask('And now?', npmVersion, { text: 'Third.' });
    await window.answerWith('Deny with Reason…');
    await window.button('Deny').click();
    await window.untilAnswered('Third.');
  });

  it('accepts all edits of a run, still asks about a manifest, and offers a review afterwards', async () => {
    await window.ask(
      'Change both',
      { toolCalls: [edit('src/a.ts', 'a = 1', 'a = 2')] },
      { toolCalls: [edit('src/b.ts', 'b = 1', 'b = 2')] },
      { toolCalls: [edit('package.json', '{}', '{ "private": true }')] },
      { text: 'Changed.' },
    );
    await window.answerWith('Accept All Edits of This Run');
    await window.panel.getByText('package.json decides what is built', { exact: false }).waitFor();
    await window.workbench.screenshot('e2e-accept-all-manifest');
    await window.answerWith('Reject with Reason…');
    await window.button('Reject').click();
    await window.untilAnswered('Changed.');
    assert.deepEqual(
      [await window.read('src/a.ts'), await window.read('src/b.ts'), await window.read('package.json')],
      ['export const a = 2;\n', 'export const b = 2;\n', '{}\n'],
    );
    const notice = chat.notices.filter({ hasText: 'without asking' });
    assert.match(
      await notice.innerText(),
      /Changed 2 files: \+2 −2\.\s+src\/a\.ts \+1 −1\s+src\/b\.ts \+1 −1, without asking/,
    );
    await notice.getByRole('button', { name: 'Review' }).click();
    await window.workbench.page.locator('.multiDiffEntry').first().waitFor();
    await window.workbench.screenshot('e2e-review');
    await notice.getByRole('button', { name: 'Keep' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  it('asks again in the next run', async () => {
    await window.ask('Once more', { toolCalls: [edit('src/a.ts', 'a = 2', 'a = 3')] }, { text: 'Denied.' });
    await window.button('More Answers').click();
    await window.panel.getByRole('menuitem', { name: 'Accept All Edits of This Run' }).waitFor();
    await window.workbench.page.keyboard.press('Escape');
    await window.answerWith('Reject with Reason…');
    await window.button('Reject').click();
    await window.untilAnswered('Denied.');
    assert.equal(await window.read('src/a.ts'), 'export const a = 2;\n');
  });

  it('asks in "accept edits" mode about protected files, and about allowed commands after unseen edits', async () => {
    await window.workbench.updateSettings({
      'openAgent.permissionMode': 'acceptEdits',
      'openAgent.rules.allow': ['npm --version'],
    });
    await chat.show();
    // Each can run programs or hold secrets.
    const names = ['.vscode/tasks.json', '.pylintrc', 'wdio.conf.js', 'SConstruct', 'infra/prod.tfvars', 'prod.env'];
    await window.ask(
      'Change and run',
      { toolCalls: [edit('src/a.ts', 'a = 2', 'a = 4')] },
      npmVersion,
      { toolCalls: names.map((path) => ({ name: 'write_file', arguments: { path, content: '{}' } })) },
      { text: 'Asked twice.' },
    );
    await window.panel.getByText('you have not seen what the agent changed in src/a.ts', { exact: false }).waitFor();
    await window.workbench.screenshot('e2e-unseen-edits');
    await window.button('Run').click();
    await window.panel.getByText('.vscode/tasks.json can run programs', { exact: false }).waitFor();
    await window.workbench.screenshot('e2e-protected-accept-edits');
    for (const name of names) {
      const reject = window.card(`Create ${name}`).getByRole('button', { name: 'Reject', exact: true });
      await reject.click();
      // The cards above get lower when they are answered, and a click during this can miss.
      await window.workbench.until(`${name} is rejected`, async () => {
        if ((await reject.count()) === 0) return true;
        await reject.click({ timeout: 1_000 }).catch(() => {});
        return false;
      });
    }
    await window.untilAnswered('Asked twice.');

    await chat.notices.getByRole('button', { name: 'Review' }).click();
    await window.workbench.page.locator('.multiDiffEntry').first().waitFor();
    await window.ask('Run it again', npmVersion, { text: 'Unasked.' });
    await window.untilAnswered('Unasked.');
  });

  it('does not run what a rule denies that was added while the question was open', async () => {
    const toolCalls = [{ name: 'run_terminal_command', arguments: { command: 'touch late.txt' } }];
    await window.ask('Touch it', { toolCalls }, { text: 'Not allowed.' });
    await window.button('Run').waitFor();
    await window.workbench.updateSettings({ 'openAgent.rules.deny': ['touch late.txt'] });
    await chat.show();
    await window.button('Run').click();
    await window.untilAnswered('Not allowed.');
    await window.workbench.screenshot('e2e-late-rule');
    assert.match(String((await window.request(2)).body.messages.at(-1)?.content), /touch late\.txt/);
    await assert.rejects(window.read('late.txt'));
  });

  it('says that a rule can match nothing, and what to write instead', async () => {
    await window.workbench.updateSettings({ 'openAgent.rules.deny': ['tool:mcp__github', 'edit:src\\a.ts'] });
    await chat.show();
    const says = (text: string) => window.panel.getByText(text, { exact: false }).first();
    await says('Write "tool:mcp__github__*" for all its tools. Until then every tool asks.').waitFor();
    await says(
      'has a backslash. Separate folders with /, such as "edit:docs/**". Until then every edit asks.',
    ).waitFor();
    await window.workbench.screenshot('e2e-rule-matches-nothing');
    window.expect();
  });
});
