import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate, type Turn } from '../../support/servers/modelServer';
import { hostileMarkdown, unevenNesting } from '../../support/markdown/nestedMarkdown';
import { Chat } from '../support/chat';

describe('hostile text in the VS Code window', function () {
  this.timeout(180_000);
  const window = useChatWindow({ files: { 'a.ts': 'let a = 1;\n' }, modelServer: { models: ['coder-7b'] } });
  const chat = new Chat(() => window.workbench);
  const edit = (from: number, to: number): Turn => ({
    toolCalls: [
      {
        name: 'apply_edit',
        arguments: { path: 'a.ts', edits: [{ old_text: `a = ${from}`, new_text: `a = ${to}` }] },
      },
    ],
  });
  const runs = (command: string): Turn => ({ toolCalls: [{ name: 'run_terminal_command', arguments: { command } }] });

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('leaves Stop and the approvals working while deeply nested Markdown arrives, and after a reload', async () => {
    // The same blocks again and again are cut off.
    await window.ask('Nest evenly', { text: `Deep:\n\n${hostileMarkdown['mixed quotes and lists']}` });
    await chat.notices.getByText('kept repeating the same text', { exact: false }).waitFor();
    await chat.untilIdle();
    const text = unevenNesting();
    const gate = createGate();
    await window.ask('Nest', { text: ['Deep:\n\n', text.slice(0, 2_000), text.slice(2_000), gate, 'never'] });
    await gate.reached;
    await chat.answers.getByText('Deep:').waitFor();
    await chat.button('Stop').click();
    await chat.untilIdle();
    assert.equal(await (await window.request(1)).closed, 'broken');
    gate.open();
    await window.workbench.screenshot('e2e-nested-stopped');

    await window.workbench.reload();
    await chat.show();
    await chat.frame.locator('textarea:focus').waitFor();
    await chat.untilModel('coder-7b');
    await chat.answers.getByText('Deep:').waitFor();
    window.expect(edit(1, 2), edit(2, 3), { text: 'Half of it.' });
    await chat.send('Change it');
    await chat.button('Accept').click();
    await window.workbench.until('the edit is written', async () => (await window.read('a.ts')) === 'let a = 2;\n');
    await window.request(2);
    await chat.button('Reject').click();
    await window.untilAnswered('Half of it.');
    const { messages } = (await window.request(3)).body;
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
    assert.match(results.join('\n'), /^Edited a\.ts \(\+1 -1 lines\)\.\nThe call was denied\. Nothing was changed\./);
    assert.equal(await window.read('a.ts'), 'let a = 2;\n');
    await window.workbench.screenshot('e2e-nested-reloaded');
  });

  it('shows the hidden characters of a command before it runs, and no escape of its output', async () => {
    // Two links, a title, a device's answer, a private message, C1 forms of the same, a cleared screen, colours.
    const output = [
      String.raw`one\033]8;;https://evil.example\033\\two\033]8;;\033\\`,
      String.raw`\033Pq#0;2;0;0;0\033\\three\033_Gf=100;AAAA\033\\four\033^pm\033\\`,
      String.raw`\302\220q\302\234five\302\2332Jsix\033[2J\033[31mseven\033[0m`,
      String.raw`\342\200\256eight\342\200\213\363\240\201\201nine\n`,
    ].join('');
    const command = `printf '${output}' # \u202Eedit\u200B`;
    await window.ask('Print it', runs(command), { text: 'Printed.' });
    await chat.button('Run').waitFor();
    const shown = await chat.frame.locator('.approval .command, .tool .command').first().innerText();
    assert.ok(shown.includes('# <U+202E>edit<U+200B>'), shown);
    assert.doesNotMatch(shown, /[\u202E\u200B]/);
    await window.workbench.screenshot('e2e-hidden-characters-asked');
    await chat.button('Run').click();
    await window.untilAnswered('Printed.');
    const printed = (await chat.frame.locator('.tool .output').last().innerText()).trimEnd();
    assert.equal(printed, 'onetwothreefourfivesixseven<U+202E>eight<U+200B><U+E0041>nine');
    const result = String((await window.request(2)).body.messages.at(-1)?.content);
    assert.doesNotMatch(result, /[^\P{Cc}\n]/u);
    await window.workbench.screenshot('e2e-hidden-characters-output');
  });

  it('shows where a link to a look-alike of a host leads, before it is clicked', async () => {
    // Cyrillic and Greek letters, and a host of another script as a whole.
    const hosts = { '\u0430pple.com': 'xn--pple-43d.com', 'g\u03BF\u03BFgle.com': 'xn--ggle-0nda.com' };
    const text = Object.keys(hosts).map((host) => `[${host}](https://${host}/login)`);
    await window.ask('Where?', { text: text.join(' or ') });
    await window.untilIdle();
    const links = chat.answers.last().getByRole('link');
    await links.nth(1).waitFor();
    for (const [index, punycode] of Object.values(hosts).entries()) {
      const title = (await links.nth(index).getAttribute('title')) ?? '';
      assert.ok(title.includes(punycode), title);
      await links.nth(index).click();
      const dialog = window.workbench.page.locator('.monaco-dialog-box');
      await dialog.waitFor();
      assert.ok((await dialog.innerText()).includes(`It leads to https://${punycode}/login`), await dialog.innerText());
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await window.workbench.screenshot('e2e-look-alikes');
  });
});
