import { settableModes, modeText } from '../../agent/view/permissionModes';
import { backgroundCommands } from './backgroundCommands';
import type { SessionPlaces } from '../session/beginSession';
import type { ChatCommand } from './chatCommand';
import type { ChatContext } from './chatContext';
import { askForModel } from '../agent/askForModel';
import type { OpenAgent } from '../agent/openAgent';
import { restoreCommands, type RestoreParts } from './restoreCommands';
import { sessionCommands } from './sessionCommands';
import { safeTerminalText } from '../terminal/safeTerminalText';

export interface ChatCommandParts {
  readonly places: SessionPlaces;
  readonly agent: Pick<OpenAgent, 'background' | 'configuration' | 'change' | 'look'>;
  readonly restore: RestoreParts;
  readonly signal: AbortSignal;
}

/** The commands of every conversation, in the order of `/help`. */
export function chatCommands({ places, agent, restore, signal }: ChatCommandParts): readonly ChatCommand[] {
  return [
    ...sessionCommands(places),
    {
      name: 'model',
      argument: '[NAME]',
      about: 'choose the model',
      run: async ({ print, ask }, name) => {
        const model = name === '' ? await chooseModel({ print, ask }) : name;
        if (model === undefined) return;
        agent.change({ model });
        places.registry.reconfigure();
        print(`From the next prompt on: ${safeTerminalText(model)}.\n`);
      },
    },
    {
      name: 'mode',
      argument: '[MODE]',
      about: `choose what may run without a question: ${settableModes.join(', ')}`,
      run: ({ print }, name) => {
        const mode = settableModes.find((known) => known === name);
        if (name !== '' && !mode) {
          print(`There is no mode "${safeTerminalText(name)}". The modes are: ${settableModes.join(', ')}.\n`);
          return;
        }
        if (mode) agent.change({ permissionMode: mode });
        const { permissionMode } = agent.configuration;
        print(`Mode ${permissionMode}: ${modeText(permissionMode).detail}\n`);
      },
    },
    {
      name: 'retry',
      about: 'send the last prompt again after an error',
      run: ({ run, session }) => run(() => session.retry()),
    },
    {
      name: 'continue',
      about: 'continue after a stop or a limit',
      run: ({ run, session }) => run(() => session.continueRun()),
    },
    {
      name: 'compact',
      argument: '[WHAT TO KEEP]',
      about: 'let the model summarise the older messages, to make room',
      run: ({ run, session }, focus) => run(() => session.compact(focus === '' ? undefined : focus)),
    },
    ...restoreCommands(restore),
    ...backgroundCommands(agent.background),
    { name: 'exit', about: 'end (or Ctrl+D)', run: ({ end }) => end() },
  ];

  async function chooseModel(parts: Pick<ChatContext, 'print' | 'ask'>): Promise<string | undefined> {
    const { model } = agent.configuration;
    if (model !== '') parts.print(`The model is ${safeTerminalText(model)}.\n`);
    const server = await agent.look(signal);
    if (server.ok) return askForModel(server, parts);
    parts.print(`Error: ${safeTerminalText(server.error.message)}\n`);
    return undefined;
  }
}
