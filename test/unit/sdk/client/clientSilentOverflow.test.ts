import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentOptions } from '../../../../src/sdk/configuration/agentOptions';
import { Client } from '../../../../src/sdk/client';
import type { AgentEvent } from '../../../../src/sdk/events';
import type { Message } from '../../../../src/sdk/messages';
import { tool } from '../../../../src/sdk/tool';
import { record } from '../../../support/sessions/clients';
import {
  response,
  ScriptedProvider,
  textResponse,
  toolUse,
  type Script,
} from '../../../support/servers/scriptedProvider';
import { WindowedProvider, type WindowedProviderOptions } from '../../../support/servers/windowedProvider';

const words = (characters: number): string => 'a line with its own words\n'.repeat(Math.ceil(characters / 26));

const read = tool('read', 'Read a file', { characters: 'integer' }, ({ characters }) => words(characters));

function clientOf(provider: AgentOptions['provider'], more: Partial<AgentOptions> = {}) {
  return new Client({
    systemPrompt: 'You are a careful assistant.',
    model: 'm',
    baseUrl: 'http://localhost:1234',
    autoExecuteTools: true,
    maxTokens: null,
    tools: [read],
    ...(provider && { provider }),
    compaction: { contextWindow: 4_096 },
    ...more,
  });
}

/** A conversation with so many characters before its next prompt. */
function talk(characters: number): Message[] {
  return [
    { role: 'user', content: words(characters / 2) },
    { role: 'assistant', content: [{ type: 'text', text: words(characters / 2) }] },
  ];
}

function compactions(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.type === 'compaction' ? [event.reason] : []));
}

describe('Client with a server that answers nothing to a prompt that is too long', () => {
  const silent = (more: Partial<WindowedProviderOptions> = {}) =>
    new WindowedProvider({ contextWindow: 4_096, isSilent: true, answer: () => textResponse('Done.'), ...more });

  for (const silentReason of ['stop', 'length'] as const) {
    it(`compacts once and goes on when the server has counted the prompt (${silentReason})`, async () => {
      // The estimate is below the threshold of compaction, the prompt above the window.
      const provider = silent({ charactersPerToken: 2.5, silentReason });
      const client = clientOf(provider, { history: talk(10_400) });
      const { events, result } = await record(client.run('Go on.'));
      assert.equal(result.primaryText, 'Done.');
      assert.deepEqual([compactions(events), provider.refusals], [['overflow'], 1]);
      assert.deepEqual(
        events.filter(({ type }) => type === 'assistant_message').length,
        1,
        'the empty answer leaves nothing behind',
      );
      // What the server read of the empty answer counts.
      assert.ok((result.usage?.promptTokens ?? 0) > 4_096);
    });
  }

  it('compacts once and goes on when our own count nearly fills the window', async () => {
    const provider = silent({ charactersPerToken: 2.5, reportsUsage: false });
    const client = clientOf(provider, { history: talk(11_300) });
    const { events, result } = await record(client.run('Go on.'));
    assert.equal(result.primaryText, 'Done.');
    assert.deepEqual([compactions(events), provider.refusals], [['overflow'], 1]);
  });

  it('goes on after the result of a tool that was too long', async () => {
    const call = response([toolUse('c1', 'read', { characters: 11_400 })]);
    const provider = silent({
      charactersPerToken: 2.5,
      reportsUsage: false,
      answer: (index) => (index === 0 ? call : textResponse('Done.')),
    });
    const { events, result } = await record(clientOf(provider).run('Read.'));
    assert.equal(result.primaryText, 'Done.');
    assert.deepEqual([compactions(events), provider.refusals], [['overflow'], 1]);
  });

  it('says that the instructions alone do not fit', async () => {
    const systemPrompt = words(9_500);
    const { result } = await record(clientOf(silent({ charactersPerToken: 2 }), { systemPrompt }).run('Hello'));
    assert.equal(result.error?.code, 'context_overflow');
    assert.match(result.error?.message ?? '', /^Our instructions alone do not fit: they take about \d{4} tokens/);
  });

  it('says how full the window is when nothing can be left out, and keeps the prompt', async () => {
    const provider = silent({ charactersPerToken: 2.5 });
    const client = clientOf(provider);
    const { events, result } = await record(client.run(words(10_400)));
    assert.equal(result.error?.code, 'context_overflow');
    assert.match(
      result.error?.message ?? '',
      /^The answer of m is empty, and the prompt takes \d{4} of the 4096 tokens of the context window\. Load the model/,
    );
    assert.deepEqual(compactions(events), []);
    assert.equal(client.history.length, 1);
  });

  it('does not compact a second time for the same answer', async () => {
    const full = { promptTokens: 4_000, completionTokens: 0 };
    const empty = response([], { usage: full });
    const provider = new ScriptedProvider([empty, textResponse('The summary.'), empty]);
    const { events, result } = await record(clientOf(provider, { history: talk(10_400) }).run('Go on.'));
    assert.deepEqual(compactions(events), ['overflow']);
    assert.equal(result.error?.code, 'context_overflow');
    assert.equal(provider.requests.length, 3);
  });

  describe('but not', () => {
    const usage = (promptTokens: number) => ({ usage: { promptTokens, completionTokens: 0 } });
    const cases: readonly (readonly [string, Script, Partial<AgentOptions>])[] = [
      ['after a short prompt', response([], usage(300)), {}],
      ['after a short prompt that the server has not counted', response([]), {}],
      ['after a prompt with room for an answer', response([], usage(3_000)), { history: talk(9_000) }],
      ['where the window is not known', response([], usage(4_000)), { compaction: {} }],
      ['where nothing is compacted', response([], usage(4_000)), { compaction: undefined }],
      ['after blanks, which are an answer of the model', textResponse(' \n', usage(4_000).usage), {}],
    ];
    for (const [name, nothing, more] of cases) {
      it(name, async () => {
        const provider = new ScriptedProvider([nothing]);
        const { events, result } = await record(clientOf(provider, more).run('Go on.'));
        assert.deepEqual([result.outcome, result.error?.code], ['error', 'no_answer']);
        assert.deepEqual([compactions(events), provider.requests.length], [[], 1]);
      });
    }
  });

  it('never takes an overflow for an empty answer, nor an empty answer for an overflow, where the server counts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          contextWindow: fc.integer({ min: 2_048, max: 32_768 }),
          charactersPerToken: fc.double({ min: 2, max: 4.5, noNaN: true }),
          fullness: fc.double({ min: 0.05, max: 1.6, noNaN: true }),
          silentReason: fc.constantFrom('stop' as const, 'length' as const),
          isMute: fc.boolean(),
        }),
        async ({ contextWindow, charactersPerToken, fullness, silentReason, isMute }) => {
          const provider = new WindowedProvider({
            ...{ contextWindow, charactersPerToken, silentReason, isSilent: true },
            answer: () => (isMute ? response([]) : textResponse('Done.')),
          });
          const history = talk(contextWindow * charactersPerToken * fullness);
          const client = clientOf(provider, { history, compaction: { contextWindow } });
          const { events, result } = await record(client.run('Go on.'));
          assert.ok(provider.refusals <= 2, `${provider.refusals} refusals`);
          assert.ok(compactions(events).length <= 1);
          const last = provider.promptTokens.at(-1) ?? 0;
          if (!isMute) assert.equal(result.primaryText, 'Done.');
          else if (last < contextWindow * 0.7) assert.equal(result.error?.code, 'no_answer');
          else assert.notEqual(result.outcome, 'completed');
        },
      ),
      { numRuns: 150 },
    );
  });
});
