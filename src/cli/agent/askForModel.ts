import type { FoundServer } from '../../agent/servers/probe/serverProbe';
import { lacksTools } from '../../agent/servers/model/toolSupport';
import type { OpenAgent } from './openAgent';
import { safeTerminalText } from '../terminal/safeTerminalText';

export interface ModelQuestionParts {
  readonly print: (text: string) => void;
  readonly ask: (question: string) => Promise<string | undefined>;
}

/**
 * Asks for a model when none is set and the server has several. The answer counts from then on. Without an answer the first
 * suitable model is used.
 */
export async function ensureModel(
  agent: Pick<OpenAgent, 'configuration' | 'change' | 'look'>,
  { signal, ...parts }: ModelQuestionParts & { readonly signal: AbortSignal },
): Promise<void> {
  if (agent.configuration.model !== '' || signal.aborted) return;
  try {
    const server = await agent.look(signal);
    // A later request reports the server's error.
    if (!server.ok || server.models.length < 2) return;
    const model = await askForModel(server, parts);
    if (model !== undefined) agent.change({ model });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Asks which model of a server to use; also takes a name that is not listed. `undefined`: the person chose none. */
export async function askForModel(
  server: FoundServer,
  { print, ask }: ModelQuestionParts,
): Promise<string | undefined> {
  const { models, name, baseUrl } = server;
  const count = models.length === 1 ? 'one model' : `${models.length} models`;
  print(`${safeTerminalText(name)} at ${baseUrl} has ${count}:\n`);
  for (const [index, { id, isLoaded }] of models.entries()) {
    const details = [isLoaded && 'loaded', lacksTools(server, id) && 'not made to call tools'].filter(Boolean);
    const shown = details.length > 0 ? ` (${details.join(', ')})` : '';
    print(`${String(index + 1).padStart(3)}  ${safeTerminalText(id)}${shown}\n`);
  }
  for (;;) {
    const answer = (await ask('Number or name of the model (Enter: leave it): '))?.trim();
    if (!answer) return undefined;
    const named = /^\d+$/.test(answer) ? models[Number(answer) - 1]?.id : answer;
    if (named !== undefined && !named.includes('\n')) return named;
    print(`There is no number ${safeTerminalText(answer)}.\n`);
  }
}
