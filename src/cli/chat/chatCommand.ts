import type { Conversation } from './conversation';

/** What can be typed in a conversation besides a prompt, such as `/new`. */
export interface ChatCommand {
  /** Without the slash. */
  readonly name: string;
  /** How `/help` calls what comes after the name; absent: nothing. */
  readonly argument?: string | undefined;
  /** For `/help`: one line. */
  readonly about: string;
  /** What it rejects with is shown, and the conversation goes on. */
  readonly run: (conversation: Conversation, argument: string) => Promise<void> | void;
}

/** What `/help` shows. */
export function describeCommands(commands: readonly ChatCommand[]): string {
  const names = commands.map(({ name, argument }) => (argument === undefined ? `/${name}` : `/${name} ${argument}`));
  const width = Math.max(...names.map(({ length }) => length));
  const lines = commands.map(({ about }, index) => `${names[index]!.padEnd(width)}  ${about}\n`);
  return (
    `${lines.join('')}Ctrl+C stops what is running, twice ends. What is typed meanwhile reaches the model at its next step.\n` +
    'A paste of several lines is one prompt; Enter sends it.\n'
  );
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
