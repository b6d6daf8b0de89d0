import type { KeyStore } from '../../agent/servers/keys';
import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import { safeTerminalText } from '../terminal/safeTerminalText';
import type { Terminal } from '../terminal/terminal';
import type { OpenAgent } from './openAgent';

export interface KeyQuestionParts {
  readonly terminal: Pick<Terminal, 'ask'>;
  readonly agent: Pick<OpenAgent, 'look'>;
  readonly keys: Pick<KeyStore, 'set'>;
  readonly registry: Pick<SessionRegistry, 'reconfigure'>;
  readonly print: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Asks for the API key of the server in use, with nothing shown while it is typed. The key is kept in memory until the
 * process ends, and is sent to that server only. False: the person gave none.
 */
export async function askForKey({
  terminal,
  agent,
  keys,
  registry,
  print,
  signal,
}: KeyQuestionParts): Promise<boolean> {
  if (signal.aborted) return false;
  const { baseUrl } = await agent.look(signal);
  if (!URL.canParse(baseUrl)) return false;
  const question = `API key for ${safeTerminalText(new URL(baseUrl).origin)}, not shown (Enter: none): `;
  for (;;) {
    const key = (await terminal.ask(question, { signal, isHidden: true }))?.trim();
    if (!key) return false;
    const kept = await keys.set(baseUrl, key);
    if (kept.ok) break;
    print(`${kept.error}\n`);
  }
  registry.reconfigure();
  return true;
}
