import assert from 'node:assert/strict';
import { probeServer, type FoundServer } from '../../src/agent/servers/probe/serverProbe';
import { runDoctor } from '../../src/agent/servers/doctor/doctor';
import { findingsOf } from '../../src/agent/view/server/doctorReport';
import { LearnedQuirks } from '../../src/agent/servers/learnedQuirks';
import { connectModel } from '../../src/agent/servers/model/modelConnection';
import type { ModelOptions } from '../../src/agent/servers/model/modelOptions';
import { SlotQueue } from '../../src/agent/servers/model/slotQueue';
import { Client, tool, type AgentEvent, type AgentExecutionResult, type AgentOptions } from '../../src/sdk';
import { createFetch } from '../../src/sdk/model/http/httpTransport';
import { createOpenAIProvider } from '../../src/sdk/model/openaiProvider';
import { createQuirkMemory, type ServerQuirks } from '../../src/sdk/model/wire/serverQuirks';
import type { JsonObject } from '../../src/util/json';
import type { LlamaServer } from './engines/llamaServer';
import { useLlamaServer } from './useLlamaServer';

const template = 'Qwen-Qwen3-0.6B';
/** About 10 tokens a line. */
const longText = (lines: number): string =>
  Array.from({ length: lines }, (_, line) => `Ship ${line} lies at pier ${line % 9}.`).join('\n');

