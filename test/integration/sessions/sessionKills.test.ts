import assert from 'node:assert/strict';
import { once } from 'node:events';
import { bundleProgram, type BundledProgram } from '../../support/bundleProgram';
import { assertIntact, sessionOperations, type SessionOperation } from '../../support/sessions/sessionOperations';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

interface Death {
  readonly wasKilled: boolean;
  readonly hasHappened: boolean;
}

/** SECURITY.md promises durability when a process dies, not when a machine does. */
describe('a killed process', () => {
  let program: BundledProgram;
  before(async () => {
    program = await bundleProgram('dyingOperation');
  });
  after(() => program[Symbol.asyncDispose]());

  /** Checks that the folder is in its old or its new state, and in the new one if the operation reported success. */
  async function die(operation: SessionOperation, at: number, kill?: (end: () => void) => void): Promise<Death> {
    await using folder = await createTemporaryFolder(operation.files);
    const child = program.start(folder.path, operation.name, String(at));
    let told = '';
    child.stdout?.on('data', (data: Buffer) => {
      if (told === '') kill?.(() => child.kill('SIGKILL'));
      told += data.toString();
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    assert.ok(signal === 'SIGKILL' || code === 0, `${operation.name}: ${code} ${signal}`);
    try {
      const hasHappened = await operation.hasHappened(folder.path);
      if (told.includes('done') && !operation.isSideEffect) assert.equal(hasHappened, true, 'it was said to be done');
      await assertIntact(folder.path);
      return { wasKilled: signal !== null, hasHappened };
    } catch (error) {
      throw new Error(`${operation.name}, ${at === 0 ? 'at some moment' : `before call ${at}`}`, { cause: error });
    }
  }

  for (const operation of sessionOperations) {
    it(`leaves the old or the new state when it dies before any call to the disk while ${operation.name}`, async () => {
      const counts = { before: 0, after: 0 };
      let next = 1;
      let isDone = false;
      const lane = async (): Promise<void> => {
        while (!isDone) {
          const { wasKilled, hasHappened } = await die(operation, next++);
          if (!wasKilled) isDone = true;
          else counts[hasHappened ? 'after' : 'before'] += 1;
        }
      };
      await Promise.all([lane(), lane()]);
      process.stdout.write(`      ${counts.before} deaths before it had happened, ${counts.after} after\n`);
    });
  }

  it('leaves the old or the new state when it dies at any moment, 60 times', async () => {
    const counts = { before: 0, after: 0 };
    const lane = async (first: number): Promise<void> => {
      for (let index = first; index < 60; index += 2) {
        const operation = sessionOperations[index % sessionOperations.length] as SessionOperation;
        // The checks do not depend on the moment of the kill.
        const { hasHappened } = await die(operation, 0, (end) => setTimeout(end, Math.random() * 30));
        counts[hasHappened ? 'after' : 'before'] += 1;
      }
    };
    await Promise.all([lane(0), lane(1)]);
    process.stdout.write(`      ${counts.before} deaths before it had happened, ${counts.after} after\n`);
  });
});
