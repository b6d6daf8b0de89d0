import { nodeDisk } from '../../../src/agent/sessionFiles/sessionDisk';
import { watchCalls } from '../files/faultyDisk';
import { openSessions, sessionOperations } from './sessionOperations';

/**
 * A process of its own that does one of the operations with the sessions of a folder, and is gone without a word before
 * its `at`th call to the disk; 0: when somebody kills it. Prints `begun`, and `done` once the operation says so.
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
