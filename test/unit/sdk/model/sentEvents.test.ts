import assert from 'node:assert/strict';
import { withRetry } from '../../../../src/sdk/model/http/retryingProvider';
import { guardLoops } from '../../../../src/sdk/model/http/guardLoops';
import type { ModelEvent, ModelProvider } from '../../../../src/sdk/model/modelProvider';
import { createOpenAIProvider } from '../../../../src/sdk/model/openaiProvider';
import { sendEvents, type EventSink } from '../../../../src/sdk/model/sentEvents';

const request = {
  model: 'm',
  systemPrompt: '',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [],
  sampling: {},
} as const;
const options = { signal: new AbortController().signal };

function chunk(delta: object, finish_reason: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}

/** A provider whose server sends these pieces, each when it is read. Logs the reads. */
function providerOf(pieces: readonly string[], log: string[]): ModelProvider {
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = left.shift();
        log.push(piece === undefined ? 'end' : 'read');
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'text/event-stream' };
  return createOpenAIProvider({ baseUrl: 'http://localhost', fetch: async () => new Response(body, { headers }) });
}

const typesOf = (events: readonly ModelEvent[]): string => events.map(({ type }) => type).join();

describe('sendEvents', () => {
  const pieces = [
    chunk({ reasoning_content: 'Hm.' }) + chunk({ content: 'One ' }) + chunk({ content: 'two ' }),
    chunk({ content: 'three' }) + chunk({}, 'stop') + 'data: [DONE]\n\n',
  ];

  it('gives the events of each read as one array through all layers, and asks for the next read after that', async () => {
    const log: string[] = [];
    const sink: EventSink = {
      hasLeft: false,
      async take(events) {
        if (events.length === 0) return;
        log.push(typesOf(events));
        await new Promise((resolve) => setImmediate(resolve));
        log.push('taken');
      },
    };
    await sendEvents(guardLoops(withRetry(providerOf(pieces, log), { maxRetries: 1 })), request, options, sink);
    assert.deepEqual(log, [
      ...['status', 'taken', 'status', 'taken'],
      ...['read', 'status,thinking_delta,block_end,text_delta', 'taken'],
      ...['read', 'text_delta', 'taken'],
      ...['block_end,response_end', 'taken'],
    ]);
  });

  it('reads no further when the sink has left', async () => {
    const log: string[] = [];
    let hasLeft = false;
    await sendEvents(withRetry(providerOf(pieces, log), { maxRetries: 1 }), request, options, {
      take: (events) => void (hasLeft ||= events.some(({ type }) => type === 'text_delta')),
      get hasLeft() {
        return hasLeft;
      },
    });
    assert.deepEqual(log, ['read']);
  });

  it("sends the events of a user's own provider one by one, and leaves its stream", async () => {
    const log: string[] = [];
    const own: ModelProvider = {
      async *stream() {
        try {
          for (const text of ['One ', 'two ', 'three']) yield { type: 'text_delta', block: 0, text };
        } finally {
          log.push('left');
        }
      },
    };
    await sendEvents(guardLoops(own), request, options, {
      take: (events) => void log.push(typesOf(events)),
      get hasLeft() {
        return log.length === 2;
      },
    });
    assert.deepEqual(log, ['text_delta', 'text_delta', 'left']);
  });
});
