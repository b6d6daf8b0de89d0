import { Client } from '../../../src/sdk/client';
import type { AgentEvent } from '../../../src/sdk/events';
import type { AgentExecutionResult } from '../../../src/sdk/executionResult';
import type { ContentBlock } from '../../../src/sdk/messages';
import type { AgentOptions } from '../../../src/sdk/configuration/agentOptions';
import { scriptedModel, ScriptedProvider, type Script } from '../servers/scriptedProvider';

/** A client in automatic mode on a provider that plays the scripts. */
export function scriptedClient(
  scripts: readonly Script[],
  options: Partial<AgentOptions> = {},
): { readonly client: Client; readonly provider: ScriptedProvider } {
  const provider = new ScriptedProvider(scripts);
  const client = new Client({
    systemPrompt: 'Be brief.',
    model: scriptedModel,
    baseUrl: 'http://localhost:8080',
    autoExecuteTools: true,
    provider,
    ...options,
  });
  return { client, provider };
}

export interface Recorded {
  readonly events: readonly AgentEvent[];
  readonly result: AgentExecutionResult;
}

/** Reads a run to its end. Calls `onEvent` with each event and awaits it. */
export async function record(
  run: AsyncGenerator<AgentEvent, AgentExecutionResult>,
  onEvent: (event: AgentEvent) => void | Promise<void> = () => {},
): Promise<Recorded> {
  const events: AgentEvent[] = [];
  for (let next = await run.next(); ; next = await run.next()) {
    if (next.done) return { events, result: next.value };
    events.push(next.value);
    await onEvent(next.value);
  }
}

export async function collect<T = ContentBlock>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
