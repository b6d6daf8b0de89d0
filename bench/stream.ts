import { fork } from 'node:child_process';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OpenAI } from 'openai';
import { projectRoot } from '../scripts/projectRoot';
import { Client } from '../src/sdk/client';
import type { AgentExecutionResult } from '../src/sdk/executionResult';
import type { ModelEvent } from '../src/sdk/model/modelProvider';
import { createOpenAIProvider } from '../src/sdk/model/openaiProvider';
import { tool } from '../src/sdk/tool';
import { installPeers, loadPeers, type Contestant } from './support/peers';

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
  const ours = createOpenAIProvider({ baseUrl, silenceTimeoutMs: null });
  for await (const event of ours.stream(request, { signal: new AbortController().signal })) last = event;
  return last;
}

/** The same through a client, with history, loop detection and events for one reader. */
async function client(baseUrl: string, model: string): Promise<unknown> {
  const ours = new Client({ baseUrl, model, systemPrompt: '', tools: [writeFile], timeoutMs: null });
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
/** One write an event, which arrives alone, as from a model; the same as fast as the server can; blocks of 16 kB; one byte at a time. */
const replies = [
  ...['text-5000-events', 'arguments-5000-events', 'call-5000-events'],
  ...['text-5000-rush', 'arguments-5000-rush'],
  ...blockReplies,
  'text-20-bytes',
];
/** So often everyone reads each reply before anything is measured: the compiler has to see all kinds of them. */
const WARM_UPS = 3;
/** So often again before a reply is measured: until then a contestant's time still falls. */
const REPLY_WARM_UPS = 8;
const MIN_ROUNDS = 30;
/** Rounds end when the minima of our own and of plain reading have stood for so many. */
const QUIET_ROUNDS = 20;
const MAX_MEASURING_MS = 20_000;
/** A smaller fall of a minimum is none. */
const NOISE = 0.01;
/** The others are slow and have no limit. With fewer rounds the benchmark ends within minutes. */
const OTHER_ROUNDS = 4;
const MAX_HEAP_FACTOR = 3;
const KEPT_REPLIES = 20;

export async function run(print: (line: string) => void, flags: readonly string[]): Promise<boolean> {
  const hasPeers = flags.includes('--peers');
  if (hasPeers) await installPeers();
  const peers = hasPeers ? await loadPeers(writeFile) : [];
  const contestants = { ...own };
  for (const peer of peers) if ('contestant' in peer) contestants[peer.name] = peer.contestant;

  const server = fork(path.join(projectRoot, 'bench', 'support', 'replayServer.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const port = await new Promise<string>((resolve) =>
    server.stdout?.once('data', (data) => resolve(String(data).trim())),
  );
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  try {
    const limited = [BASE, ...Object.keys(MAX_RATIOS)];
    print(
      `Everyone reads each reply ${WARM_UPS} times unmeasured, and ${REPLY_WARM_UPS} times more before it is measured. Then they take turns, for at least ${MIN_ROUNDS} rounds and until no minimum has fallen for ${QUIET_ROUNDS} (at most ${MAX_MEASURING_MS / 1_000} s a reply; ${OTHER_ROUNDS} rounds for those without a limit).`,
    );
    for (const reply of replies)
      await warmUp(
        limited.map((name) => contestants[name]),
        baseUrl,
        reply,
        WARM_UPS,
      );
    print(`CPU per chunk, and as a ratio to ${BASE}; the minimum of all rounds, in a rush the median:`);
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

/**
 * The minimum of each contestant. In a rush, several events arrive in one read, and how many is chance: there the median counts. They
 * begin in another order each round, because garbage of one is collected with the next.
 */
async function measure(
  contestants: Readonly<Record<string, Contestant>>,
  baseUrl: string,
  reply: string,
): Promise<Column> {
  const chunks = Number(reply.split('-')[1]);
  const best: Record<string, number> = {};
  const all: Record<string, number[]> = {};
  let quietSince = 0;
  const limited = Object.entries(contestants).filter(([name]) => name === BASE || name in MAX_RATIOS);
  const others = Object.entries(contestants).filter((entry) => !limited.includes(entry));
  await warmUp(
    limited.map(([, read]) => read),
    baseUrl,
    reply,
    REPLY_WARM_UPS,
  );
  await warmUp(
    others.map(([, read]) => read),
    baseUrl,
    reply,
    1,
  );
  const startMs = performance.now();
  for (let round = 0; round < MIN_ROUNDS || round - quietSince < QUIET_ROUNDS; round++) {
    if (performance.now() - startMs > MAX_MEASURING_MS) break;
    const turns = round < OTHER_ROUNDS ? [...limited, ...others] : limited;
    const first = round % turns.length;
    for (const [name, read] of [...turns.slice(first), ...turns.slice(0, first)]) {
      const before = process.cpuUsage();
      await read(baseUrl, reply);
      const { user, system } = process.cpuUsage(before);
      const known = best[name] ?? Infinity;
      const spent = (user + system) / chunks;
      (all[name] ??= []).push(spent);
      best[name] = Math.min(known, spent);
      if (best[name] < known * (1 - NOISE)) quietSince = round;
    }
  }
  if (!reply.endsWith('-rush')) return best;
  return Object.fromEntries(Object.entries(all).map(([name, values]) => [name, medianOf(values)]));
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function warmUp(
  contestants: readonly (Contestant | undefined)[],
  baseUrl: string,
  reply: string,
  count: number,
): Promise<void> {
  for (let round = 0; round < count; round++) for (const read of contestants) await read?.(baseUrl, reply);
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
