import assert from 'node:assert/strict';
import { open, readFile, stat } from 'node:fs/promises';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';
import { extensionHostsOf } from '../support/extensionHosts';
import { sessionFileWith } from '../support/sessionFiles';

const MEGABYTE = 1024 * 1024;
/** A prompt and an answer each. */
const TURNS = 20_000;

type Line = Readonly<Record<string, unknown>> & { readonly id: string; readonly seq: number };

/** Appends a line of 300 MB and many turns like the first one to a session file. Returns its size. */
async function grow(file: string): Promise<number> {
  const lines = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const like = (type: string): Line => lines.find((line) => line['type'] === type) ?? assert.fail(`no ${type}`);
  const [user, assistant] = [like('user_message'), like('assistant_message')];
  const last = lines.at(-1) ?? assert.fail('an empty file');
  const handle = await open(file, 'a');
  try {
    await handle.write('{"v":1,"text":"');
    for (let count = 0; count < 300; count += 1) await handle.write('x'.repeat(MEGABYTE));
    await handle.write('"}\n');
    let [parentId, seq] = [last.id, last.seq];
    let text = '';
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const entry of [user, assistant]) {
        const id = `grown-${(seq += 1)}`;
        text += `${JSON.stringify({ ...entry, id, parentId, seq })}\n`;
        parentId = id;
      }
      if (text.length < MEGABYTE && turn + 1 < TURNS) continue;
      await handle.write(text);
      text = '';
    }
  } finally {
    await handle.close();
  }
  return (await stat(file)).size;
}

/** The most memory that a process ever had, in megabytes. */
async function peakOf(pid: number): Promise<number> {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

describe('a session with a huge history in the VS Code window', function () {
  this.timeout(300_000);
  const window = useChatWindow({ files: { 'a.ts': 'let a = 1;\n' } });
  const chat = new Chat(() => window.workbench);

  it('is listed, shown and continued within bounded memory', async () => {
    const { serverDataDir } = window.workbench.server;
    await chat.show();
    window.expect({ text: 'An ordinary answer.' });
    await chat.send('An ordinary question');
    await chat.answers.getByText('An ordinary answer.').waitFor();
    await chat.untilIdle();
    const file = await sessionFileWith(serverDataDir, 'An ordinary question');
    const size = await grow(file);
    assert.ok(size > 305 * MEGABYTE, String(size));

    await window.workbench.reload();
    await chat.notices.getByText("of this session's file could not be read", { exact: false }).waitFor();
    await chat.answers.last().waitFor();
    await window.workbench.screenshot('e2e-huge-session');
    await chat.button('Past Sessions').click();
    const row = chat.frame.locator('.session-row').filter({ hasText: 'An ordinary question' });
    await row.waitFor();
    await row.locator('.session').click();
    await chat.title.filter({ hasText: 'An ordinary question' }).waitFor();

    // It is scrolled from end to end, and typed into on the way. Only the rows near the visible part are on the page.
    const conversation = chat.frame.getByRole('region', { name: 'Conversation' });
    const rows = conversation.getByRole('listitem');
    const rowAt = (place: number) => conversation.locator(`[aria-posinset="${place}"]`);
    await rows.last().waitFor();
    const count = Number(await rows.last().getAttribute('aria-setsize'));
    assert.ok(count > 2 * TURNS, String(count));
    await conversation.press('Home');
    await rowAt(1).waitFor();
    assert.deepEqual((await chat.promptTexts())[0], 'An ordinary question');
    await conversation.press('PageDown');
    await chat.composer.pressSequentially('A draft');
    assert.equal(await chat.composer.inputValue(), 'A draft');
    assert.ok((await rows.count()) < 100);
    await window.workbench.screenshot('e2e-huge-session-scrolled');
    await chat.button('Jump to Latest').click();
    await rowAt(count).waitFor();

    // The agent goes on in it: the conversation is summarised first.
    const edits = [{ old_text: 'a = 1', new_text: 'a = 2' }];
    window.expect(
      { text: 'Many ordinary questions were answered.' },
      { toolCalls: [{ name: 'apply_edit', arguments: { path: 'a.ts', edits } }] },
      { text: 'Done at last.' },
    );
    await chat.composer.fill('Change it');
    await chat.composer.press('Enter');
    await chat.button('Accept').click();
    await chat.answers.getByText('Done at last.').waitFor();
    await chat.untilIdle();
    assert.equal(await window.read('a.ts'), 'let a = 2;\n');
    await window.workbench.screenshot('e2e-huge-session-continued');
    const peaks = await Promise.all((await extensionHostsOf(serverDataDir)).map(peakOf));
    assert.ok(peaks.length > 0 && Math.max(...peaks) < 1_000, `the extension host took ${peaks.join(', ')} MB`);
  });
});
