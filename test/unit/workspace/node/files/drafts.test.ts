import assert from 'node:assert/strict';
import { draftName, isAbandoned, isDraftName } from '../../../../../src/workspace/node/files/drafts';
import { nodeProcesses, type Liveness } from '../../../../../src/workspace/node/processes/processIdentity';

const hour = 60 * 60_000;

describe('drafts', () => {
  const when = (liveness: Liveness) => ({ ...nodeProcesses, livenessOf: async () => liveness });

  it('name their process, and are recognised by it', async () => {
    const name = await draftName('/w/.a.txt');
    assert.match(name, new RegExp(`^/w/\\.a\\.txt\\.${process.pid}-\\w*-[0-9a-f]{8}\\.[0-9a-f]{8}\\.tmp$`));
    assert.equal(isDraftName(name), true);
    for (const other of ['a.tmp', '.a.txt.12345678.tmp', 'a.1-2-3.tmp', `${name}.txt`])
      assert.equal(isDraftName(other), false, other);
  });

  it('are abandoned when their process is dead, and not while it lives', async () => {
    const name = await draftName('a');
    assert.equal(await isAbandoned(name, 0), false);
    assert.equal(await isAbandoned(name, 0, when('dead')), true);
    assert.equal(await isAbandoned(name, 0, when('unknown')), false);
    // The number of the process is in use again, by a later process.
    assert.equal(await isAbandoned(name.replace(/-\w*-/, '-1-'), 0), process.platform === 'linux');
  });

  it('are abandoned after an hour when nobody knows their process', async () => {
    const elsewhere = 'a.1-1-00000000.1.tmp';
    for (const name of [elsewhere, 'index.json.x.tmp']) {
      assert.equal(await isAbandoned(name, hour, when('dead')), false, name);
      assert.equal(await isAbandoned(name, hour + 1, when('alive')), true, name);
      // The clock was set back.
      assert.equal(await isAbandoned(name, -hour * 100, when('dead')), false, name);
    }
  });
});
