import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { OUTCOME_UNKNOWN } from '../../../src/sdk/session/replay';
import { projectRoot } from '../../../scripts/projectRoot';
import { outline } from '../../support/sessions/sessions';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';
import { createRegistry } from '../../support/sessions/registry';

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

    const registry = createRegistry(folder.path);
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
