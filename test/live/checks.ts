import assert from 'node:assert/strict';
import * as z from 'zod';
import { Client, tool, type AgentEvent, type AgentExecutionResult, type AgentOptions } from '../../src/sdk';

/** What a check needs to know of the server. */
export interface LiveTarget {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}

/** A check that cannot say anything about this server or model is skipped; one that finds something wrong throws. */
export type CheckOutcome = { readonly kind: 'passed'; readonly detail: string } | Skipped;

interface Skipped {
  readonly kind: 'skipped';
  readonly reason: string;
}

export interface LiveCheck {
  readonly name: string;
  readonly run: (target: LiveTarget, signal: AbortSignal) => Promise<CheckOutcome>;
}

export const checks: readonly LiveCheck[] = [
  { name: 'streaming', run: streaming },
  { name: 'tool call', run: toolCall },
  { name: 'thinking', run: thinking },
  { name: 'usage', run: usage },
  { name: 'structured output', run: structuredOutput },
  { name: 'interrupt', run: interrupt },
  { name: 'prompt cache', run: promptCache },
];

async function streaming(target: LiveTarget, signal: AbortSignal): Promise<CheckOutcome> {
  await using client = clientFor(target);
  const { events, result } = await readRun(client.run('Count from one to ten in words, one word a line.', { signal }));
  const deltas = events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : []));
  assert.equal(deltas.join(''), result.primaryText, 'the pieces are not the whole');
  assert.notEqual(result.primaryText.trim(), '', 'the answer is empty');
  assert.deepEqual(
    client.history.map(({ role }) => role),
    ['user', 'assistant'],
  );
  if (deltas.length < 2) return skipped('the server sent the answer in one piece');
  return passed(`${deltas.length} pieces`);
}

async function toolCall(target: LiveTarget, signal: AbortSignal): Promise<CheckOutcome> {
  const code = 'K7-4193';
  let calls = 0;
  const getCode = tool('get_door_code', 'Get the code of a door', { door: 'string' }, () => {
    calls += 1;
    return { code };
  });
  await using client = clientFor(target, { tools: [getCode], autoExecuteTools: true });
  const prompt = 'Use the tool get_door_code to find out the code of the door "cellar", then tell me the code.';
  const { result } = await readRun(client.run(prompt, { signal }));
  if (calls === 0) return skipped('the model answered without calling the tool');
  const results = result.conversation.filter(({ role }) => role === 'tool');
  assert.equal(results.length, calls, 'not every call has a result');
  if (!result.primaryText.includes(code)) return skipped('the tool ran, but the model did not say what it gave back');
  return passed(`${calls} ${calls === 1 ? 'call' : 'calls'}, answered from the result`);
}

async function thinking(target: LiveTarget, signal: AbortSignal): Promise<CheckOutcome> {
  await using client = clientFor(target, { thinking: true });
  const { events, result } = await readRun(client.run('How many prime numbers are there below 12?', { signal }));
  assert.doesNotMatch(result.primaryText, /<\/?think(ing)?>/, 'thinking leaked into the answer');
  const thought = events.flatMap((event) => (event.type === 'thinking_delta' ? [event.text] : [])).join('');
  if (thought === '') return skipped('the model does not think, or the server does not send its thoughts');
  return passed(`${thought.length} characters of thought, ${result.primaryText.length} of answer`);
}

async function usage(target: LiveTarget, signal: AbortSignal): Promise<CheckOutcome> {
  await using client = clientFor(target);
  const { result } = await readRun(client.run('Say hello.', { signal }));
  if (!result.usage) return skipped('the server reports no usage');
  const { promptTokens, completionTokens } = result.usage;
  assert.ok(promptTokens > 0 && completionTokens > 0, `the server reports ${JSON.stringify(result.usage)}`);
  return passed(`${promptTokens} tokens of prompt, ${completionTokens} of answer`);
}

async function structuredOutput(target: LiveTarget, signal: AbortSignal): Promise<CheckOutcome> {
  const Capital = z.object({ country: z.string(), capital: z.string() });
  await using client = clientFor(target, { outputSchema: Capital });
  const { events, result } = await readRun(client.run('What is the capital of France?', { signal }), [
    'invalid_output',
  ]);
  if (result.error) return skipped(`the model did not manage the schema: ${result.error.message}`);
  Capital.parse(result.structuredOutput);
  const corrections = events.filter(({ type }) => type === 'user_message').length - 1;
  return passed(corrections === 0 ? 'at once' : `after ${corrections} corrections`);
}

