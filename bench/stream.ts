import { fork } from 'node:child_process';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OpenAI } from 'openai';
import { Client } from '../src/sdk/client';
import type { AgentExecutionResult } from '../src/sdk/executionResult';
import type { ModelEvent } from '../src/sdk/model/modelProvider';
import { createOpenAIProvider } from '../src/sdk/model/openaiProvider';
import { tool } from '../src/sdk/tool';

/** Reads a whole reply and gives back what a program would keep of it. */
type Contestant = (baseUrl: string, reply: string) => Promise<unknown>;

const writeFile = tool('write_file', 'Write a file', { content: 'string' }, () => 'ok');
const messages = [{ role: 'user', content: 'Go.' }] as const;

/** The least that can be done: cut the stream into lines and parse each. */
async function plain(baseUrl: string, model: string): Promise<unknown> {
  const body = JSON.stringify({ model, stream: true, messages });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
  const decoder = new TextDecoder();
  let rest = '';
  let last: unknown;
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data: ') && line !== 'data: [DONE]') last = JSON.parse(line.slice(6));
    }
  }
  return last;
}

async function openai(baseUrl: string, model: string): Promise<unknown> {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none' });
  const stream = await client.chat.completions.create({ model, stream: true, messages: [...messages] });
  let last: unknown;
  for await (const chunk of stream) last = chunk;
  return last;
}

/** Everything from the socket to blocks: parsing, tool calls, think tags, calls in text. */
async function provider(baseUrl: string, model: string): Promise<unknown> {
  const { name, description, inputSchema } = writeFile;
  const request = {
    model,
    systemPrompt: '',
    messages: [{ role: 'user', content: 'Go.' } as const],
    tools: [{ name, description, inputSchema }],
    sampling: {},
  };
  let last: ModelEvent | undefined;
  const ours = createOpenAIProvider({ baseUrl, silenceTimeoutMs: null });
  for await (const event of ours.stream(request, { signal: new AbortController().signal })) last = event;
  return last;
}

/** The same through a client: history, loop detection, events for one reader. */
async function client(baseUrl: string, model: string): Promise<unknown> {
  const ours = new Client({ baseUrl, model, systemPrompt: '', tools: [writeFile], timeoutMs: null });
  const events = ours.run('Go.');
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
  }
}

const contestants: Readonly<Record<string, Contestant>> = { plain, client, provider, openai };
const replies = ['text-50000', 'arguments-50000', 'call-8000'];
const ROUNDS = 7;
/** Of the client, to the plain reading of the same reply. */
const MAX_RATIO = 2;
const MAX_HEAP_FACTOR = 3;
const KEPT_REPLIES = 20;

export async function run(print: (line: string) => void): Promise<boolean> {
  const server = fork(path.join(__dirname, 'support', 'replayServer.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const port = await new Promise<string>((resolve) =>
    server.stdout?.once('data', (data) => resolve(String(data).trim())),
  );
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  let holds = true;
  try {
    print('CPU per chunk, and as a ratio to fetch and JSON.parse; the best of alternating rounds:');
    for (const reply of replies) {
      const best = await measure(baseUrl, reply);
      const base = best['plain'] ?? Number.NaN;
      const count = Number(reply.split('-')[1]);
      const shown = Object.entries(best).map(
        ([name, ms]) => `${name} ${((ms * 1_000) / count).toFixed(2)} µs (${(ms / base).toFixed(2)})`,
      );
      print(`  ${reply}: ${shown.join(' · ')}`);
      if ((best['client'] ?? Infinity) / base > MAX_RATIO) holds = false;
    }
    for (const reply of replies) {
      const { keptBytes, replyBytes } = await measureHeap(baseUrl, reply);
      const factor = keptBytes / replyBytes;
      print(
        `  ${reply}: ${keptBytes} bytes kept of a reply of ${replyBytes} bytes (${factor.toFixed(2)}, limit ${MAX_HEAP_FACTOR})`,
      );
      if (factor > MAX_HEAP_FACTOR) holds = false;
    }
  } finally {
    server.disconnect();
  }
  print(`The client's limit is ${MAX_RATIO}.`);
  return holds;
}

/** Milliseconds of CPU for each contestant. */
async function measure(baseUrl: string, reply: string): Promise<Readonly<Record<string, number>>> {
  const best: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, read] of Object.entries(contestants)) {
      const before = process.cpuUsage();
      await read(baseUrl, reply);
      const { user, system } = process.cpuUsage(before);
      best[name] = Math.min(best[name] ?? Infinity, (user + system) / 1_000);
    }
  }
  return best;
}

/** What a client keeps of a reply, against what the model wrote; over several, so that the rest of the heap hardly counts. */
async function measureHeap(baseUrl: string, reply: string): Promise<{ keptBytes: number; replyBytes: number }> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await client(baseUrl, reply);
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept: unknown[] = [];
  while (kept.length < KEPT_REPLIES) kept.push(await client(baseUrl, reply));
  collect();
  const keptBytes = Math.round((process.memoryUsage().heapUsed - before) / KEPT_REPLIES);
  const { conversation } = kept[0] as AgentExecutionResult;
  return { keptBytes, replyBytes: JSON.stringify(conversation[1]?.content).length };
}
