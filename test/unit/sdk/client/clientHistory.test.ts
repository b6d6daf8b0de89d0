import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentEvent } from '../../../../src/sdk/events';
import type { AssistantBlock, Message, StopReason, ToolUseError } from '../../../../src/sdk/messages';
import { tool } from '../../../../src/sdk/tool';
import { record, scriptedClient } from '../../../support/sessions/clients';
import { failure, response, textResponse, toolUse, type Script } from '../../../support/servers/scriptedProvider';

const block: fc.Arbitrary<AssistantBlock | ToolUseError> = fc.oneof(
  fc.constantFrom('', 'text', 'more text').map((text): AssistantBlock => ({ type: 'text', text })),
  fc.constant({ type: 'thinking', text: 'hm' } as const),
  fc
    .tuple(fc.constantFrom('c1', 'c2', 'c3'), fc.constantFrom('works', 'throws', 'asks', 'unknown'))
    .map(([id, name]) => toolUse(id, name)),
  fc.constant({ type: 'tool_use_error', error: 'bad JSON', toolUseId: 'c4', toolName: 'works' } as const),
  fc.constant({ type: 'tool_use_error', error: 'no name' } as const),
);

const blocks = fc.array(block, { maxLength: 4 });
const stopReason = fc.constantFrom<StopReason>('stop', 'tool_use', 'length', 'incomplete', 'content_filter');
const script: fc.Arbitrary<Script> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(blocks, stopReason).map(([content, reason]) => response(content, { stopReason: reason })),
  },
  { weight: 1, arbitrary: blocks.map((partial) => failure({ code: 'stream_broken', message: 'broken' }, partial)) },
);

interface Turn {
  readonly kind: 'run' | 'continue';
  /** The number of the event at which something happens to the run. */
  readonly at: number;
  readonly action: 'nothing' | 'interrupt' | 'steer' | 'cancel';
}

const turn: fc.Arbitrary<Turn> = fc.record({
  kind: fc.constantFrom('run', 'continue'),
  at: fc.nat({ max: 25 }),
  action: fc.constantFrom('nothing', 'interrupt', 'steer', 'cancel'),
});

/** What events say went into history. */
function historyOf(events: readonly AgentEvent[]): Message[] {
  return events.flatMap((event): Message[] => {
    if (event.type === 'user_message') return [{ role: 'user', content: event.text }];
    if (event.type === 'assistant_message') return [event.message];
    if (event.type === 'tool_execution_end') return [{ role: 'tool', content: event.result }];
    return [];
  });
}

function assertWellFormed(history: readonly Message[]): void {
  let open: string[] = [];
  history.forEach((message, index) => {
    const before = history[index - 1]?.role;
    if (message.role === 'tool') {
      assert.equal(message.content.toolUseId, open.shift(), `a result out of order at ${index}`);
      return;
    }
    assert.deepEqual(open, [], `calls without a result before ${index}`);
    if (message.role === 'user') assert.ok(before === undefined || before === 'assistant', `a user after ${before}`);
    else {
      assert.notEqual(before, 'assistant', `an assistant after an assistant at ${index}`);
      open = message.content.flatMap((part) => {
        if (part.type === 'tool_use') return [part.id];
        return part.type === 'tool_use_error' && part.toolUseId !== undefined ? [part.toolUseId] : [];
      });
    }
  });
  assert.deepEqual(open, [], 'calls without a result at the end');
}

describe('the history of a Client', () => {
  it('is well-formed, only grows, and matches the events, whatever models, tools and people do', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(script, { maxLength: 8 }),
        fc.array(turn, { minLength: 1, maxLength: 4 }),
        async (scripts, turns) => {
          const tools = [
            tool('works', 'Work', {}, () => 'worked'),
            tool('throws', 'Throw', {}, () => assert.fail('thrown')),
            tool('asks', 'Ask', {}, () => 'allowed'),
          ];
          const enough = Array.from({ length: 30 }, () => textResponse('enough'));
          const { client, provider } = scriptedClient([...scripts, ...enough], {
            tools,
            maxToolIterations: 3,
            approvalHook: ({ toolName }) => (toolName === 'asks' ? { action: 'deny', reason: 'no' } : undefined),
          });
          const events: AgentEvent[] = [];
          for (const { kind, at, action } of turns) {
            const run = kind === 'run' || client.history.length === 0 ? client.run('prompt') : client.continueRun();
            const before = client.history;
            let index = 0;
            const recorded = await record(run, async (event) => {
              if (index++ !== at) return;
              if (action === 'interrupt') await client.interrupt();
              if (action === 'steer') client.steer('steering');
              if (action === 'cancel' && 'toolUseId' in event) client.cancelTool(event.toolUseId);
            });
            events.push(...recorded.events);
            assertWellFormed(client.history);
            assert.deepEqual(client.history.slice(0, before.length), before);
            assert.deepEqual(recorded.result.conversation, client.history);
          }
          assert.deepEqual(historyOf(events), client.history);
          for (const { messages, tools: offered } of provider.requests) {
            assertWellFormed(messages);
            assert.notEqual(messages.at(-1)?.role, 'assistant');
            assert.deepEqual(offered, provider.requests[0]?.tools);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
