import assert from 'node:assert/strict';
import { CacheWarmer } from '../src/agent/servers/model/cacheWarmer';
import { SlotQueue, withSlot } from '../src/agent/servers/model/slotQueue';
import { Client } from '../src/sdk/client';
import { createOpenAIProvider } from '../src/sdk/model/openaiProvider';
import { tool } from '../src/sdk/tool';
import { PrefixCacheServer, type ModelMove, type PromptReading } from '../test/support/servers/prefixCacheServer';
import type { WireMessage } from '../test/support/servers/modelServer';

/** The cost of two turns on a server with a prefix cache and a template that drops earlier thoughts. */
export interface CacheCosts {
  /** The steps within the turns. */
  readonly steps: readonly PromptReading[];
  /** The first request after the second user message. */
  readonly secondMessage: PromptReading;
  /** The warming request while the person reads; absent without warming. */
  readonly warming?: PromptReading | undefined;
}

export const CALLS_PER_TURN = 20;

/** Two turns of tool calls with thoughts, each reading a file of some length. */
export async function measureCache({ isWarmed }: { readonly isWarmed: boolean }): Promise<CacheCosts> {
  await using server = await PrefixCacheServer.start(nextMove);
  const slots = new SlotQueue();
  const direct = createOpenAIProvider({ baseUrl: server.baseUrl, silenceTimeoutMs: null });
  const queued = withSlot(direct, slots, server.baseUrl);
  const pause: { end: (() => void) | undefined } = { end: undefined };
  const warmer = new CacheWarmer({
    slots,
    // The benchmark ends the pause.
    setTimer: (run) => {
      pause.end = run;
      return { dispose: () => (pause.end = undefined) };
    },
  });
  await using client = new Client({
    systemPrompt: 'You are a coding agent. '.repeat(40),
    model: 'reasoner',
    baseUrl: server.baseUrl,
    provider: isWarmed ? warmer.wrap(queued, direct, server.baseUrl) : queued,
    tools: [tool('read', 'Read a file', { path: 'string' }, ({ path }) => fileText(path))],
    autoExecuteTools: true,
    maxToolIterations: CALLS_PER_TURN + 1,
    temperature: null,
    maxTokens: null,
  });
  const perTurn = CALLS_PER_TURN + 1;
  await ask(client, 'Look at the files of the first half.');
  if (isWarmed) {
    pause.end?.();
    await server.answered(perTurn + 1);
  }
  await ask(client, 'Now those of the second half.');
  warmer.dispose();
  const { readings } = server;
  const secondAt = perTurn + (isWarmed ? 1 : 0);
  const secondMessage = readings[secondAt];
  assert.ok(secondMessage && readings.length === secondAt + perTurn);
  const steps = [...readings.slice(1, perTurn), ...readings.slice(secondAt + 1)];
  return { steps, secondMessage, ...(isWarmed && { warming: readings[perTurn] }) };
}

/** The highest share of tokens read again, over all steps. */
export function worstOverhead(steps: readonly PromptReading[]): number {
  return Math.max(...steps.map(({ readTokens, newTokens }) => readTokens / newTokens - 1));
}

export async function run(print: (line: string) => void): Promise<boolean> {
  const cold = await measureCache({ isWarmed: false });
  const warm = await measureCache({ isWarmed: true });
  const overhead = worstOverhead([...cold.steps, ...warm.steps]);
  print(`Two turns of ${CALLS_PER_TURN} tool calls, ${warm.steps.length} steps within them:`);
  print(`  tokens read beyond the new ones, worst step: ${(overhead * 100).toFixed(2)} % (limit 1 %)`);
  print('The second user message, tokens read before the answer begins:');
  print(`  without warming: ${cold.secondMessage.readTokens}`);
  print(`  with warming: ${warm.secondMessage.readTokens} (limit 30), ${warm.warming?.readTokens} read in the pause`);
  return overhead <= 0.01 && warm.secondMessage.readTokens <= 30;
}

async function ask(client: Client, prompt: string): Promise<void> {
  const events = client.run(prompt);
  for (;;) {
    const next = await events.next();
    if (!next.done) continue;
    assert.equal(next.value.outcome, 'completed', next.value.error?.message);
    return;
  }
}

function nextMove(messages: readonly WireMessage[]): ModelMove {
  const question = messages.findLastIndex(({ role }) => role === 'user');
  const done = messages.slice(question).filter(({ role }) => role === 'tool').length;
  const total = messages.filter(({ role }) => role === 'tool').length;
  const thinking = `I have read ${done} files of this half. Each may matter, so I take them one by one.`;
  if (done === CALLS_PER_TURN) return { thinking, text: 'That was all of them. They hold plain functions.' };
  return { thinking, call: { name: 'read', arguments: { path: `src/file${total}.ts` } } };
}

function fileText(path: string): string {
  return Array.from({ length: 30 }, (_, line) => `export const value${line} = load('${path}', ${line * 7});`).join(
    '\n',
  );
}
