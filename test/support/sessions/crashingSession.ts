import { tool } from '../../../src/sdk/tool';
import { response, ScriptedProvider, toolUse } from '../servers/scriptedProvider';
import { clientsOf, createRegistry } from './registry';

/**
 * A separate process for a test to kill. Runs one prompt whose tool never ends, in a session of the given folder. Prints
 * the session's id when the tool has started.
 */
async function main(directory: string): Promise<void> {
  const registry = createRegistry(directory, {
    createClient: clientsOf({
      provider: new ScriptedProvider([response([{ type: 'text', text: 'Deploying.' }, toolUse('c1', 'deploy')])]),
      tools: [
        tool('deploy', 'Deploy', {}, () => {
          process.stdout.write(`${session.id}\n`);
          return new Promise(() => setInterval(() => {}, 60_000));
        }),
      ],
    }),
    onInternalError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const session = await registry.create();
  await session.submit({ text: 'Deploy' });
}

void main(process.argv[2] ?? '');
