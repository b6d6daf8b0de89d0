import path from 'node:path';
import { nodeDisk } from '../../../src/agent/sessionFiles/sessionDisk';
import { createLogStorage } from '../../../src/sdk/session/createLogStorage';
import type { LogStorage } from '../../../src/sdk/session/logStorage';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { createNodeCommands } from '../../../src/workspace/node/commands/createNodeCommands';
import { createTools } from '../../../src/workspace/tools/createTools';
import { response, ScriptedProvider, toolUse } from '../servers/scriptedProvider';
import { clientsOf, createRegistry } from '../sessions/registry';

/** Names in the folder that the process gets. */
export const crashFolders = { sessions: 'sessions', records: 'records', outputs: 'outputs', work: 'work' } as const;

/** Storage that kills its process just before it writes the result of a tool. */
function dyingStorage(): LogStorage {
  const real = createLogStorage(nodeDisk);
  return {
    ...real,
    async openForAppend(filePath) {
      const file = await real.openForAppend(filePath);
      return {
        ...file,
        write: async (bytes) => {
          if (Buffer.from(bytes).includes('"tool_result"')) process.kill(process.pid, 'SIGKILL');
          return file.write(bytes);
        },
      };
    },
  };
}

/**
 * A separate process for a test to kill. Runs one prompt whose tool runs the given command, in a session of the given
 * folder. With `unrecorded` it kills itself after the command, before it writes the result.
 */
async function main(folder: string, command: string, isUnrecorded: boolean): Promise<void> {
  const at = (name: keyof typeof crashFolders): string => path.join(folder, crashFolders[name]);
  const onInternalError = (error: unknown): void => void process.stderr.write(`${String(error)}\n`);
  const commands = createNodeCommands({
    outputsDirectory: at('outputs'),
    recordsDirectory: at('records'),
    onInternalError,
  });
  const roots = [{ name: 'work', path: at('work') }];
  const registry = createRegistry(at('sessions'), {
    ...(isUnrecorded && { storage: dyingStorage() }),
    createClient: clientsOf({
      provider: new ScriptedProvider([response([toolUse('c1', 'run_terminal_command', { command })])]),
      tools: [...createTools({ ports: { ...createNodePorts(), ...commands.ports }, roots: () => roots })],
      approvalHook: async () => ({ action: 'allow' }),
    }),
    onInternalError,
  });
  const session = await registry.create();
  await session.submit({ text: 'Run it' });
}

if (require.main === module) void main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4] === 'unrecorded');
