import path from 'node:path';
import {
  createNodeBackgroundCommands,
  type OwnedBackgroundCommands,
} from '../../src/workspace/node/commands/nodeBackgroundCommands';
import { createOutputFolder } from '../../src/workspace/node/commands/outputFolder';
import { FakeBackgroundCommands } from '../support/commands/fakeBackgroundCommands';
import { createTemporaryFolder, type TemporaryFolder } from '../support/files/temporaryFolder';
import { testBackgroundCommands } from './backgroundCommandsContract';

testBackgroundCommands('fake', async () => {
  const commands = new FakeBackgroundCommands();
  commands.firstOutput = 'ready\n';
  return { commands, cwd: '/w', command: 'serve' };
});

describe('on Node', () => {
  let folder: TemporaryFolder | undefined;
  let commands: OwnedBackgroundCommands | undefined;

  afterEach(async () => {
    await commands?.dispose();
    await folder?.dispose();
  });

  testBackgroundCommands('child processes', async () => {
    folder = await createTemporaryFolder();
    commands = createNodeBackgroundCommands({
      outputs: createOutputFolder(path.join(folder.path, 'outputs')),
      onInternalError: (error) => {
        throw error;
      },
      // Longer than any machine needs to print a word: a start waits for the output, not for this.
      firstOutputMs: 10_000,
      settleMs: 0,
    });
    return { commands, cwd: folder.path, command: 'echo ready; exec sleep 1000' };
  });
});
