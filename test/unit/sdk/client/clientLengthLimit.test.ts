import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AssistantBlock, ToolUseError } from '../../../../src/sdk/messages';
import type { ModelEvent } from '../../../../src/sdk/model/modelProvider';
import { tool } from '../../../../src/sdk/tool';
import { record, scriptedClient } from '../../../support/sessions/clients';
import { response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

const error =
  'The answer reached its length limit inside a tool call, which was not executed. Make smaller calls, one at a time. ' +
  'Write a long file in parts.';
const cutText: ToolUseError = { type: 'tool_use_error', error, rawData: '<tool_call>{"name":"write","argum' };
const usage = (promptTokens: number, completionTokens: number) => ({ usage: { promptTokens, completionTokens } });

function atLimit(content: readonly (AssistantBlock | ToolUseError)[], end = {}): readonly ModelEvent[] {
  return response(content, { stopReason: 'length', ...end });
}

describe('Client with an answer that reached a limit', () => {
  let written: unknown[];
  const write = () => tool('write', 'Write', {}, () => written.push('a'));
  beforeEach(() => (written = []));

  it('tells the model of a cut call, and goes on', async () => {
    const { client, provider } = scriptedClient(
      [
        atLimit([{ type: 'text', text: 'So' }, toolUse('c1', 'write')]),
        response([toolUse('c2', 'write')]),
        textResponse('Done.'),
      ],
      { tools: [write()], maxTokens: 100 },
    );
    const { events, result } = await record(client.run('go'));
    assert.equal(result.outcome, 'completed');
    assert.deepEqual(written, ['a']);
    const told = { type: 'tool_result', toolUseId: 'c1', toolName: 'write', content: error, isError: true };
    assert.deepEqual(provider.requests[1]?.messages.at(-1), { role: 'tool', content: told });
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'warning' ? [event.message] : [])),
      [
        'The answer of scripted reached its length limit inside a tool call, which was not executed. The model is told to make smaller calls.',
      ],
    );
  });

  it('tells the model of a cut call that was written as text', async () => {
    const { client, provider } = scriptedClient([atLimit([cutText]), textResponse('Done.')], { maxTokens: 100 });
    const { result } = await record(client.run('go'));
    assert.equal(result.primaryText, 'Done.');
    assert.deepEqual(provider.requests[1]?.messages.at(-1), { role: 'user', content: error });
  });

  it('tells the model of a call without its end that no limit cut', async () => {
    const open: ToolUseError = { type: 'tool_use_error', error: 'It was not executed.', rawData: '<tool_call>{"na' };
    const { client, provider } = scriptedClient([response([open]), textResponse('Done.')]);
    await record(client.run('go'));
    const told = 'It was not executed. Write the whole call again.';
    assert.deepEqual(provider.requests[1]?.messages.at(-1), { role: 'user', content: told });
  });

  it('ends the run when four answers in a row are cut inside a call', async () => {
    const cut = [1, 2, 3, 4].map((id) => atLimit([toolUse(`c${id}`, 'write')]));
    const { client, provider } = scriptedClient([...cut, textResponse('never')], { tools: [write()], maxTokens: 100 });
    const { result } = await record(client.run('go'));
    assert.deepEqual([written, provider.requests.length, result.error?.code], [[], 4, 'stream_broken']);
    assert.match(result.error?.message ?? '', /length limit inside a tool call 4 times in a row.*Raise maxTokens/);
  });

  it('asks again with the room that is left where the server has a small limit of its own', async () => {
    const { client, provider } = scriptedClient(
      [atLimit([{ type: 'text', text: 'Half an' }], usage(1_000, 512)), textResponse('A whole answer.')],
      { compaction: { contextWindow: 8_192 }, maxTokens: null },
    );
    const { events, result } = await record(client.run('go'));
    assert.equal(result.primaryText, 'A whole answer.');
    assert.deepEqual(client.history.length, 2);
    const sent = provider.requests.map(({ sampling }) => sampling.maxTokens ?? 0);
    assert.equal(sent[0], 0);
    assert.ok((sent[1] ?? 0) > 6_000 && (sent[1] ?? 0) < 8_192, String(sent));
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'warning' ? [event.code] : [])),
      ['sampled_again'],
    );
  });

  const notTheServers: readonly (readonly [string, object, object])[] = [
    ['the window is full', usage(7_900, 292), {}],
    ['the person set the limit', usage(1_000, 512), { maxTokens: 512 }],
    ["the person set the limit under a server's own name", usage(1_000, 512), { extraBody: { n_predict: 512 } }],
  ];
  for (const [when, end, options] of notTheServers) {
    it(`keeps the cut text when ${when}`, async () => {
      const { client, provider } = scriptedClient([atLimit([{ type: 'text', text: 'Half an' }], end)], {
        compaction: { contextWindow: 8_192 },
        maxTokens: null,
        ...options,
      });
      const { result } = await record(client.run('go'));
      assert.deepEqual([result.outcome, result.primaryText, provider.requests.length], ['completed', 'Half an', 1]);
    });
  }

  it('runs no call of a limited answer and ends, whatever the answers hold', async () => {
    const block = fc.oneof(
      fc.constantFrom<ToolUseError>(cutText, { ...cutText, toolUseId: 'x', toolName: 'write' }),
      fc.constantFrom<AssistantBlock>({ type: 'text', text: 'So' }, { type: 'thinking', text: 'Hm' }),
      fc.constant(toolUse('', 'write')),
    );
    const answer = fc.record({ content: fc.array(block, { maxLength: 4 }), isCut: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 12 }), async (answers) => {
        written = [];
        let ids = 0;
        const scripts = answers.map(({ content, isCut }) => {
          const own = content.map((item) => (item.type === 'tool_use' ? { ...item, id: `c${++ids}` } : item));
          return response(own, isCut ? { stopReason: 'length' } : {});
        });
        const allowed = answers.flatMap(({ content, isCut }) => (isCut ? [] : content)).filter(isUse).length;
        const fill = Array.from({ length: 8 }, () => textResponse('End.'));
        const { client } = scriptedClient([...scripts, ...fill], { tools: [write()], maxTokens: 100 });
        const { result } = await record(client.run('go'));
        assert.ok(written.length <= allowed, `${written.length} calls ran, ${allowed} may`);
        assert.ok(['completed', 'limit', 'error'].includes(result.outcome));
      }),
      { numRuns: 200 },
    );
  });
});

function isUse({ type }: AssistantBlock | ToolUseError): boolean {
  return type === 'tool_use';
}
