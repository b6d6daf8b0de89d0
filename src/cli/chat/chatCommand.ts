import type { ChatContext } from './chatContext';

/** A command that can be typed in a conversation, such as `/new`. */
export interface ChatCommand {
  /** Without the slash. */
  readonly name: string;
  /** The argument's name in `/help`. Absent: there is none. */
  readonly argument?: string | undefined;
  /** One line for `/help`. */
  readonly about: string;
  /** A rejection is printed, and the conversation continues. */
  readonly run: (context: ChatContext, argument: string) => Promise<void> | void;
}

/** The text of `/help`. */
export function describeCommands(commands: readonly Omit<ChatCommand, 'run'>[]): string {
  const names = commands.map(({ name, argument }) => (argument ? `/${name} ${argument}` : `/${name}`));
  const width = Math.max(...names.map(({ length }) => length));
  const lines = commands.map(({ about }, index) => `${names[index]!.padEnd(width)}  ${about}\n`);
  return (
    `${lines.join('')}Ctrl+C stops the run; pressed twice, it ends the conversation. Text typed during a run reaches the model at its next step.\n` +
    'A paste of several lines is one prompt; Enter sends it.\n'
  );
}

/** Splits a typed line into command and argument. `undefined`: the line is a prompt. */
export function readCommand(
  text: string,
  commands: readonly ChatCommand[],
): { readonly command: ChatCommand; readonly argument: string } | { readonly unknown: string } | undefined {
  const [, name, argument = ''] = /^\/([a-z]+)(?:[ \t]+(.*))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const command = commands.find((known) => known.name === name);
  return command ? { command, argument: argument.trim() } : { unknown: name };
}
