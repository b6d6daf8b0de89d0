import { fork } from 'node:child_process';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OpenAI } from 'openai';
import type { AgentExecutionResult } from '../src/sdk/executionResult';
import type { ModelEvent } from '../src/sdk/model/modelProvider';
import { tool } from '../src/sdk/tool';
import { loadBuiltSdk } from './support/builtSdk';
import { installPeers, loadPeers, type Contestant } from './support/peers';
import type * as sdk from './support/sdkParts';

let built: typeof sdk;

const writeFile = tool('write_file', 'Write a file', { content: 'string' }, () => 'ok');
const messages = [{ role: 'user', content: 'Go.' }] as const;

/** The least possible work: splits the stream into lines and parses each. */
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
  const ours = built.createOpenAIProvider({ baseUrl, silenceTimeoutMs: null });
  for await (const event of ours.stream(request, { signal: new AbortController().signal })) last = event;
  return last;
}

/** The same through a client, with history, loop detection and events for one reader. */
async function client(baseUrl: string, model: string): Promise<unknown> {
  const ours = new built.Client({ baseUrl, model, systemPrompt: '', tools: [writeFile], timeoutMs: null });
  const events = ours.run('Go.');
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
  }
}

const own: Readonly<Record<string, Contestant>> = {
  'fetch and JSON.parse': plain,
  'Open Agent, Client': client,
  'Open Agent, provider': provider,
  "openai's iterator": openai,
};
const BASE = 'fetch and JSON.parse';
const MEASURED = 'Open Agent, Client';
/** The greatest time of each, relative to plain reading of the same reply. */
const MAX_RATIOS: Readonly<Record<string, number>> = { [MEASURED]: 1.5, 'Open Agent, provider': 1.2 };
const blockReplies = ['text-50000', 'arguments-50000', 'call-8000'];
/** One write an event, as real servers do; blocks of 16 kB; one byte at a time. */
const replies = ['text-10000-events', 'arguments-10000-events', 'call-3000-events', ...blockReplies, 'text-50-bytes'];
const ROUNDS = 7;
/** Slow peers run fewer rounds, so the benchmark ends within minutes. */
const PEER_ROUNDS = 4;
const MAX_HEAP_FACTOR = 3;
const KEPT_REPLIES = 20;

export async function run(print: (line: string) => void, flags: readonly string[]): Promise<boolean> {
  built = await loadBuiltSdk();
  const hasPeers = flags.includes('--peers');
  if (hasPeers) await installPeers();
  const peers = hasPeers ? await loadPeers(writeFile) : [];
  const contestants = { ...own };
  for (const peer of peers) if ('contestant' in peer) contestants[peer.name] = peer.contestant;

  const server = fork(path.join(__dirname, 'support', 'replayServer.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const port = await new Promise<string>((resolve) =>
    server.stdout?.once('data', (data) => resolve(String(data).trim())),
  );
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  try {
    print(
      `CPU per chunk, and as a ratio to ${BASE}; the best of ${ROUNDS} alternating rounds (${PEER_ROUNDS} for peers):`,
    );
    const columns: Column[] = [];
    for (const reply of replies) columns.push(await measure(contestants, baseUrl, reply));
    printRow(print, '', replies);
    for (const name of Object.keys(contestants))
      printRow(
        print,
        name,
        columns.map((column) => cellOf(column, name)),
      );
    for (const peer of peers) if ('unavailable' in peer) print(`  ${peer.name}: ${peer.unavailable}`);
    if (!hasPeers) print('  With other libraries: add --peers.');

    const factors = [];
    for (const reply of blockReplies) factors.push(await measureHeap(baseUrl, reply));
    print('Heap a client keeps after collection, to the bytes of the reply:');
    printRow(
      print,
      MEASURED,
      factors.map((factor) => factor.toFixed(2)),
    );
    const limits = Object.entries(MAX_RATIOS);
    for (const [name, limit] of limits) print(`Limit for ${name}: ${limit} times the CPU.`);
    print(`Limit for the heap: ${MAX_HEAP_FACTOR} times the bytes.`);
    const isFast = limits.every(([name, limit]) => columns.every((column) => ratioOf(column, name) <= limit));
    return isFast && factors.every((factor) => factor < MAX_HEAP_FACTOR);
  } finally {
    server.disconnect();
  }
}

/** Microseconds of CPU per chunk, by contestant. */
type Column = Readonly<Record<string, number>>;

function ratioOf(column: Column, name: string): number {
  return (column[name] ?? Number.NaN) / (column[BASE] ?? Number.NaN);
}

function cellOf(column: Column, name: string): string {
  return `${(column[name] ?? Number.NaN).toFixed(2)} µs  ${ratioOf(column, name).toFixed(2).padStart(6)}`;
}

function printRow(print: (line: string) => void, name: string, cells: readonly string[]): void {
  print(`  ${name.padEnd(22)}${cells.map((cell) => cell.padStart(24)).join('')}`);
}

async function measure(
  contestants: Readonly<Record<string, Contestant>>,
  baseUrl: string,
  reply: string,
): Promise<Column> {
  const chunks = Number(reply.split('-')[1]);
  const best: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, read] of Object.entries(contestants)) {
      if (!(name in own) && round >= PEER_ROUNDS) continue;
      const before = process.cpuUsage();
      await read(baseUrl, reply);
      const { user, system } = process.cpuUsage(before);
      best[name] = Math.min(best[name] ?? Infinity, (user + system) / chunks);
    }
  }
  return best;
}

/** The memory a client keeps of a reply, relative to its size. Several replies outweigh the rest of the heap. */
async function measureHeap(baseUrl: string, reply: string): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await client(baseUrl, reply);
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept: unknown[] = [];
  while (kept.length < KEPT_REPLIES) kept.push(await client(baseUrl, reply));
  collect();
  const keptBytes = (process.memoryUsage().heapUsed - before) / KEPT_REPLIES;
  const { conversation } = kept[0] as AgentExecutionResult;
  return keptBytes / JSON.stringify(conversation[1]?.content).length;
}
