import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useChatWindow } from '../../support/window/chatWindow';

describe('instructions of the project in the VS Code window', () => {
  const home = path.join(tmpdir(), `open-agent-home-${process.pid}`);
  before(async () => {
    const skill = path.join(home, '.open-agent/skills/e2e-notes');
    await mkdir(skill, { recursive: true });
    await writeFile(path.join(skill, 'SKILL.md'), '---\ndescription: Write notes\n---\nNotes have dates.\n');
  });
  after(() => rm(home, { recursive: true, force: true }));

  const window = useChatWindow({
    env: { HOME: home },
    files: {
      'AGENTS.md': 'Answer in one word.\n',
      'CLAUDE.md': 'Be kind.\n',
      'packages/api/AGENTS.md': 'Never log tokens.\n',
      'packages/api/server.ts': 'export const port = 80;\n',
      '.claude/skills/poem/SKILL.md': '---\nname: poem\ndescription: Write a poem\n---\n',
    },
  });
  const list = (name: string) => window.panel.getByRole('list', { name }).first().getByRole('listitem');
  const words = async (name: string): Promise<readonly string[]> =>
    (await list(name).allInnerTexts()).map((text) =>
      text
        .replaceAll(/\s+/g, ' ')
        .replace(/\d+ tokens/, 'N tokens')
        .trim(),
    );
  const untilChips = (name: string, expected: readonly string[]): Promise<void> =>
    window.workbench.until(`${name}: ${expected.join(', ')}`, async () => {
      return JSON.stringify(await words(name)) === JSON.stringify(expected);
    });
  const userMessages = async (): Promise<readonly string[]> =>
    (await window.request(1)).body.messages.filter(({ role }) => role === 'user').map(({ content }) => String(content));

  it('are chips with their cost before the first message, switched off by a key, in this workspace', async () => {
    await window.newSession();
    await window.workbench.showChat();
    const all = ['AGENTS.md N tokens', 'CLAUDE.md N tokens', '1 skill N tokens', '1 skill of yours N tokens'];
    await untilChips('Goes with the message', all);
    await window.workbench.screenshot('e2e-instructions');
    await window.panel.getByRole('button', { name: /^CLAUDE\.md/ }).press('Enter');
    const left = [all[0]!, 'CLAUDE.md left out', all[2]!, all[3]!];
    await untilChips('Goes with the message', left);
    await window.workbench.untilStored('"openAgent.instructionsOff":');
    await window.workbench.reload();
    await window.workbench.showChat();
    await untilChips('Goes with the message', left);
    await window.ask(
      'Look at the server',
      { toolCalls: [{ name: 'read_file', arguments: { path: 'packages/api/server.ts' } }] },
      { toolCalls: [{ name: 'read_file', arguments: { path: 'skill:e2e-notes' } }] },
      { text: 'Port.' },
    );
    await window.untilAnswered('Port.');
    const [first = ''] = await userMessages();
    assert.match(first, /Answer in one word\./);
    assert.doesNotMatch(first, /Be kind|Never log/);
    assert.match(first, /person's own folder[^]*\nskill:e2e-notes: e2e-notes: Write notes\n/);
    const results = (await window.request(3)).body.messages.filter(({ role }) => role === 'tool');
    assert.match(String(results.at(-1)?.content), /^skill:e2e-notes \(\d+ lines\):\n[^]*Notes have dates\./);
    assert.deepEqual(await words('Attached'), ['AGENTS.md N tokens', '1 skill N tokens', '1 skill of yours N tokens']);
  });

  it('of a folder go with the next message, and a switched-off file leaves the conversation with a new epoch', async () => {
    const composer = window.panel.getByLabel('Message to Open Agent');
    await window.panel
      .getByRole('list', { name: 'Attached' })
      .getByRole('button', { name: /^AGENTS\.md/ })
      .click();
    await untilChips('Attached', ['AGENTS.md left out', '1 skill N tokens', '1 skill of yours N tokens']);
    window.expect({ text: 'Again.' });
    await composer.fill('And now?');
    await composer.press('Enter');
    await window.untilAnswered('Again.');
    const [first = '', second = ''] = await userMessages();
    assert.doesNotMatch(first, /Answer in one word/);
    assert.match(first, /Look at the server$/);
    assert.match(second, /packages\/api\/AGENTS\.md in the repository[^]*Never log tokens\.\n```\n\nAnd now\?$/);
    await window.panel.getByText('From here on the model does not get the instructions: AGENTS.md.').waitFor();
    await window.workbench.screenshot('e2e-instructions-off');
    window.expect({ text: 'Third.' });
    await composer.fill('More?');
    await composer.press('Enter');
    await window.untilAnswered('Third.');
    assert.equal((await userMessages()).at(-1), 'More?');
  });
});
