import type { AgentSession } from '../../agent/session/agentSession';
import { followLastRun } from '../prompt/lastRun';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { Disposable } from '../../util/disposable';
import type { ChatCommand } from './chatCommand';
import type { ChatContext } from './chatContext';
import type { SessionRenderer } from '../terminal/renderSession';
import { sendAsItIs, type PreparePrompt } from '../prompt/mcpPrompts';
import type { PromptCommand } from '../prompt/slashCommands';
import { plainStyles, type Styles } from '../terminal/styles';
import type { Terminal } from '../terminal/terminal';
import { describeCommands, readCommand } from './chatCommand';
import { messageOf } from '../../util/errors';
import { visibleText } from '../../util/text/visibleText';

export interface ChatParts {
  readonly terminal: Terminal;
  readonly renderer: SessionRenderer;
  readonly print: (text: string) => void;
  /** The first session. */
  readonly session: AgentSession;
  readonly commands: readonly ChatCommand[];
  /** Turns typed text into a prompt. Absent: sends the text as it is. */
  readonly prepare?: PreparePrompt | undefined;
  /** The commands that become prompts. Absent: there are none. */
  readonly promptCommands?: (() => Promise<readonly PromptCommand[]>) | undefined;
  /** Asks for the key that the server wants; true: there is one now. Absent: the error is all that is said. */
  readonly askForKey?: (() => Promise<boolean>) | undefined;
  /** Absent: no colours. */
  readonly styles?: Styles | undefined;
}

/** Reads and answers lines until the person ends the conversation. */
export async function chatLoop({
  terminal,
  renderer,
  print,
  commands,
  prepare = sendAsItIs,
  promptCommands = async () => [],
  askForKey,
  styles = plainStyles,
  ...start
}: ChatParts): Promise<void> {
  let session = start.session;
  let lastRun = followLastRun();
  const follow = (event: SessionEvent): void => {
    lastRun.follow(event);
    renderer.show(event);
  };
  let subscription: Disposable = session.onEvent(follow);
  let isRunning = false;
  let hasEnded = false;
  const report = (error: unknown): void => print(`${styles.red(`Error: ${messageOf(error)}`)}\n`);
  /** Ctrl+C was pressed and nothing typed since: the next Ctrl+C ends. */
  let isInterrupted = false;
  const interrupts = terminal.onInterrupt(() => {
    if (isRunning) session.stop().catch(report);
    if (isInterrupted) terminal.dispose();
    else if (!isRunning) print('Press Ctrl+C again to end, or type /exit.\n');
    isInterrupted = true;
  });
  const end = terminal.onEnd(() => {
    if (isRunning) session.stop().catch(report);
  });
  const steer = async (text: string): Promise<void> => {
    const prompt = await prepare(text);
    if (prompt) await session.submit(prompt);
  };
  const lines = terminal.onLine((text) => {
    isInterrupted = false;
    if (!isRunning || text.trim() === '') return;
    if (text.startsWith('/')) print('The agent is working. Ctrl+C stops it.\n');
    else steer(text).catch(report);
  });
  /** Prompts that a run left unsent are shown, so that the person can send them again. */
  const returnUnsent = (): void => {
    for (const { id } of session.view.waiting ?? []) {
      const text = session.withdraw(id);
      if (text !== undefined) print(`${styles.yellow('Not sent:')} ${visibleText(text, 'prose')}\n`);
    }
  };
  const context: ChatContext = {
    get session() {
      return session;
    },
    print,
    ask: (question) => terminal.ask(question),
    use(other) {
      subscription.dispose();
      session = other;
      subscription = session.onEvent(follow);
      returnUnsent();
    },
    async run(begin) {
      isRunning = true;
      lastRun = followLastRun();
      try {
        await begin();
        await session.whenIdle();
        while (lastRun.error?.code === 'unauthorized' && (await askForKey?.())) {
          await session.retry();
          await session.whenIdle();
        }
      } finally {
        isRunning = false;
        returnUnsent();
      }
    },
    end: () => (hasEnded = true),
  };
  const help: ChatCommand = {
    name: 'help',
    about: 'this list',
    run: async () => print(describeCommands([help, ...commands, ...(await promptCommands())])),
  };
  const say = async (text: string): Promise<void> => {
    const prompt = await prepare(text);
    if (prompt) await context.run(() => session.submit(prompt));
  };
  const take = async (text: string): Promise<void> => {
    const typed = readCommand(text, [help, ...commands]);
    const isUnknown = typed !== undefined && 'unknown' in typed;
    if (!typed || (isUnknown && (await promptCommands()).some(({ name }) => name === typed.unknown))) await say(text);
    else if (isUnknown) print(`There is no /${typed.unknown}. /help lists the commands.\n`);
    else await typed.command.run(context, typed.argument);
  };

  try {
    print('Open Agent. /help lists the commands.\n');
    returnUnsent();
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
