import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { offerOrphans } from '../../../src/host/terminal/offerOrphans';
import { OUTCOME_UNKNOWN } from '../../../src/sdk/session/replay';
import { createCommandRecords } from '../../../src/workspace/node/commands/commandRecords';
import { createTools } from '../../../src/workspace/tools/createTools';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { crashFolders } from '../../support/commandLine/crashingCommand';
import { isRunning } from '../../support/commands/processes';
import { proving } from '../../support/safetySample';
import { ScriptedProvider, textResponse } from '../../support/servers/scriptedProvider';
import { outline } from '../../support/sessions/sessions';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { clientsOf, createRegistry } from '../../support/sessions/registry';

describe('a process that is killed around a command', () => {
  let folder: TemporaryFolder;
  let work: string;

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    work = path.join(folder.path, crashFolders.work);
    await mkdir(work);
  });
  afterEach(() => folder?.dispose());

  function start(command: string, ...more: readonly string[]): ChildProcess {
    const script = path.join(projectRoot, 'test/support/commandLine/crashingCommand.ts');
    return spawn(process.execPath, ['--import', 'tsx', script, folder.path, command, ...more], {
      cwd: projectRoot,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  /** Continues the session in another window. Resolves to its view, and to the result that the model gets for the call. */
  async function goOn(): Promise<{ readonly shown: readonly string[]; readonly told: unknown }> {
    const provider = new ScriptedProvider([textResponse('I looked.')]);
    const roots = [{ name: 'work', path: work }];
    const directory = path.join(folder.path, crashFolders.sessions);
    const registry = createRegistry(directory, {
      createClient: clientsOf({
        provider,
        tools: [...createTools({ ports: createNodePorts(), roots: () => roots })],
        approvalHook: async () => ({ action: 'allow' }),
      }),
    });
    const file = (await readdir(directory)).find((name) => name.endsWith('.jsonl')) ?? assert.fail('no session');
    const session = await registry.open(path.basename(file, '.jsonl'));
    const shown = outline(session.view);
    await session.continueRun();
    await session.whenIdle();
    await registry.dispose();
    const result = provider.requests[0]?.messages.find(({ role }) => role === 'tool');
    return { shown, told: result?.role === 'tool' && result.content.content };
  }

  const afterwards = [
    'prompt: Run it',
    `run_terminal_command outcome_unknown: ${OUTCOME_UNKNOWN}`,
    'notice [continue]: The last answer was interrupted before it was done. Nothing has run since.',
  ];

  it(
    proving('LC03', 'leaves a command that the next window offers to end, and a call that is not repeated'),
    async () => {
      execFileSync('mkfifo', [path.join(work, 'started')]);
      const window = start('echo x >> ran; echo $$ > started; exec sleep 1000');
      const pid = Number(await readFile(path.join(work, 'started'), 'utf8'));
      const exited = once(window, 'exit');
      window.kill('SIGKILL');
      await exited;
      assert.equal(await isRunning(pid), true);

      const records = createCommandRecords(path.join(folder.path, crashFolders.records));
      const asked: unknown[] = [];
      const answers = [undefined, 'End Them'];
      const ask = async (...question: readonly string[]): Promise<string | undefined> => {
        asked.push(question);
        return answers.shift();
      };
      // Without an answer the command keeps running, and the window offers again to end it.
      await offerOrphans(records, ask);
      assert.equal(await isRunning(pid), true);
      await offerOrphans(records, ask);
      await offerOrphans(records, ask);
      const message =
        'Commands that Open Agent started in a closed window still run: "echo x >> ran; echo $$ > started; exec sleep 1000".';
      const question = [message, 'End Them', 'Leave Them Running'];
      assert.deepEqual(asked, [question, question]);
      assert.equal(await isRunning(pid), false);

      assert.deepEqual(await goOn(), { shown: afterwards, told: OUTCOME_UNKNOWN });
      assert.equal(await readFile(path.join(work, 'ran'), 'utf8'), 'x\n');
    },
  );

  it(
    proving('LC04', 'reports an unknown result for a command without a written result, and does not repeat it'),
    async () => {
      const window = start('echo x >> ran', 'unrecorded');
      const [, signal] = (await once(window, 'exit')) as [number | null, string | null];
      assert.equal(signal, 'SIGKILL');
      assert.equal(await readFile(path.join(work, 'ran'), 'utf8'), 'x\n');
      assert.deepEqual(await goOn(), { shown: afterwards, told: OUTCOME_UNKNOWN });
      assert.equal(await readFile(path.join(work, 'ran'), 'utf8'), 'x\n');
    },
  );
});
