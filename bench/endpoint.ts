import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { doneFrame, finishFrame, roleFrame, textFrame, usageFrame } from '../scripts/practiceModel/sse';
import { SlotQueue } from '../src/agent/servers/model/slotQueue';
import type { Endpoint } from '../src/endpoint/startEndpoint';
import { serveAgent, serveSessions, TOKEN } from '../test/support/servers/servedAgent';
import { createTemporaryFolder } from '../test/support/files/temporaryFolder';

const CLIENTS = 50;
const PIECES = 400;
const ROUNDS = 5;
const SLOTS = 4;
const MAX_GROWTH_MB = 20;

/**
 * 50 clients at once: each gets its own whole answer or a 429, and memory does not grow with the number of requests. Runs
 * once without sessions, as on the command line, and once with a session for each run, as in VS Code.
 */
export async function run(print: (line: string) => void): Promise<boolean> {
  setFlagsFromString('--expose-gc');
  await using folder = await createTemporaryFolder();
  const model = await startModel();
  const slots = new SlotQueue();
  slots.setSize(model.baseUrl, SLOTS);
  const options = { modelUrl: model.baseUrl, folder: folder.path, slots };
  try {
    print(`${ROUNDS} times ${CLIENTS} clients at once, a model with ${SLOTS} slots, ${PIECES} pieces an answer:`);
    const { endpoint } = await serveAgent(options);
    const plain = await crowd(endpoint, 'without sessions', print);
    const approver = { ask: () => Promise.reject(new Error('Nothing asks here.')) };
    const directory = path.join(folder.path, 'sessions');
    const served = await serveSessions({ ...options, directory, approver });
    const withSessions = await crowd(served.endpoint, 'with sessions', print);
    await served.registry.dispose();
    for (const error of served.errors) print(`  ${String(error)}`);
    return plain && withSessions && served.errors.length === 0;
  } finally {
    await model.stop();
  }
}

async function crowd(endpoint: Endpoint, name: string, print: (line: string) => void): Promise<boolean> {
  const collect = runInNewContext('gc') as () => void;
  const heaps: number[] = [];
  const counts = { whole: 0, refused: 0, wrong: 0 };
  const startMs = performance.now();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const ids = Array.from({ length: CLIENTS }, (_, index) => `round-${round}-client-${index}`);
      for (const result of await Promise.all(ids.map((id, index) => ask(endpoint.baseUrl, id, index % 2 === 0)))) {
        if (result === 'whole' || result === 'refused') counts[result] += 1;
        else {
          counts.wrong += 1;
          print(`  ${result}`);
        }
      }
      collect();
      heaps.push(process.memoryUsage().heapUsed / 1e6);
    }
  } finally {
    await endpoint.stop();
  }
  const { whole, refused, wrong } = counts;
  const seconds = (performance.now() - startMs) / 1_000;
  const growth = (heaps.at(-1) ?? 0) - (heaps[0] ?? 0);
  print(`  ${name}: ${whole} whole answers, ${refused} answered 429, ${wrong} wrong; ${seconds.toFixed(1)} s.`);
  print(
    `  Heap after the first round ${heaps[0]?.toFixed(1)} MB; growth to the last: ${growth.toFixed(1)} MB (limit ${MAX_GROWTH_MB} MB).`,
  );
  return wrong === 0 && whole > 0 && whole + refused === ROUNDS * CLIENTS && growth < MAX_GROWTH_MB;
}

/** The model's answer to this prompt. Every piece names the prompt, so a mixed-up answer is noticed. */
function pieceOf(prompt: string, index: number): string {
  return `${prompt}#${index} `;
}

async function ask(baseUrl: string, id: string, stream: boolean): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'open-agent', stream, messages: [{ role: 'user', content: id }] }),
  });
  const text = await response.text();
  if (response.status === 429) return response.headers.has('retry-after') ? 'refused' : 'a 429 without Retry-After';
  if (response.status !== 200) return `${id}: ${response.status} ${text.slice(0, 200)}`;
  const wanted = Array.from({ length: PIECES }, (_, index) => pieceOf(id, index)).join('');
  const got = stream ? streamedText(text) : contentOf(JSON.parse(text) as Answer);
  return got === wanted ? 'whole' : `${id}: another answer: ${got.slice(0, 100)}`;
}

interface Answer {
  readonly choices: readonly {
    readonly message?: { readonly content: string };
    readonly delta?: { readonly content?: string };
  }[];
}

function contentOf({ choices: [choice] }: Answer): string {
  return choice?.message?.content ?? choice?.delta?.content ?? '';
}

function streamedText(body: string): string {
  if (!body.endsWith('data: [DONE]\n\n')) return 'a stream without an end';
  const frames = body.split('\n\n').filter((frame) => frame.startsWith('data: {'));
  return frames.map((frame) => contentOf(JSON.parse(frame.slice('data: '.length)) as Answer)).join('');
}

async function startModel(): Promise<{ readonly baseUrl: string; readonly stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      // The probe gets no answer, so this is a server of unknown kind.
      if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
        response.writeHead(404).end();
        return;
      }
      const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: { content: string }[] };
      const prompt = messages.at(-1)?.content ?? '';
      const head = { id: 'chatcmpl-1', model: 'bench', created: 1_700_000_000 };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(roleFrame(head));
      let index = 0;
      // Writes in turn with the other answers, like a server with several slots.
      const next = (): void => {
        const end = Math.min(index + 20, PIECES);
        for (; index < end; index++) response.write(textFrame(head, pieceOf(prompt, index)));
        if (index < PIECES) return void setImmediate(next);
        const usage = usageFrame(head, { promptTokens: 100, completionTokens: PIECES });
        response.end(finishFrame(head, 'stop') + usage + doneFrame);
      };
      next();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
