import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { FileClaims } from '../../../src/agent/session/fileClaims';
import { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import { OUTCOME_UNKNOWN } from '../../../src/sdk/session/replay';
import { projectRoot } from '../../../scripts/projectRoot';
import { outline, ScriptedApprover } from '../../support/sessions/sessions';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

describe('a session whose process was killed', () => {
  it('keeps everything up to the running tool, and runs nothing by itself', async () => {
    await using folder = await createTemporaryFolder();
    const script = path.join(projectRoot, 'test/support/sessions/crashingSession.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', script, folder.path], {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = (await once(child.stdout, 'data')) as [Buffer];
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;

    const registry = new SessionRegistry({
      directory: folder.path,
      claims: new FileClaims(),
      workspace: null,
      approver: new ScriptedApprover(),
      createClient: () => assert.fail('nothing may run'),
      onInternalError: (error) => assert.fail(String(error)),
    });
    const session = await registry.open(output.toString().trim());
    assert.deepEqual(outline(session.view), [
      'prompt: Deploy',
      'text: Deploying.',
      `deploy outcome_unknown: ${OUTCOME_UNKNOWN}`,
      'notice [continue]: The last answer was interrupted before it was done. Nothing has run since.',
    ]);
    assert.deepEqual(
      (await registry.list()).map(({ title }) => title),
      ['Deploy'],
    );
    await registry.dispose();
  });
});
