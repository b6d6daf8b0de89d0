import assert from 'node:assert/strict';
import { createGate } from '../../support/servers/modelServer';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('rounds of repair in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'src/a.ts': 'export const old: string = 0;\nexport const total: number = 1;\n', 'tsconfig.json': '{}\n' },
    modelServer: { models: ['coder-7b'] },
    settings: { 'openAgent.permissionMode': 'acceptEdits', 'openAgent.checks': 'problems' },
  });
  const chat = new Chat(() => window.workbench);
  const edit = (oldText: string, newText: string) => ({
    toolCalls: [
      { name: 'apply_edit', arguments: { path: 'src/a.ts', edits: [{ old_text: oldText, new_text: newText }] } },
    ],
  });

  it("tell the model the errors of VS Code's own TypeScript server, and show the round", async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
    await window.workbench.openFile('src/a.ts');
    // The language server has answered.
    const errors = window.workbench.page.locator('.monaco-editor .squiggly-error');
    await errors.first().waitFor();
    const gate = createGate();
    await window.ask('Make it two', edit('= 1', "= 'two'"), { text: ['All is fine.', gate] }, edit("= 'two'", '= 2'), {
      text: 'Mended.',
    });
    // The model answers when the editor shows the error.
    await errors.nth(1).waitFor();
    gate.open();
    await window.untilAnswered('Mended.');
    const told = String((await window.request(3)).body.messages.at(-1)?.content);
    assert.equal(
      told,
      [
        'Round 1 of 3: One error is new in the files that you edited.',
        'src/a.ts:',
        "line 2: error: Type 'string' is not assignable to type 'number'. (ts)",
        'Fix this, or say why it should stay.',
      ].join('\n'),
    );
    await chat.notices.filter({ hasText: 'Told the model: Round 1 of 3' }).waitFor();
    assert.equal(await window.read('src/a.ts'), 'export const old: string = 0;\nexport const total: number = 2;\n');
    await window.workbench.screenshot('repair-rounds');
  });

  it('that make it worse are offered to be taken back', async () => {
    const errors = window.workbench.page.locator('.monaco-editor .squiggly-error');
    const [first, second] = [createGate(), createGate()];
    const before = 'export const old: string = 0;\nexport const total: number = 2;\n';
    assert.equal(await window.read('src/a.ts'), before);
    await window.ask(
      'Make it three',
      edit('= 2', "= 'three'"),
      { text: ['Done.', first] },
      // The round that should mend it.
      edit("= 'three';", "= 'three';\nexport const more: number = 'x';\nexport const most: number = 'y';"),
      { text: ['Mended.', second] },
      { text: 'I leave it.' },
      { text: 'It stays so.' },
    );
    await errors.nth(1).waitFor();
    first.open();
    await errors.nth(3).waitFor();
    second.open();
    await window.untilAnswered('It stays so.');
    const worse = chat.notices.filter({ hasText: 'Errors grew from 1 to 3 since round 1 of the repair began.' });
    await worse.waitFor();
    await window.workbench.screenshot('repair-worse');
    // The offer is on file.
    await window.workbench.reload();
    await window.workbench.showChat();
    await worse.getByRole('button', { name: 'Undo Repair' }).press('Enter');
    await chat.notices.getByText('Restored to how they were before the repair', { exact: false }).waitFor();
    // The edit that the person asked for stays.
    await window.workbench.until(
      'the rounds are undone',
      async () => (await window.read('src/a.ts')) === before.replace('= 2', "= 'three'"),
    );
  });
});
