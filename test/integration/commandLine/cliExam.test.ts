import assert from 'node:assert/strict';
import { examTasks } from '../../../src/agent/exam/tasks/examTasks';
import { playModel } from '../../support/exam/scriptedModels';
import { useCommandLine } from '../../support/commandLine/useCommandLine';

describe('open-agent exam', () => {
  const cli = useCommandLine({ files: { 'mine.txt': 'untouched\n' } });
  const tasks = examTasks(0);

  it('prints the result of each task, and a report', async () => {
    playModel(cli.server, 'perfect', tasks);
    const { code, stdout, stderr } = await cli.run(['exam', ...cli.flags]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^m: does the work \(28 of 28, \d{4}-\d\d-\d\d\)\n/);
    assert.match(stdout, /^Wrong calls: none$/m);
    assert.match(stderr, /\[28\/28\] solved {2}/);
  });

  it('gives JSON without addresses, and goes on with an exam that was stopped', async () => {
    playModel(cli.server, 'lying', tasks);
    const started = cli.start(['exam', ...cli.flags, '--json']);
    let told = '';
    await new Promise<void>((resolve) => {
      started.child.stderr.on('data', (part: string) => {
        told += part;
        if (told.includes('[3/28]')) resolve();
      });
    });
    started.child.kill('SIGINT');
    assert.equal((await started.ended).code, 130);
    const asked = cli.server.completions.length;
    const { code, stdout, stderr } = await cli.run(['exam', ...cli.flags, '--json']);
    assert.equal(code, 0, stderr);
    assert.ok(!stderr.includes('[1/28]') && stderr.includes('[28/28]'), stderr);
    const [result] = JSON.parse(stdout) as [{ model: string; isComplete: boolean; tasks: readonly object[] }];
    assert.deepEqual([result.model, result.isComplete, result.tasks.length], ['m', true, 28]);
    assert.ok(!stdout.includes('127.0.0.1'));
    assert.ok(asked >= 3);
  });

  it('says why there is no exam without a server', async () => {
    const { flags } = cli;
    await cli.server.dispose();
    const { code, stderr } = await cli.run(['exam', ...flags]);
    assert.equal(code, 1);
    assert.match(stderr, /Error: .*127\.0\.0\.1/);
  });
});
