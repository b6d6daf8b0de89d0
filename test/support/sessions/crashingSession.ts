import { FileClaims } from '../../../src/agent/session/fileClaims';
import { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import { Client } from '../../../src/sdk/client';
import { tool } from '../../../src/sdk/tool';
import { response, ScriptedProvider, toolUse } from '../servers/scriptedProvider';
import { ScriptedApprover } from './sessions';

/**
 * A process of its own, to be killed: runs one prompt whose tool never ends in a session in the given folder, and prints
 * the session's id when the tool has started.
 */
async function main(directory: string): Promise<void> {
  const registry = new SessionRegistry({
    directory,
    claims: new FileClaims(),
    workspace: null,
    approver: new ScriptedApprover(),
    createClient: async ({ history }) => ({
      client: new Client({
        systemPrompt: 's',
        model: 'm',
        baseUrl: 'http://localhost:1',
        autoExecuteTools: true,
        history,
        provider: new ScriptedProvider([response([{ type: 'text', text: 'Deploying.' }, toolUse('c1', 'deploy')])]),
        tools: [
          tool('deploy', 'Deploy', {}, () => {
            process.stdout.write(`${session.id}\n`);
            return new Promise(() => setInterval(() => {}, 60_000));
          }),
        ],
      }),
    }),
    onInternalError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const session = await registry.create();
  await session.submit({ text: 'Deploy' });
}

void main(process.argv[2] ?? '');
