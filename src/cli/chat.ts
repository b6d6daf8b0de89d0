import type { AgentSession } from '../agent/agentSession';
import type { Disposable } from '../util/disposable';
import type { ChatCommand, Conversation } from './conversation';
import type { SessionRenderer } from './renderSession';
import { plainStyles, type Styles } from './styles';
import type { Terminal } from './terminal';
import { describeCommands, readCommand } from './typedCommand';

export interface ChatParts {
  readonly terminal: Terminal;
  readonly renderer: SessionRenderer;
  readonly print: (text: string) => void;
  /** Which one it begins with. */
  readonly session: AgentSession;
  readonly commands: readonly ChatCommand[];
  /** Absent: no colours. */
  readonly styles?: Styles | undefined;
}

/** A conversation by lines, until the person ends it. */
export async function chat({
  terminal,
  renderer,
  print,
  commands,
  styles = plainStyles,
  ...start
}: ChatParts): Promise<void> {
  let session = start.session;
  let subscription: Disposable = session.onEvent(renderer.show);
  let isRunning = false;
  let hasEnded = false;
  const report = (error: unknown): void =>
    print(`${styles.red(`Error: ${error instanceof Error ? error.message : String(error)}`)}\n`);
  /** Nothing was typed since Ctrl+C: the next one ends. */
  let isInterrupted = false;
  const interrupts = terminal.onInterrupt(() => {
    if (isRunning) session.stop().catch(report);
    if (isInterrupted) terminal.dispose();
    else if (!isRunning) print('Ctrl+C once more ends; so do /exit and Ctrl+D.\n');
    isInterrupted = true;
  });
  const end = terminal.onEnd(() => {
    if (isRunning) session.stop().catch(report);
  });
  const lines = terminal.onLine((text) => {
    isInterrupted = false;
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
      const text = (await terminal.ask(styles.bold('> ')))?.trim();
      if (text === undefined) return;
      isInterrupted = false;
      if (text !== '') await take(text).catch(report);
    }
  } finally {
    lines.dispose();
    end.dispose();
    interrupts.dispose();
    subscription.dispose();
  }
}
