import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { TerminalCommands } from '../../src/host/terminal/terminalCommands';
import type { CommandOutcome } from '../../src/workspace/ports';

describe('Commands in a terminal', function () {
  this.timeout(90_000);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  let terminals: TerminalCommands;

  beforeEach(() => {
    terminals = new TerminalCommands({ integrationTimeoutMs: 60_000 });
  });
  afterEach(() => {
    terminals.dispose();
    for (const terminal of vscode.window.terminals) terminal.dispose();
  });

  function run(
    command: string,
    { signal = new AbortController().signal, onOutput = (_text: string): void => {} } = {},
  ): Promise<CommandOutcome> {
    return terminals.run({ command, cwd: folder, timeoutMs: 60_000, inTerminal: true }, { signal, onOutput });
  }

  it('run visibly and report exit code and output', async () => {
    const outcome = await run('echo "in $PWD"; (exit 3)');
    assert.deepEqual([outcome.ended, outcome.exitCode], ['exited', 3]);
    assert.ok(outcome.output.includes(`in ${folder}`), outcome.output);
    assert.deepEqual(
      vscode.window.terminals.map(({ name }) => name),
      ['Open Agent'],
    );
    // The idle terminal is used again.
    assert.equal((await run('true')).exitCode, 0);
    assert.equal(vscode.window.terminals.length, 1);
  });

  it('get no variables that look like secrets', async () => {
    process.env['HOST_TEST_TOKEN'] = 'hunter2';
    try {
      await run('true');
      const [terminal] = vscode.window.terminals;
      const options = terminal?.creationOptions as vscode.TerminalOptions;
      assert.equal(options.env?.['HOST_TEST_TOKEN'], null);
    } finally {
      delete process.env['HOST_TEST_TOKEN'];
    }
  });

  it('end when stopped', async () => {
    const controller = new AbortController();
    let seen = '';
    const outcome = await run('echo up; sleep 1000', {
      signal: controller.signal,
      onOutput: (text) => {
        seen += text;
        if (/up/.test(seen)) controller.abort();
      },
    });
    assert.equal(outcome.ended, 'stopped');
  });

  it('do not run without shell integration or with confinement', async () => {
    const blind = new TerminalCommands({ integrationTimeoutMs: 0 });
    const file = path.join(folder, 'ran.txt');
    const request = { command: `touch ${file}`, cwd: folder, timeoutMs: 1000 };
    const options = { signal: new AbortController().signal, onOutput: () => {} };
    const outcome = await blind.run(request, options);
    assert.equal(outcome.ended, 'failed_to_start');
    assert.match(outcome.output, /shell integration .*openAgent\.commandMode/s);
    const confinement = { allowsNetwork: true, writable: [folder] };
    assert.equal((await terminals.run({ ...request, confinement }, options)).ended, 'failed_to_start');
    const there = await vscode.workspace.fs.stat(vscode.Uri.file(file)).then(
      () => true,
      () => false,
    );
    assert.equal(there, false);
  });
});
