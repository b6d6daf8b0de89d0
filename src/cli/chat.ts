import type { AgentSession } from '../agent/agentSession';
import type { Disposable } from '../util/disposable';
import { describeCommands, readCommand } from './chatCommands';
import type { ChatCommand, Conversation } from './conversation';
import type { SessionRenderer } from './renderSession';
import type { Terminal } from './terminal';

export interface ChatParts {
  readonly terminal: Terminal;
  readonly renderer: SessionRenderer;
  readonly print: (text: string) => void;
  /** Which one it begins with. */
  readonly session: AgentSession;
  readonly commands: readonly ChatCommand[];
}

/** A conversation by lines, until the person ends it. */
export async function chat({ terminal, renderer, print, commands, ...start }: ChatParts): Promise<void> {
  let session = start.session;
  let subscription: Disposable = session.onEvent(renderer.show);
  let isRunning = false;
  let hasEnded = false;
  const report = (error: unknown): void => print(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
  const interrupts = terminal.onInterrupt(() => {
    if (isRunning) session.stop().catch(report);
    else terminal.dispose();
  });
  const lines = terminal.onLine((text) => {
    if (!isRunning || text.trim() === '') return;
    if (text.startsWith('/')) print('Something is running; Ctrl+C stops it.\n');
    else session.submit({ text }).catch(report);
  });
  const conversation: Conversation = {
    get session() {
      return session;
    },
    print,
    ask: (question) => terminal.ask(question),
    use(other) {
      subscription.dispose();
      session = other;
      subscription = session.onEvent(renderer.show);
    },
    async run(begin) {
      isRunning = true;
      try {
        await begin();
        await session.whenIdle();
      } finally {
        isRunning = false;
      }
    },
    end: () => (hasEnded = true),
  };
  const help: ChatCommand = {
    name: 'help',
    about: 'this list',
    run: () => print(describeCommands([help, ...commands])),
  };
  const take = async (text: string): Promise<void> => {
    const typed = readCommand(text, [help, ...commands]);
    if (!typed) await conversation.run(() => session.submit({ text }));
    else if ('unknown' in typed) print(`There is no /${typed.unknown}. /help lists what there is.\n`);
    else await typed.command.run(conversation, typed.argument);
  };

  try {
    print('Open Agent. /help lists what can be typed besides a prompt.\n');
    while (!hasEnded) {
      print('\n');
      const text = (await terminal.ask('> '))?.trim();
      if (text === undefined) return;
      if (text !== '') await take(text).catch(report);
    }
  } finally {
    lines.dispose();
    interrupts.dispose();
    subscription.dispose();
  }
}
