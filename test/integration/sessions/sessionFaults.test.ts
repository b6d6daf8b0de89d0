import assert from 'node:assert/strict';
import { nodeDisk } from '../../../src/agent/sessionFiles/sessionDisk';
import { failEachCall, FAULTS } from '../../support/files/faultyDisk';
import { assertIntact, openSessions, sessionOperations } from '../../support/sessions/sessionOperations';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

describe('session operations when any one call to the disk fails', () => {
  for (const operation of sessionOperations) {
    it(`${operation.name} loses nothing, and succeeds or reports the cause`, async () => {
      const failed: string[] = [];
      for (const code of FAULTS) {
        const count = await failEachCall(nodeDisk, code, async (disk, at) => {
          const where = `${code} at call ${at}`;
          await using folder = await createTemporaryFolder(operation.files);
          const said: string[] = [];
          const registry = openSessions(folder.path, { disk, onInternalError: (error) => said.push(String(error)) });
          const outcome = await operation.run(registry).then(
            () => 'done',
            (error: unknown) => String(error),
          );
          await registry.dispose();
          const hasHappened = await operation.hasHappened(folder.path).catch((error: unknown) => {
            throw new Error(`${where}: ${outcome}`, { cause: error });
          });
          if (!hasHappened && !operation.isSideEffect)
            assert.match([outcome, ...said].join('\n'), new RegExp(code), where);
          if (outcome !== 'done') assert.match(outcome, new RegExp(code), where);
          await assertIntact(folder.path).catch((error: unknown) => {
            throw new Error(`${where}: ${outcome}`, { cause: error });
          });
        });
        failed.push(`${code} ${count}`);
      }
      process.stdout.write(`      calls failed, one at a time: ${failed.join(', ')}\n`);
    });
  }
});
