import assert from 'node:assert/strict';
import { followCommands } from '../../../src/workspace/followCommands';
import type { CommandOutcome, CommandRunner } from '../../../src/workspace/ports';

describe('followCommands', () => {
  it('waits for all running commands, and does not wait without any', async () => {
    const ends: (() => void)[] = [];
    const outcome: CommandOutcome = {
      exitCode: 0,
      signalName: null,
      ended: 'exited',
      output: 'done',
      omittedBytes: 0,
    };
    const runner: CommandRunner = {
      shellName: 'bash',
      run: () => new Promise((resolve) => ends.push(() => resolve(outcome))),
    };
    const commands = followCommands(runner);
    await commands.settled();

    const request = { command: 'sleep', cwd: '/w', timeoutMs: 1000 };
    const options = { signal: new AbortController().signal, onOutput: () => {} };
    const outcomes = [commands.run(request, options), commands.run(request, options)];
    const happened: string[] = [];
    const settled = commands.settled().then(() => happened.push('settled'));
    ends[0]?.();
    assert.deepEqual(await outcomes[0], outcome);
    happened.push('one ended');
    ends[1]?.();
    await settled;
    assert.deepEqual(happened, ['one ended', 'settled']);
    assert.equal(commands.shellName, 'bash');
  });
});
