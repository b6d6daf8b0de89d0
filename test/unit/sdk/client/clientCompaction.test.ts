import assert from 'node:assert/strict';
import { Client } from '../../../../src/sdk/client';
import { compact } from '../../../../src/sdk/context/compaction';
import { TokenCounter, type TokenCount } from '../../../../src/sdk/context/tokenCount';
import type { Message } from '../../../../src/sdk/messages';
import type { AgentEvent } from '../../../../src/sdk/events';
import type { AgentOptions } from '../../../../src/sdk/configuration/agentOptions';
import { tool } from '../../../../src/sdk/tool';
import { record } from '../../../support/sessions/clients';
import {
  failure,
  hold,
  response,
  ScriptedProvider,
  textResponse,
  toolUse,
} from '../../../support/servers/scriptedProvider';
import { WindowedProvider, type WindowedProviderOptions } from '../../../support/servers/windowedProvider';

const page = (name: string, characters: number): string =>
  Array.from({ length: Math.ceil(characters / 30) }, (_, line) => `${name} line ${line} has its own words`).join('\n');

const read = tool('read', 'Read a file', { path: 'string', characters: 'integer' }, ({ path, characters }) =>
  page(path, characters).slice(0, characters),
);

function readCall(index: number, characters: number) {
  return response([toolUse(`c${index}`, 'read', { path: `file${index}`, characters })]);
}

function windowed(options: WindowedProviderOptions, more: Partial<AgentOptions> = {}) {
  const provider = new WindowedProvider(options);
  const client = new Client({
    systemPrompt: 'You are a careful assistant. '.repeat(20),
    model: 'm',
    baseUrl: 'http://localhost:8080',
    autoExecuteTools: true,
    maxToolIterations: 100,
    maxTokens: null,
    tools: [read],
    provider,
    compaction: { contextWindow: options.contextWindow },
    ...more,
  });
  return { client, provider };
}

function compactions(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.type === 'compaction' ? [event] : []));
}

