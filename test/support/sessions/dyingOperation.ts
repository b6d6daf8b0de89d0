import { nodeDisk } from '../../../src/agent/sessionFiles/sessionDisk';
import { watchCalls } from '../files/faultyDisk';
import { openSessions, sessionOperations } from './sessionOperations';

/**
 * A separate process that runs one operation on the sessions of a folder. It kills itself before its `at`th call to the
 * disk; with 0 the test kills it. Prints `begun`, then `done` when the operation resolves.
 */
async function main(directory: string, name: string, at: number): Promise<void> {
  const operation = sessionOperations.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`There is no operation "${name}".`);
  const { calls: disk } = watchCalls(nodeDisk, async ({ number }) => {
    if (number === at) process.kill(process.pid, 'SIGKILL');
  });
  const registry = openSessions(directory, { disk, onInternalError: (error) => process.stderr.write(String(error)) });
  process.stdout.write('begun\n');
  await operation.run(registry);
  process.stdout.write('done\n');
  await registry.dispose();
}

void main(process.argv[2] ?? '', process.argv[3] ?? '', Number(process.argv[4]));
