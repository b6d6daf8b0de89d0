import assert from 'node:assert/strict';
import { probeServer } from '../../src/agent/servers/probe/serverProbe';
import { connectModel } from '../../src/agent/servers/model/modelConnection';
import type { ModelOptions } from '../../src/agent/servers/model/modelOptions';
import { SlotQueue } from '../../src/agent/servers/model/slotQueue';
import { Client, tool, type AgentEvent, type AgentOptions } from '../../src/sdk';
import { createFetch } from '../../src/sdk/model/http/httpTransport';
import { record } from '../support/sessions/clients';
import type { LlamaServer } from './engines/llamaServer';
import { useLlamaServer } from './useLlamaServer';

const template = 'Qwen-Qwen3-0.6B';
/** About 10 tokens a line. */
const longText = (lines: number): string =>
  Array.from({ length: lines }, (_, line) => `Ship ${line} lies at pier ${line % 9}.`).join('\n');

describe('a conversation with a real llama-server', function () {
  this.timeout(600_000);
  const llama = useLlamaServer();
  const fetch = createFetch();

  /** A client as the agent makes it. `isKnown`: the server was probed before, so its window is known. */
  async function clientOf(
    { baseUrl }: LlamaServer,
    more: Partial<AgentOptions> = {},
    { isKnown = true, ...options }: ModelOptions & { readonly isKnown?: boolean } = {},
  ): Promise<Client> {
    const found = await probeServer(baseUrl, { fetch, signal: new AbortController().signal });
    assert.ok(found.ok);
    const parts = { baseUrl, model: 'tiny', apiKey: undefined, contextWindow: null, options, slots: new SlotQueue() };
    const { provider, contextWindow, countTokens } = connectModel({ ...parts, server: found, fetch });
    return new Client({
      ...{ systemPrompt: 'You are brief.', model: 'tiny', baseUrl, provider, autoExecuteTools: true },
      ...{ maxTokens: 32, temperature: 0, compaction: isKnown ? { contextWindow, countTokens } : {} },
      ...more,
    });
  }

  const compactions = (events: readonly AgentEvent[]) =>
    events.flatMap((event) => (event.type === 'compaction' ? [event] : []));

  for (const [isKnown, reason] of [
    [true, 'threshold'],
    [false, 'overflow'],
  ] as const) {
    it(`is compacted and goes on when the window is full (${reason})`, async () => {
      const server = await llama.start(template, { contextWindow: 2_048 });
      const grammar = 'root ::= "It goes on."';
      await using client = await clientOf(server, { extraBody: { grammar } }, { isKnown });
      const compacted = [];
      for (const prompt of ['first', 'second', 'third', 'fourth', 'fifth']) {
        const { events, result } = await record(client.run(`${prompt}\n${longText(50)}`));
        assert.deepEqual([result.outcome, result.error], ['completed', undefined]);
        compacted.push(...compactions(events));
      }
      assert.equal(compacted[0]?.reason, reason);
      for (const { tokensBefore, tokensAfter } of compacted) assert.ok(tokensAfter < tokensBefore);
      assert.match(JSON.stringify(client.history), /Summary of them:.*It goes on\..*fifth/);
    });
  }

  for (const format of ['auto', 'none']) {
    it(`has the thoughts of the model apart from its text (--reasoning-format ${format})`, async () => {
      const server = await llama.start(template, { args: ['--reasoning-format', format] });
      const grammar = `root ::= ${JSON.stringify('<think>\nI look at both.\n</think>\n\nIt is two.')}`;
      await using client = await clientOf(server, { extraBody: { grammar }, maxTokens: 64 });
      const { result } = await record(client.run('What is one and one?'));
      assert.equal(result.primaryText.trim(), 'It is two.');
      const [thought] = (result.finalResponse?.content ?? []).filter(({ type }) => type === 'thinking');
      assert.equal(thought?.type === 'thinking' && thought.text.trim(), 'I look at both.');
    });
  }

  it('runs several calls of one answer in their order', async () => {
    const server = await llama.start(template);
    const paths: string[] = [];
    const read = tool('read_file', 'Reads a file.', { path: 'string' }, ({ path }: { path: string }) => {
      paths.push(path);
      return 'one';
    });
    const call = (path: string): string =>
      `<tool_call>\n{"name": "read_file", "arguments": {"path": "${path}"}}\n</tool_call>`;
    const grammar = `root ::= ${JSON.stringify(`${call('a.ts')}\n${call('b.ts')}`)}`;
    const more = { tools: [read], extraBody: { grammar }, maxTokens: 128, maxToolIterations: 1 };
    await using client = await clientOf(server, more, { toolCalls: 'text' });
    await record(client.run('Read both.'));
    assert.deepEqual(paths, ['a.ts', 'b.ts']);
  });

  it('says that the instructions alone do not fit, with the flag to start the server with', async () => {
    const server = await llama.start(template, { contextWindow: 1_024 });
    const found = await probeServer(server.baseUrl, { fetch, signal: new AbortController().signal });
    assert.ok(found.ok);
    const parts = { baseUrl: server.baseUrl, model: 'tiny', apiKey: undefined, contextWindow: null, options: {} };
    const model = connectModel({ ...parts, slots: new SlotQueue(), server: found, fetch });
    const { provider, contextWindow, countTokens, windowAdvice } = model;
    const compaction = { contextWindow, countTokens, windowAdvice };
    await using client = await clientOf(server, { provider, compaction, systemPrompt: longText(150) });
    const { events, result } = await record(client.run('Hello.'));
    assert.match(result.error?.message ?? '', /^Our instructions alone do not fit: .* has 1024\. .*-c 8192/);
    assert.deepEqual(compactions(events), []);
  });
});