describe('a real llama-server', function () {
  this.timeout(600_000);
  const llama = useLlamaServer();
  const fetch = createFetch();

  const clientOf = ({ baseUrl }: LlamaServer, maxTokens = 32): Client =>
    new Client({ systemPrompt: 'You are brief.', model: 'tiny', baseUrl, maxTokens, temperature: 0 });
  const finish = async (
    run: AsyncGenerator<AgentEvent, AgentExecutionResult>,
    onEvent: (event: AgentEvent) => void = () => {},
  ): Promise<AgentExecutionResult> => {
    for (;;) {
      const next = await run.next();
      if (next.done) return next.value;
      onEvent(next.value);
    }
  };
  const connectedClient = (
    { baseUrl }: LlamaServer,
    server: FoundServer,
    more: Partial<AgentOptions>,
    options: ModelOptions = {},
  ): Client => {
    const parts = { baseUrl, model: 'tiny', apiKey: undefined, contextWindow: null, options, slots: new SlotQueue() };
    const { provider } = connectModel({ ...parts, server, fetch });
    return new Client({ systemPrompt: 'You are brief.', model: 'tiny', baseUrl, maxTokens: 8, provider, ...more });
  };
  const isText = ({ type }: AgentEvent): boolean => type === 'text_delta' || type === 'thinking_delta';

  it('is found with its window, its slots and its tools', async () => {
    const server = await llama.start(template, { contextWindow: 4_096, slots: 2 });
    const found = await probeServer(server.baseUrl, { fetch, signal: new AbortController().signal });
    assert.ok(found.ok);
    const [model] = found.models;
    assert.deepEqual(
      [found.kind, found.slots, model?.isLoaded, model?.hasTools, model?.contextSource],
      ['llama.cpp', 2, true, true, 'loaded'],
    );
    assert.ok((model?.contextWindow ?? 0) >= 2_048);
  });

  it('rejects schemas, and takes them without what it names', async () => {
    const server = await llama.start(template, { contextWindow: 4_096 });
    const stepFor = async (inputSchema: JsonObject): Promise<ServerQuirks['strippedTools'][string] | undefined> => {
      const quirks = createQuirkMemory();
      const provider = createOpenAIProvider({ baseUrl: server.baseUrl, quirks });
      const named = { name: 'note', description: 'Takes a note.', inputSchema };
      const messages = [{ role: 'user', content: 'Hello' }] as const;
      const request = { model: 'tiny', systemPrompt: '', messages, tools: [named], sampling: { maxTokens: 1 } };
      let last = '';
      for await (const { type } of provider.stream(request, { signal: new AbortController().signal })) last = type;
      assert.equal(last, 'response_end');
      assert.equal(quirks.get('tiny').strippedSchemas, false);
      return quirks.get('tiny').strippedTools['note'];
    };
    const limited = { type: 'array', items: { type: 'string' }, minItems: 5_000 };
    const kept = { type: 'string', maxLength: 30 };
    assert.equal(await stepFor({ type: 'object', properties: { limited } }), 'limits');
    const lost = { $ref: '#/$defs/lost' };
    assert.equal(await stepFor({ type: 'object', properties: { lost, kept } }), 'forms');
    assert.equal(await stepFor({ type: 'object', properties: { lost, limited } }), 'all');
    assert.equal(await stepFor({ type: 'object', properties: { kept } }), undefined);
  });

  it('streams, and reports the tokens it read and wrote', async () => {
    await using client = clientOf(await llama.start(template));
    let pieces = 0;
    const { usage, outcome } = await finish(client.run('Say something.'), (event) => (pieces += isText(event) ? 1 : 0));
    assert.equal(outcome, 'completed');
    assert.ok(pieces > 1 && (usage?.promptTokens ?? 0) > 5 && usage?.completionTokens === 32);
  });

  it('passes the checks of the doctor that do not depend on the model', async () => {
    const server = await llama.start(template);
    const { report } = await runDoctor(
      {
        ...{ baseUrl: server.baseUrl, model: '', fetch, slots: new SlotQueue(), now: () => performance.now() },
        quirks: new LearnedQuirks({ now: Date.now }).memoryFor(server.baseUrl),
        settings: { contextWindow: null, maxTokens: null },
      },
      { signal: new AbortController().signal, onProgress: () => {} },
    );
    const statuses = Object.fromEntries(findingsOf(report).map(({ id, status }) => [id, status]));
    assert.deepEqual([statuses['server'], statuses['streaming']], ['ok', 'ok']);
    assert.notEqual(statuses['tool_result'], 'problem');
  });

  it('stops while it reads a prompt, and answers the next one', async () => {
    const server = await llama.start(template, { contextWindow: 65_536 });
    await using client = clientOf(server);
    const run = client.run(longText(3_000));
    const stopped = await finish(run, (event) => {
      if (event.type === 'status' && event.status === 'prefilling') void client.interrupt();
    });
    assert.equal(stopped.outcome, 'interrupted');
    await using other = clientOf(server);
    assert.equal((await finish(other.run('Hello'))).outcome, 'completed');
  });

  it('tells how much of a long prompt it has read', async () => {
    const args = ['--batch-size', '256', '--ubatch-size', '256'];
    const server = await llama.start(template, { contextWindow: 16_384, args });
    const found = await probeServer(server.baseUrl, { fetch, signal: new AbortController().signal });
    assert.ok(found.ok);
    await using client = connectedClient(server, found, {});
    const progress: number[] = [];
    let total = 0;
    const { outcome } = await finish(client.run(longText(300)), (event) => {
      if (event.type !== 'prompt_progress') return;
      progress.push(event.progress.processed);
      total = event.progress.total;
    });
    assert.equal(outcome, 'completed');
    assert.ok(progress.length > 2 && total > 2_000, `${progress.length} times, of ${total}`);
    assert.deepEqual(
      progress.toSorted((a, b) => a - b),
      progress,
    );
    assert.ok((progress.at(-1) ?? 0) <= total);
  });

  /** The server has ended the request: each of its slots is free. */
  const isFree = async ({ origin }: LlamaServer): Promise<boolean> => {
    const slots = (await (await globalThis.fetch(`${origin}/slots`)).json()) as readonly { is_processing: boolean }[];
    return slots.every(({ is_processing: isBusy }) => !isBusy);
  };
  const whenFree = async (server: LlamaServer): Promise<void> => {
    for (let tries = 0; tries < 200; tries += 1) {
      if (await isFree(server)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail('The server goes on with a request that was stopped.');
  };

  /** The server has written so many tokens of an answer. */
  const whenWritten = async ({ origin }: LlamaServer, tokens: number): Promise<void> => {
    for (let tries = 0; tries < 1_000; tries += 1) {
      const slots = await (await globalThis.fetch(`${origin}/slots`)).text();
      if (Number(/"is_processing":true.*?"n_decoded":(\d+)/s.exec(slots)?.[1] ?? 0) >= tokens) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail('The server writes nothing.');
  };

  it('stops in the middle of a text, keeps what came, and frees the slot', async () => {
    const server = await llama.start(template);
    await using client = clientOf(server, 8_000);
    let pieces = 0;
    const stopped = await finish(client.run('Tell a long story.'), (event) => {
      pieces += isText(event) ? 1 : 0;
      if (pieces === 5) void client.interrupt();
    });
    assert.equal(stopped.outcome, 'interrupted');
    assert.equal(client.history.at(-1)?.role, 'assistant');
    await whenFree(server);
    await using other = clientOf(server);
    assert.equal((await finish(other.run('Hello'))).outcome, 'completed');
  });

  it('stops in the middle of a call, which does not run', async () => {
    const server = await llama.start(template);
    const found = await probeServer(server.baseUrl, { fetch, signal: new AbortController().signal });
    assert.ok(found.ok);
    let runs = 0;
    const write = tool('write_file', 'Write a file.', { path: 'string', content: 'string' }, () => {
      runs += 1;
      return 'Written.';
    });
    // The grammar lets the argument go on without end.
    const begin = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "content": "';
    const grammar = `root ::= ${JSON.stringify(begin)} [a-z ]+`;
    const more = { tools: [write], autoExecuteTools: true, extraBody: { grammar }, maxTokens: 4_000 };
    await using client = connectedClient(server, found, more, { toolCalls: 'text' });
    let isStopping = false;
    const stopped = await finish(client.run('Write a file.'), ({ type }) => {
      // The last status before the answer. A call in the text is told when it is whole.
      if (type !== 'status' || isStopping) return;
      isStopping = true;
      void whenWritten(server, 30).then(() => client.interrupt());
    });
    assert.ok(isStopping);
    assert.deepEqual([stopped.outcome, runs], ['interrupted', 0]);
    await whenFree(server);
  });

  it('says that a prompt is too long, with the limit', async () => {
    const server = await llama.start(template, { contextWindow: 1_024 });
    await using client = clientOf(server);
    const { error } = await finish(client.run(longText(400)));
    assert.equal(error?.code, 'context_overflow');
  });

  it('is killed while it answers: what came is kept, and it goes on after a restart', async () => {
    const server = await llama.start(template);
    const client = clientOf(server, 4_000);
    await using _ = client;
    let pieces = 0;
    const broken = await finish(client.run('Tell a long story.'), (event) => {
      pieces += isText(event) ? 1 : 0;
      if (pieces === 5) void server.kill();
    });
    assert.notEqual(broken.outcome, 'completed');
    assert.ok(broken.error !== undefined && JSON.stringify(client.history).length > 100);
    const again = await llama.start(template, { port: server.port });
    await using next = clientOf(again);
    assert.equal((await finish(next.run('Go on.'))).outcome, 'completed');
  });

  it('answers three sessions that do not fit into its cache at once', async () => {
    const shared = { slots: 4, contextWindow: 8_192, args: ['--kv-unified'] };
    const server = await llama.start(template, shared);
    const found = await probeServer(server.baseUrl, { fetch, signal: new AbortController().signal });
    assert.ok(found.ok);
    const slots = new SlotQueue();
    slots.setSize(server.baseUrl, found.slots ?? 1);
    const outcomes = await Promise.all(
      ['first', 'second', 'third'].map(async (name) => {
        const { baseUrl } = server;
        const parts = { baseUrl, model: 'tiny', apiKey: undefined, contextWindow: null, options: {}, slots, fetch };
        const { provider, contextWindow } = connectModel({ ...parts, server: found });
        const options = {
          systemPrompt: 'You are brief.',
          model: 'tiny',
          baseUrl,
          maxTokens: 300,
          provider,
          autoExecuteTools: true,
        };
        await using client = new Client({ ...options, compaction: { contextWindow } });
        const events: string[] = [];
        const { outcome, error } = await finish(client.run(`${name} ${longText(320)}`), ({ type }) =>
          events.push(type),
        );
        return [error?.message ?? outcome, events.includes('compaction')];
      }),
    );
    assert.deepEqual(
      outcomes,
      Array.from({ length: 3 }, () => ['completed', false]),
    );
  });

  it('answers two clients at once, each in its own conversation', async () => {
    const server = await llama.start(template, { slots: 2, contextWindow: 8_192 });
    const names = ['first', 'second'];
    const histories = await Promise.all(
      names.map(async (name) => {
        await using client = clientOf(server);
        for (const turn of [1, 2]) assert.equal((await finish(client.run(`${name} ${turn}`))).outcome, 'completed');
        return client.history.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
      }),
    );
    assert.deepEqual(
      histories,
      names.map((name) => [`${name} 1`, `${name} 2`]),
    );
  });
});
