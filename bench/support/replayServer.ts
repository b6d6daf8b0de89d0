import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { doneFrame, finishFrame, sseFrame, usageFrame, type ChunkHead } from '../../scripts/practiceModel/sse';

/**
 * A separate process that sends prepared replies, so making them costs the measured process nothing. It prints its
 * port. The model's name says which reply and how it is written: `text-50000` in blocks of 16 kB, `text-5000-events` with one
 * write an event and a pause after it, `text-5000-rush` without the pause, `text-20-bytes` byte by byte with pauses.
 */
const head: ChunkHead = { id: 'chatcmpl-1', model: 'bench', created: 1_700_000_000 };
const replies = new Map<string, Buffer>();

function chunk(delta: object): string {
  const { id, model, created } = head;
  const choices = [{ index: 0, delta, finish_reason: null }];
  return sseFrame({ id, object: 'chat.completion.chunk', created, model, choices });
}

function textReply(count: number): string {
  return Array.from({ length: count }, (_, index) => chunk({ content: `w${index.toString(36)} ` })).join('');
}

/** Tool calls of `perCall` deltas each. */
function callReply(count: number, perCall: number): string {
  const frames: string[] = [];
  for (let index = 0; index < count; index++) {
    const call = Math.floor(index / perCall);
    const place = index % perCall;
    if (place === 0) {
      const start = { name: 'write_file', arguments: '' };
      frames.push(chunk({ tool_calls: [{ index: call, id: `call${call}`, type: 'function', function: start }] }));
      continue;
    }
    const piece = place === 1 ? '{"content":"' : place === perCall - 1 ? '"}' : `w${index.toString(36)} `;
    frames.push(chunk({ tool_calls: [{ index: call, function: { arguments: piece } }] }));
  }
  return frames.join('');
}

function replyFor(name: string): Buffer {
  const known = replies.get(name);
  if (known) return known;
  const [kind, length] = name.split('-');
  const count = Number(length);
  const body = kind === 'text' ? textReply(count) : callReply(count, kind === 'call' ? count : 1_000);
  const reason = kind === 'text' ? 'stop' : 'tool_calls';
  const usage = usageFrame(head, { promptTokens: 10, completionTokens: count });
  const reply = Buffer.from(body + finishFrame(head, reason) + usage + doneFrame);
  replies.set(name, reply);
  return reply;
}

type Writing = 'blocks' | 'events' | 'rush' | 'bytes';

/** Longer than a reader needs for a piece, so that each arrives on its own, as from a model. */
const PAUSE_MS = 0.04;

/** The pieces of a reply, each for one write. */
function* pieces(reply: Buffer, writing: Writing): Generator<Buffer, void, undefined> {
  if (writing === 'events' || writing === 'rush') {
    for (let at = 0; at < reply.length;) {
      const end = reply.indexOf('\n\n', at) + 2;
      yield reply.subarray(at, end);
      at = end;
    }
    return;
  }
  const size = writing === 'bytes' ? 1 : 16_384;
  for (let at = 0; at < reply.length; at += size) yield reply.subarray(at, at + size);
}

/** Sends a reply no faster than the client reads. */
async function send(response: ServerResponse, reply: Buffer, writing: Writing): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.socket?.setNoDelay(true);
  for (const piece of pieces(reply, writing)) {
    if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
    if (writing === 'blocks') continue;
    const untilMs = performance.now() + (writing === 'rush' ? 0 : PAUSE_MS);
    do await new Promise((resolve) => setImmediate(resolve));
    while (performance.now() < untilMs);
  }
  response.end();
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { model } = JSON.parse(Buffer.concat(parts).toString()) as { model: string };
    const writing = model.split('-')[2] ?? 'blocks';
    void send(response, replyFor(model), writing as Writing);
  });
});
// Keeps the connection of a slow reader open between two requests.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
