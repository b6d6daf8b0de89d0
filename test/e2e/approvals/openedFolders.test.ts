import assert from 'node:assert/strict';
import path from 'node:path';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { useChatWindow } from '../../support/window/chatWindow';

const folders = [
  { path: 'app', name: 'app' },
  { path: 'home/.aws', name: 'data' },
];

describe('a workspace file that opens the folder of credentials under another name', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await createTemporaryFolder({
      'app/a.txt': 'plain\n',
      'home/.aws/credentials': 'the mark of the key\n',
      'all.code-workspace': JSON.stringify({ folders }),
    });
  });
  after(() => folder.dispose());
  const window = useChatWindow({ files: {}, existingFolder: () => path.join(folder.path, 'all.code-workspace') });

  it('gives the model nothing of it without a question', async () => {
    const read = { name: 'read_file', arguments: { path: path.join(folder.path, 'home/.aws/credentials') } };
    await window.ask('Read it', { toolCalls: [read] }, { text: 'I must not.' });
    await window.button('Deny').click();
    await window.untilAnswered('I must not.');
    assert.equal(JSON.stringify((await window.request(2)).body).includes('the mark of the key'), false);
    await window.workbench.screenshot('e2e-opened-folders');
  });

  it('finds nothing of it by its other name, and reads the other folder', async () => {
    const calls = ['data/credentials', 'a.txt'].map((file) => ({ name: 'read_file', arguments: { path: file } }));
    await window.ask('Read both', { toolCalls: calls }, { text: 'One of two.' });
    await window.untilAnswered('One of two.');
    const body = JSON.stringify((await window.request(2)).body);
    assert.equal(body.includes('the mark of the key'), false);
    assert.ok(body.includes('plain'));
  });
});