describe('Client with compaction', () => {
  for (const contextWindow of [4_096, 8_192, 32_768]) {
    it(`stays within a window of ${contextWindow} tokens for 60 steps, without storms`, async () => {
      const { client, provider } = windowed({
        contextWindow,
        answer: (index) => (index < 60 ? readCall(index, contextWindow / 4) : textResponse('Done.')),
      });
      const { events, result } = await record(client.run('Read all the files, please.'));
      assert.equal(result.outcome, 'completed');
      assert.equal(result.primaryText, 'Done.');
      assert.equal(provider.refusals, 0);
      const compacted = compactions(events);
      assert.ok(compacted.length >= 5 && compacted.length <= 20, `${compacted.length} compactions`);
      assert.equal(provider.summaryRequests.length, compacted.length);
      for (const { tokensBefore, tokensAfter } of compacted) assert.ok(tokensAfter < tokensBefore * 0.75);
      assert.ok(Math.max(...provider.promptTokens) < contextWindow * 0.95);
      assert.deepEqual(client.history, result.conversation);
      assert.match(JSON.stringify(client.history[0]), /Read all the files, please\./);
    });
  }

  it('asks for the exact length only near the limit, and compacts before the server refuses a request', async () => {
    const asked: number[] = [];
    const { client, provider } = windowed(
      {
        contextWindow: 4_000,
        // Twice what the estimate expects, and no response has told so yet.
        charactersPerToken: 2,
        answer: () => textResponse('Done.'),
      },
      {
        history: [
          { role: 'user', content: page('request', 5_000) },
          { role: 'assistant', content: [{ type: 'text', text: page('answer', 4_500) }] },
        ],
        compaction: {
          contextWindow: 4_000,
          countTokens: (request) => {
            asked.push(request.messages.length);
            return Promise.resolve(provider.tokensOf(request));
          },
        },
      },
    );
    const { events } = await record(client.run('Go on.'));
    await record(client.run('And on.'));
    assert.equal(compactions(events).length, 1);
    assert.equal(provider.refusals, 0);
    // Before the first request; the second has room enough.
    assert.deepEqual(asked, [3]);
  });

  it('finds the part of a huge history that fits into the request for a summary with few counts', async () => {
    const said = (index: number): string => `Question ${index} in some words`;
    const messages = Array.from({ length: 10_000 }, (_, index): Message =>
      index % 2 === 0
        ? { role: 'user', content: said(index) }
        : { role: 'assistant', content: [{ type: 'text', text: 'An answer.' }] },
    );
    let counts = 0;
    class CountingCounter extends TokenCounter {
      override count(...prompt: Parameters<TokenCounter['count']>): TokenCount {
        counts += 1;
        return super.count(...prompt);
      }
    }
    const provider = new ScriptedProvider([textResponse('Many questions.')]);
    const contextWindow = 4_096;
    const counter = new CountingCounter();
    const request = { model: 'm', systemPrompt: 'Be brief.', messages, tools: [], sampling: {} };
    const { signal } = new AbortController();
    const run = compact({ provider, request, counter, contextWindow, keep: 0.25, reason: 'threshold', signal });
    const events: AgentEvent[] = [];
    for await (const event of run) events.push(event);
    const [{ keptMessages } = assert.fail('not compacted')] = compactions(events);
    assert.ok(counts < 30, `${counts} counts`);
    const asked = provider.requests[0] ?? assert.fail('no request');
    const tokens = new TokenCounter().count(asked).tokens;
    // As much as fits: one more turn would not.
    assert.ok(tokens < contextWindow * 0.95 && tokens > contextWindow * 0.8, `${tokens} tokens`);
    const summarised = asked.messages.slice(0, -1);
    assert.deepEqual(summarised, messages.slice(0, -keptMessages).slice(-summarised.length));
  });

  it('uses the estimate when the server cannot count', async () => {
    const { client, provider } = windowed(
      {
        contextWindow: 4_096,
        answer: (index) => (index < 12 ? readCall(index, 1_000) : textResponse('Done.')),
      },
      { compaction: { contextWindow: 4_096, countTokens: () => Promise.resolve(undefined) } },
    );
    const { result } = await record(client.run('Read all the files, please.'));
    assert.deepEqual([result.outcome, provider.refusals], ['completed', 0]);
  });

  it('reports the compaction, and continues from the summary and the newest messages', async () => {
    const { client, provider } = windowed({
      contextWindow: 2_000,
      answer: (index) => [readCall(0, 3_000), readCall(1, 1_200), textResponse('Done.')][index] ?? [],
      summary: () => response([{ type: 'text', text: 'I read file0.' }]),
    });
    const { events } = await record(client.run('Compare the files.'));
    const [event, ...others] = compactions(events);
    assert.ok(event && others.length === 0);
    const summary =
      '[Earlier messages of this conversation were left out to fit the context window.]\n\n' +
      "Summary of them:\n\nI read file0.\n\nThe newest request, in the user's words:\n\nCompare the files.";
    const { tokensBefore, tokensAfter, ...rest } = event;
    assert.ok(tokensAfter < tokensBefore && tokensBefore < 2_000);
    assert.deepEqual(rest, { type: 'compaction', reason: 'threshold', summary, keptMessages: 2, contextWindow: 2_000 });
    assert.deepEqual(
      client.history.map((message) => message.role),
      ['user', 'assistant', 'tool', 'assistant'],
    );
    assert.equal(client.history[0]?.content, summary);
    const [asked] = provider.summaryRequests;
    const [first] = provider.requests;
    assert.ok(asked && first);
    // All but its end is what the server has in its cache.
    assert.deepEqual(asked.tools, first.tools);
    assert.deepEqual(asked.messages.slice(0, 3), provider.requests[1]?.messages);
    assert.equal(asked.messages.length, 4);
  });

  it('puts a short answer between the summary and the next prompt', async () => {
    const { client } = windowed(
      { contextWindow: 2_000, answer: (index) => textResponse(`Answer ${index}.`) },
      { compaction: { contextWindow: 2_000, keep: 0 } },
    );
    await record(client.run(page('x', 4_000)));
    await record(client.run(page('y', 1_500)));
    assert.deepEqual(client.history.slice(1), [
      { role: 'assistant', content: [{ type: 'text', text: 'I go on from this summary.' }], stopReason: 'stop' },
      { role: 'user', content: page('y', 1_500) },
      { role: 'assistant', content: [{ type: 'text', text: 'Answer 1.' }], stopReason: 'stop' },
    ]);
  });

  it('cuts a single result that is too long, and says how much is missing', async () => {
    const { client, provider } = windowed({
      contextWindow: 4_096,
      answer: (index) => (index === 0 ? readCall(0, 30_000) : textResponse('Done.')),
    });
    const { events, result } = await record(client.run('Read it.'));
    assert.equal(result.outcome, 'completed');
    assert.equal(provider.refusals, 0);
    const [event] = compactions(events);
    assert.equal(event?.maxResultCharacters, 2_000);
    const cut = client.history.find(({ role }) => role === 'tool');
    assert.ok(cut?.role === 'tool' && typeof cut.content.content === 'string');
    assert.match(cut.content.content, /\[… 28000 characters were left out here to fit the context window\./);
  });

  describe('after an overflow', () => {
    it('learns the limit that the server names, compacts and continues', async () => {
      const { client, provider } = windowed(
        {
          contextWindow: 3_000,
          answer: (index) => (index < 3 ? readCall(index, 3_600) : textResponse('Done.')),
        },
        { compaction: {} },
      );
      const { events, result } = await record(client.run('Read.'));
      assert.equal(result.outcome, 'completed');
      assert.equal(provider.refusals, 1);
      assert.equal(client.contextWindow, 3_000);
      assert.equal(compactions(events)[0]?.reason, 'overflow');
      // A response that failed before its first byte leaves nothing behind.
      assert.equal(events.filter(({ type }) => type === 'assistant_message').length, provider.requests.length);
    });

    it('lowers its own limit when the server names none', async () => {
      const { client } = windowed(
        {
          contextWindow: 3_000,
          answer: (index) => (index < 3 ? readCall(index, 3_600) : textResponse('Done.')),
          refusal: () => 'context size has been exceeded',
        },
        { compaction: {} },
      );
      assert.equal((await record(client.run('Read.'))).result.outcome, 'completed');
    });

    it('gives up after two attempts, and keeps the prompt', async () => {
      const overflow = failure({ code: 'context_overflow', message: 'the prompt is too long' });
      const summary = textResponse('Summary.');
      const provider = new ScriptedProvider([textResponse(page('a', 40_000)), overflow, summary, overflow, overflow]);
      const { client } = windowed({ contextWindow: 1, answer: () => [] }, { provider, compaction: {} });
      await record(client.run('one'));
      const { result } = await record(client.run('two'));
      assert.equal(result.error?.code, 'context_overflow');
      // The first answer; then twice a refusal and its summary. The second summary would be no shorter.
      assert.equal(provider.requests.length, 5);
      assert.deepEqual(client.history.at(-1), { role: 'user', content: 'two' });
    });

    it('gives up when a summary would be as long as the conversation, and keeps that', async () => {
      const overflow = failure({ code: 'context_overflow', message: 'the prompt is too long' });
      const provider = new ScriptedProvider([textResponse('Hello.'), overflow, textResponse('S'.repeat(4_000))]);
      const { client } = windowed({ contextWindow: 1, answer: () => [] }, { provider, compaction: {} });
      await record(client.run('one'));
      const { events, result } = await record(client.run('two'));
      assert.equal(result.error?.code, 'context_overflow');
      assert.deepEqual(compactions(events), []);
      assert.equal(client.history.length, 3);
    });

    for (const named of [true, false]) {
      const where = named ? 'as the server names it' : 'as it was given';
      it(`says that the instructions alone do not fit the window, ${where}, once and without a summary`, async () => {
        const systemPrompt = 'You are a careful assistant. '.repeat(200);
        const { client, provider } = windowed(
          { contextWindow: 1_024, answer: () => textResponse('never') },
          {
            systemPrompt,
            compaction: {
              contextWindow: named ? undefined : 1_024,
              windowAdvice: (tokens) => `Start llama-server with -c ${tokens}.`,
            },
          },
        );
        const { events, result } = await record(client.run('Hello'));
        assert.match(
          result.error?.message ?? '',
          /^Our instructions alone do not fit: they take about 1\d{3} tokens, and the model's context window has 1024\. Start llama-server with -c 8192\.$/,
        );
        assert.equal(result.error?.code, 'context_overflow');
        assert.deepEqual(compactions(events), []);
        assert.deepEqual([provider.summaryRequests.length, provider.refusals], [0, named ? 1 : 0]);
        assert.deepEqual(client.history, [{ role: 'user', content: 'Hello' }]);
      });
    }

    it('does not blame the instructions for a prompt that is too long itself', async () => {
      const { client } = windowed({ contextWindow: 1_024, answer: () => textResponse('never') });
      const { result } = await record(client.run(page('x', 20_000)));
      assert.equal(result.error?.code, 'context_overflow');
      assert.doesNotMatch(result.error?.message ?? '', /instructions/);
    });

    it('shortens the answer when only prompt and answer together are too long', async () => {
      const { client, provider } = windowed(
        {
          contextWindow: 4_096,
          countsAnswer: true,
          answer: () => textResponse('Done.'),
          refusal: (tokens) =>
            `This model's maximum context length is 4096 tokens. However, you requested ${tokens + 4096} tokens (${tokens} in the messages, 4096 in the completion).`,
        },
        { maxTokens: 4_096, compaction: {} },
      );
      const first = await record(client.run('one'));
      await record(client.run('two'));
      assert.equal(first.result.outcome, 'completed');
      assert.deepEqual(compactions(first.events), []);
      assert.equal(provider.refusals, 1);
      for (const { sampling } of provider.requests) assert.ok((sampling.maxTokens ?? 0) > 3_000);
    });

    it('reports the error without the option', async () => {
      const { client, provider } = windowed(
        { contextWindow: 100, answer: () => textResponse('ok') },
        { compaction: undefined },
      );
      const { result } = await record(client.run('one'));
      assert.equal(result.error?.code, 'context_overflow');
      assert.equal(provider.refusals, 1);
    });
  });

  describe('without a summary', () => {
    const full = {
      contextWindow: 2_000,
      answer: (index: number) => [readCall(0, 3_000), readCall(1, 1_200)][index] ?? textResponse('Done.'),
    };

    it("keeps the person's own words when the model has none", async () => {
      const { client } = windowed({ ...full, summary: () => response([{ type: 'thinking', text: 'Hm.' }]) });
      const { result } = await record(client.run('Compare the files.'));
      assert.equal(result.outcome, 'completed');
      assert.equal(
        client.history[0]?.content,
        '[Earlier messages of this conversation were left out to fit the context window.]\n\nWhat the user had said:\n\n- Compare the files.',
      );
    });

    it('ends with the error when the server fails, changes nothing, and can be tried again', async () => {
      const error = { code: 'connection', message: 'Nothing answers at http://localhost:8080.' } as const;
      const { client } = windowed({
        ...full,
        summary: (index) => (index === 0 ? [{ type: 'error', error, partial: [] }] : textResponse('Summary.')),
      });
      const { result } = await record(client.run('Compare the files.'));
      assert.deepEqual(result.error, error);
      assert.equal(client.history.length, 5);
      assert.equal((await record(client.continueRun())).result.outcome, 'completed');
    });

    it('changes nothing when it is interrupted', async () => {
      const gate = hold();
      const scripted = new ScriptedProvider([readCall(0, 3_000), readCall(1, 1_200), [gate, ...textResponse('x')]]);
      const { client } = windowed({ contextWindow: 2_000, answer: () => [] }, { provider: scripted });
      const run = record(client.run('Compare the files.'));
      await gate.reached;
      await client.interrupt();
      assert.equal((await run).result.outcome, 'interrupted');
      assert.equal(client.history.length, 5);
    });
  });

  it('warns once about a server that drops the start of prompts', async () => {
    const provider = new ScriptedProvider(
      [3_000, 6_000, 4_096, 4_096].map((promptTokens, index) =>
        index < 3
          ? response([toolUse(`c${index}`, 'read', { path: `${index}`, characters: 12_000 })], {
              usage: { promptTokens, completionTokens: 5 },
            })
          : textResponse('Done.', { promptTokens, completionTokens: 5 }),
      ),
    );
    const { client } = windowed({ contextWindow: 1, answer: () => [] }, { provider, compaction: undefined });
    const { events } = await record(client.run(page('x', 12_000)));
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event] : []));
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['prompt_truncated'],
    );
    assert.match(warnings[0]?.message ?? '', /read 4096 tokens of a prompt of about \d+.*OLLAMA_CONTEXT_LENGTH/);
  });

  /** A server that reads the newest part of a prompt only, and says how much it read. */
  async function truncating(readTokens: (tokens: number, index: number) => number, steps: number) {
    const lowered: number[] = [];
    const open = new WindowedProvider({
      contextWindow: Infinity,
      answer: (index) => (index < steps ? readCall(index, 3_000) : textResponse('Done.')),
    });
    let requests = 0;
    const sent: number[] = [];
    const { client } = windowed(
      { contextWindow: 1, answer: () => [] },
      {
        provider: {
          async *stream(request) {
            for await (const event of open.stream(request)) {
              if (event.type !== 'response_end') {
                yield event;
                continue;
              }
              const tokens = open.tokensOf(request);
              const promptTokens = readTokens(tokens, requests++);
              sent.push(tokens);
              yield { ...event, usage: { promptTokens, completionTokens: 10 } };
            }
          },
        },
        compaction: { contextWindow: 32_768, onSmallerWindow: (tokens) => lowered.push(tokens) },
      },
    );
    const { events, result } = await record(client.run('Read all the files, please.'));
    assert.equal(result.outcome, 'completed');
    return { events, lowered, sent };
  }

  it('lowers the window when the server drops the start again, and compacts instead', async () => {
    const { events, lowered, sent } = await truncating((tokens) => Math.min(tokens, 4_000), 30);
    assert.deepEqual(lowered, [4_000]);
    const words = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.deepEqual(words.length, 2);
    assert.match(words[1] ?? '', /a context window of 4000 tokens is assumed/);
    assert.ok(compactions(events).length > 1);
    assert.ok(sent.slice(-10).every((tokens) => tokens < 4_000));
  });

  it('keeps the window of servers that report only what was not cached', async () => {
    let before = 0;
    const { events, lowered } = await truncating((tokens) => {
      const fresh = tokens - before;
      before = tokens;
      return fresh;
    }, 20);
    assert.deepEqual([lowered, compactions(events).length], [[], 0]);
  });

  it('warns also when the prompt slowly outgrows the window', async () => {
    const window = 4_096;
    const steps = 24;
    const provider = new ScriptedProvider(
      Array.from({ length: steps }, (_, index) => {
        const promptTokens = Math.min(window - (index % 3), 2_600 + index * 250);
        return index < steps - 1
          ? response([toolUse(`c${index}`, 'read', { path: `${index}`, characters: 1_000 })], {
              usage: { promptTokens, completionTokens: 5 },
            })
          : textResponse('Done.', { promptTokens, completionTokens: 5 });
      }),
    );
    const options = { provider, compaction: undefined, maxToolIterations: 30 };
    const { client } = windowed({ contextWindow: 1, answer: () => [] }, options);
    const { events } = await record(client.run(page('x', 10_000)));
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'warning' ? [event.code] : [])),
      ['prompt_truncated'],
    );
  });

  it('does not warn about a server that counts only uncached tokens', async () => {
    const provider = new ScriptedProvider(
      [3_000, 700, 40].map((promptTokens, index) =>
        index < 2
          ? response([toolUse(`c${index}`, 'read', { path: `${index}`, characters: 2_500 })], {
              usage: { promptTokens, completionTokens: 5 },
            })
          : textResponse('Done.', { promptTokens, completionTokens: 5 }),
      ),
    );
    const { client } = windowed({ contextWindow: 1, answer: () => [] }, { provider, compaction: undefined });
    const { events } = await record(client.run(page('x', 12_000)));
    assert.equal(
      events.some(({ type }) => type === 'warning'),
      false,
    );
  });

  it('returns the length of the next request', async () => {
    const { client, provider } = windowed({ contextWindow: 8_000, answer: () => textResponse('ok') });
    assert.equal(client.contextTokens.isEstimate, true);
    await record(client.run(page('x', 4_000)));
    const [request] = provider.requests;
    assert.ok(request);
    const exact = provider.tokensOf({ ...request, messages: client.history });
    assert.ok(Math.abs(client.contextTokens.tokens - exact) < exact * 0.05);
  });
  describe('on request', () => {
    const history = ['one', 'two', 'three'].flatMap((word) => [
      { role: 'user' as const, content: page(word, 1_500) },
      { role: 'assistant' as const, content: [{ type: 'text' as const, text: `Answer ${word}.` }] },
    ]);

    it('summarises long before the window is full, and without a known window', async () => {
      for (const compaction of [{ contextWindow: 32_768 }, {}, undefined]) {
        const { client, provider } = windowed(
          {
            contextWindow: 32_768,
            answer: () => textResponse('Done.'),
            summary: () => response([{ type: 'text', text: 'They read pages.' }]),
          },
          { history, compaction },
        );
        const { events, result } = await record(client.compact({ focus: 'page numbers' }));
        assert.deepEqual(
          events.map((event) => (event.type === 'compaction' ? event.reason : event.type)),
          ['status', 'requested', 'run_end'],
        );
        assert.equal(result.outcome, 'completed');
        assert.match(JSON.stringify(provider.summaryRequests[0]?.messages.at(-1)?.content), /: page numbers"$/);
        assert.match(JSON.stringify(client.history[0]), /They read pages\./);
        assert.deepEqual(client.history.at(-1), history.at(-1));
        assert.equal((await record(client.run('Go on.'))).result.primaryText, 'Done.');
      }
    });

    it('leaves a short history as it is', async () => {
      const { client } = windowed(
        { contextWindow: 32_768, answer: () => textResponse('Hi.') },
        { history: [{ role: 'user', content: 'Hello' }] },
      );
      for (const each of [client, windowed({ contextWindow: 4_096, answer: () => [] }).client]) {
        const before = each.history;
        const { events, result } = await record(each.compact());
        assert.ok(!events.some(({ type }) => type === 'compaction'));
        assert.deepEqual([result.outcome, each.history], ['completed', before]);
      }
    });

    it('is refused while a call waits for its result or a run executes', async () => {
      const { client } = windowed(
        { contextWindow: 4_096, answer: () => readCall(0, 100) },
        { autoExecuteTools: false },
      );
      await record(client.run('Read it.'));
      await assert.rejects(record(client.compact()), { code: 'invalid_state', message: /no result yet: c0/ });
      const busy = windowed({ contextWindow: 4_096, answer: () => textResponse('Done.') }).client;
      const run = busy.run('Hello');
      await run.next();
      await assert.rejects(record(busy.compact()), { code: 'busy' });
      await run.return(undefined as never);
    });
  });
});
