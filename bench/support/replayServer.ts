import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { doneFrame, finishFrame, sseFrame, usageFrame, type ChunkHead } from '../../scripts/practiceModel/sse';

/**
 * A separate process that sends prepared replies, so making them costs the measured process nothing. It prints its
 * port. The model's name says which reply: `text-50000`, `arguments-50000`, `call-8000`.
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

/** Sends a reply in pieces of socket size, no faster than the client reads. */
async function send(response: ServerResponse, reply: Buffer): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let at = 0; at < reply.length; at += 16_384) {
    if (!response.write(reply.subarray(at, at + 16_384))) {
      await new Promise((resolve) => response.once('drain', resolve));
    }
  }
  response.end();
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { model } = JSON.parse(Buffer.concat(parts).toString()) as { model: string };
    void send(response, replyFor(model));
  });
});
// Keeps the connection of a slow reader open between two requests.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
