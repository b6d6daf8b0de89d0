import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import {
  createNodeBackgroundCommands,
  type OwnedBackgroundCommands,
} from '../../../../../src/workspace/node/commands/nodeBackgroundCommands';
import { createOutputFolder, type OutputFolder } from '../../../../../src/workspace/node/commands/outputFolder';
import { createCommandRecords, type CommandRecords } from '../../../../../src/workspace/node/commands/commandRecords';
import { processesOfGroup } from '../../../../support/commands/processes';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('createNodeBackgroundCommands', () => {
  let folder: TemporaryFolder;
  let outputs: OutputFolder;
  let commands: OwnedBackgroundCommands;

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    outputs = createOutputFolder(path.join(folder.path, 'outputs'));
    commands = createNodeBackgroundCommands({
      outputs,
      records: createCommandRecords(path.join(folder.path, 'running')),
      onInternalError: (error) => {
        throw error;
      },
      firstOutputMs: 10_000,
      settleMs: 0,
    });
  });
  afterEach(async () => {
    await commands.dispose();
    await folder.dispose();
  });

  const start = (command: string, signal = new AbortController().signal) =>
    commands.start({ command, cwd: folder.path }, { signal });

  it('reports at once a command that ends before it prints anything', async () => {
    const started = await start('exit 3');
    assert.ok(started.kind === 'ended');
    assert.deepEqual([started.outcome.ended, started.outcome.exitCode], ['exited', 3]);
    assert.deepEqual(commands.list(), []);
  });

  it('stores the whole output of a command, and how it ended', async () => {
    const started = await start('echo ready; exec sleep 1000');
    assert.ok(started.kind === 'running');
    await commands.stop(started.id);
    assert.equal((await outputs.openText(started.id)).text, 'ready\n\n[It was stopped.]\n');
  });

  it('ends all commands and their processes when the window closes, and starts no more', async () => {
    const started = await start('echo $$; sleep 1000 & exec sleep 1000');
    assert.ok(started.kind === 'running');
    assert.notDeepEqual(await processesOfGroup(Number(started.output)), []);
    await commands.dispose();
    assert.deepEqual(await processesOfGroup(Number(started.output)), []);
    assert.equal((await start('echo no')).kind, 'refused');
  });

  it('does not start a command if the call was stopped before', async () => {
    const started = await start('echo no', AbortSignal.abort());
    assert.ok(started.kind === 'ended');
    assert.deepEqual([started.outcome.ended, started.outcome.output], ['stopped', '']);
  });

  it('does not start a command if the call is stopped while its record is written', async () => {
    const stop = new AbortController();
    const steps: string[] = [];
    const records: CommandRecords = {
      starting: async () => {
        stop.abort();
        return { started: () => steps.push('started'), ended: () => steps.push('ended') };
      },
      findOrphans: async () => [],
    };
    const recording = createNodeBackgroundCommands({ outputs, records, onInternalError: () => assert.fail() });
    const started = await recording.start({ command: 'touch ran', cwd: folder.path }, { signal: stop.signal });
    await recording.dispose();
    assert.ok(started.kind === 'ended');
    assert.deepEqual([started.outcome.ended, steps], ['stopped', ['ended']]);
    assert.equal(existsSync(path.join(folder.path, 'ran')), false);
  });

  it('says that a command is too long for the system, and leaves no record of it', async function () {
    if (process.platform !== 'linux') this.skip();
    const started = await start(`echo ${'x'.repeat(3_000_000)}`);
    assert.ok(started.kind === 'ended');
    assert.equal(started.outcome.ended, 'failed_to_start');
    assert.match(started.outcome.output, /cannot be started: spawn E2BIG/);
    assert.deepEqual(readdirSync(path.join(folder.path, 'running')), []);
  });

  it('runs at most ten commands', async () => {
    for (let count = 0; count < 10; count++) assert.equal((await start('echo up; exec sleep 1000')).kind, 'running');
    const refused = await start('echo no');
    assert.deepEqual(refused, {
      kind: 'refused',
      reason: '10 commands already run in the background. Stop one first.',
    });
  });
});
