import type { AgentSession } from '../agent/agentSession';
import type { Disposable } from '../util/disposable';
import type { SessionRenderer } from './renderSession';
import type { Terminal } from './terminal';

export interface ChatParts {
  readonly terminal: Terminal;
  readonly renderer: SessionRenderer;
  readonly print: (text: string) => void;
  readonly createSession: () => Promise<AgentSession>;
}

const HELP = `/new       start a new session
/retry     send the last prompt again after an error
/continue  go on after a stop or a limit
/exit      end (or Ctrl+D)
Ctrl+C stops what is running. What is typed meanwhile reaches the model at its next step.
`;

/** A conversation by lines, until the person ends it. */
export async function chat({ terminal, renderer, print, createSession }: ChatParts): Promise<void> {
  let session = await createSession();
  let subscription: Disposable = session.onEvent(renderer.show);
  let isRunning = false;
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
  const run = async (start: () => Promise<void>): Promise<void> => {
    isRunning = true;
    try {
      await start();
      await session.whenIdle();
    } catch (error) {
      report(error);
    } finally {
      isRunning = false;
    }
  };

  try {
    print('Open Agent. /help lists what can be typed besides a prompt.\n');
    while (true) {
      print('\n');
      const text = (await terminal.ask('> '))?.trim();
      if (text === undefined || text === '/exit') return;
      if (text === '') continue;
      if (text === '/help') print(HELP);
      else if (text === '/new') {
        subscription.dispose();
        session = await createSession();
        subscription = session.onEvent(renderer.show);
      } else if (text === '/retry') await run(() => session.retry());
      else if (text === '/continue') await run(() => session.continueRun());
      else await run(() => session.submit({ text }));
    }
  } finally {
    lines.dispose();
    interrupts.dispose();
    subscription.dispose();
  }
}