async function interrupt(target: LiveTarget, signal: AbortSignal): Promise<CheckOutcome> {
  await using client = clientFor(target);
  let askedAt: number | undefined;
  const story = client.run('Tell me a long story about a lighthouse.', { signal });
  const { result } = await readRun(story, ['loop_detected'], (event) => {
    if (askedAt !== undefined || (event.type !== 'text_delta' && event.type !== 'thinking_delta')) return;
    askedAt = performance.now();
    void client.interrupt();
  });
  const tookMs = Math.round(performance.now() - (askedAt ?? Number.NaN));
  if (result.outcome === 'completed') return skipped('the answer was over before it could be stopped');
  if (result.error) return skipped('the model repeated itself before it could be stopped');
  assert.equal(result.outcome, 'interrupted');
  assert.ok(tookMs < 1_000, `stopping took ${tookMs} ms`);
  // A model that repeats itself has been asked, and has answered.
  const { result: next } = await readRun(client.run('Stop. Just say OK.', { signal }), ['loop_detected']);
  if (!next.error) assert.equal(next.outcome, 'completed');
  return passed(`stopped after ${tookMs} ms, and the next prompt was answered`);
}

async function promptCache(target: LiveTarget, signal: AbortSignal): Promise<CheckOutcome> {
  // The beginning is new to the server, so that the first request really is read.
  const notes = Array.from({ length: 120 }, (_, line) => `Note ${line}: ship ${line * 7} lies at pier ${line % 9}.`);
  const systemPrompt = `Started at ${Date.now()}.\n${notes.join('\n')}`;
  await using client = clientFor(target, { systemPrompt });
  const first = await readRun(client.run('Where does ship 7 lie?', { signal }));
  const second = await readRun(client.run('And ship 14?', { signal }));
  const times = `first token after ${first.firstTokenMs} ms, then after ${second.firstTokenMs} ms`;
  const cached = cachedTokensOf(second);
  const before = first.result.usage?.promptTokens;
  if (cached === undefined || before === undefined)
    return skipped(`the server does not say what it had cached (${times})`);
  if (cached === 0) return skipped(`the server kept nothing of the prompt (${times})`);
  assert.ok(
    cached >= before * 0.8,
    `only ${cached} of ${before} tokens were cached: does the request change at its start?`,
  );
  return passed(`${cached} of ${before} tokens from the cache, ${times}`);
}

function cachedTokensOf({ events, result }: ReadRun): number | undefined {
  const progress = events.findLast((event) => event.type === 'prompt_progress');
  return result.usage?.cachedTokens ?? (progress?.type === 'prompt_progress' ? progress.progress.cached : undefined);
}

function clientFor({ baseUrl, model, apiKey }: LiveTarget, options: Partial<AgentOptions> = {}): Client {
  const base = { systemPrompt: 'You are brief.', temperature: 0, maxTokens: 2_048, timeoutMs: 300_000 };
  return new Client({ ...base, baseUrl, model, apiKey, ...options });
}

interface ReadRun {
  readonly events: readonly AgentEvent[];
  readonly result: AgentExecutionResult;
  /** From the start of the run; absent when nothing streamed. */
  readonly firstTokenMs?: number | undefined;
}

/** Reads a run to its end. An error other than the expected ones fails the check. */
async function readRun(
  run: AsyncGenerator<AgentEvent, AgentExecutionResult>,
  expected: readonly string[] = [],
  onEvent: (event: AgentEvent) => void = () => {},
): Promise<ReadRun> {
  const startedAt = performance.now();
  const events: AgentEvent[] = [];
  let firstTokenMs: number | undefined;
  for (let next = await run.next(); ; next = await run.next()) {
    if (next.done) {
      const { error } = next.value;
      if (error && !expected.includes(error.code)) throw new Error(error.message);
      return { events, result: next.value, firstTokenMs };
    }
    const event = next.value;
    events.push(event);
    if (event.type.endsWith('_delta')) firstTokenMs ??= Math.round(performance.now() - startedAt);
    onEvent(event);
  }
}

function passed(detail: string): CheckOutcome {
  return { kind: 'passed', detail };
}

function skipped(reason: string): CheckOutcome {
  return { kind: 'skipped', reason };
}
