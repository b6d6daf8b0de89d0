import type { AgentSession } from '../agent/agentSession';
import type { ChatCommand } from './conversation';

export interface ChatCommandParts {
  readonly createSession: () => Promise<AgentSession>;
}

/** The commands of every conversation, in the order of `/help`. */
export function chatCommands({ createSession }: ChatCommandParts): readonly ChatCommand[] {
  return [
    { name: 'new', about: 'start a new session', run: async ({ use }) => use(await createSession()) },
    {
      name: 'retry',
      about: 'send the last prompt again after an error',
      run: ({ run, session }) => run(() => session.retry()),
    },
    {
      name: 'continue',
      about: 'go on after a stop or a limit',
      run: ({ run, session }) => run(() => session.continueRun()),
    },
    { name: 'exit', about: 'end (or Ctrl+D)', run: ({ end }) => end() },
  ];
}

/** What `/help` shows. */
export function describeCommands(commands: readonly ChatCommand[]): string {
  const names = commands.map(({ name, argument }) => (argument === undefined ? `/${name}` : `/${name} ${argument}`));
  const width = Math.max(...names.map(({ length }) => length));
  const lines = commands.map(({ about }, index) => `${names[index]!.padEnd(width)}  ${about}\n`);
  return `${lines.join('')}Ctrl+C stops what is running. What is typed meanwhile reaches the model at its next step.\n`;
}

/** The command that was typed and what comes after its name; `undefined`: it is a prompt. */
export function readCommand(
  text: string,
  commands: readonly ChatCommand[],
): { readonly command: ChatCommand; readonly argument: string } | { readonly unknown: string } | undefined {
  const [, name, argument = ''] = /^\/([a-z]+)(?:[ \t]+(.*))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const command = commands.find((known) => known.name === name);
  return command ? { command, argument: argument.trim() } : { unknown: name };
}
