import { chatLoop } from './chatLoop';
import { chatCommands } from './chatCommands';
import { askForKey } from '../agent/askForKey';
import { ensureModel } from '../agent/askForModel';
import { recap } from '../terminal/recap';
import { createSessionRenderer } from '../terminal/renderSession';
import type { RunSetup } from '../prompt/runSetup';
import type { Terminal } from '../terminal/terminal';

/** Runs the conversation until the person or the process ends it. */
export async function startChat(parts: RunSetup & { readonly terminal: Terminal }): Promise<void> {
  const { context, terminal, session, isResumed, agent, places, styles, restore, prepare } = parts;
  const { cli, log } = context;
  const { signal, stdout } = cli;
  // Ending the process does not wait for an answer of the model or the person.
  const end = (): void => {
    terminal.dispose();
    places.registry.dispose().catch(context.onInternalError);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    await ensureModel(agent, { ask: (question) => terminal.ask(question), print: log, signal });
    if (isResumed) log(recap(session));
    const renderer = createSessionRenderer({
      answer: (text) => void stdout.write(text),
      log,
      isTerminal: stdout.isTTY === true,
      styles,
    });
    await chatLoop({
      terminal,
      renderer,
      print: log,
      session,
      commands: chatCommands({ places, agent, restore, signal }),
      prepare,
      promptCommands: parts.promptCommands,
      askForKey: () =>
        askForKey({ terminal, agent, keys: context.modelAccess.keys, registry: places.registry, print: log, signal }),
      styles,
    });
  } finally {
    signal.removeEventListener('abort', end);
  }
}
