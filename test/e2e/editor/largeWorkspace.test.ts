import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { useChatWindow } from '../../support/window/chatWindow';

const FOLDERS = 320;
const FILES_PER_FOLDER = 100;

describe('a workspace of 32,000 files in the VS Code window', () => {
  let folder: TemporaryFolder | undefined;

  before(async () => {
    folder = await createTemporaryFolder({ 'zz/the-last-one.ts': 'export const last = 1;\n' });
    for (let index = 0; index < FOLDERS; index++) {
      const below = path.join(folder.path, 'src', `module${index}`);
      await mkdir(below, { recursive: true });
      const names = Array.from({ length: FILES_PER_FOLDER }, (_, at) => `part${at}.ts`);
      await Promise.all(names.map((name) => writeFile(path.join(below, name), '')));
    }
  });
  after(() => folder?.dispose());

  const window = useChatWindow({ files: {}, existingFolder: () => folder?.path ?? assert.fail('made before') });

  it('finds any file after @, and sends it', async () => {
    const { workbench } = window;
    await workbench.showChat();
    const field = window.panel.getByLabel('Message to Open Agent');
    await field.pressSequentially('See @part7');
    await window.panel.getByRole('option').first().waitFor();
    await workbench.screenshot('e2e-large-workspace');
    await field.fill('');
    await field.pressSequentially('See @the-last');
    await window.panel.getByRole('option', { name: '@zz/the-last-one.ts' }).waitFor();
    await field.press('Enter');
    assert.equal(await field.inputValue(), 'See @zz/the-last-one.ts ');
    window.expect({ text: 'Seen.' });
    await field.press('Enter');
    await window.untilAnswered('Seen.');
    const { content } = (await window.request(1)).body.messages.at(-1) ?? {};
    assert.ok(JSON.stringify(content).includes('export const last = 1;'));
  });
});
