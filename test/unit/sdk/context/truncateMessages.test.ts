import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { truncateMessages } from '../../../../src/sdk/context/truncateMessages';
import { AgentError } from '../../../../src/sdk/errors';
import type { Message } from '../../../../src/sdk/messages';

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });
const calls = (...ids: readonly string[]): Message[] => [
  { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} }) as const) },
  ...ids.map((id): Message => ({
    role: 'tool',
    content: { type: 'tool_result', toolUseId: id, content: `text of ${id}`, isError: false },
  })),
];

const history = [user('one'), assistant('1'), user('two'), ...calls('a', 'b'), ...calls('c'), assistant('2')];

describe('truncateMessages', () => {
  it('keeps a history that fits, as a new list', () => {
    const kept = truncateMessages(history, { maxMessages: 100 });
    assert.deepEqual(kept, history);
    assert.notEqual(kept, history);
  });

  it('keeps the newest messages, calls with their results, after the user message of their turn', () => {
    assert.deepEqual(truncateMessages(history, { maxMessages: 4 }), [user('two'), ...calls('c'), assistant('2')]);
    assert.deepEqual(truncateMessages(history, { maxMessages: 6 }), [user('two'), ...calls('c'), assistant('2')]);
    assert.deepEqual(truncateMessages(history, { maxMessages: 7 }), history.slice(2));
    assert.deepEqual(truncateMessages(history, { maxMessages: 1 }), [user('two'), assistant('2')]);
  });

  it('keeps about as many tokens as given', () => {
    const long = Array.from({ length: 20 }, (_, index) => [
      user(`${index} ${'x'.repeat(400)}`),
      assistant('ok'),
    ]).flat();
    const kept = truncateMessages(long, { maxTokens: 600 });
    assert.deepEqual(kept, long.slice(-kept.length));
    assert.equal(kept.length, 10);
    const counted = truncateMessages(long, { maxTokens: 3, countTokens: (messages) => messages.length });
    assert.deepEqual(counted, long.slice(-2));
  });

  it('needs a limit', () => {
    assert.throws(
      () => truncateMessages(history, {}),
      (error) => error instanceof AgentError && error.code === 'invalid_options',
    );
  });

  it('keeps calls with their results, starts with a user message and ends as the history does', () => {
    const turn = fc
      .array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 })
      .map((steps) => [
        user('q'),
        ...steps.flatMap((count, step) => calls(...Array.from({ length: count }, (_, index) => `${step}${index}`))),
        assistant('a'),
      ]);
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 20 }), (turns, max) => {
        const all = turns.flat();
        const kept = truncateMessages(all, { maxMessages: max });
        assert.equal(kept[0]?.role, 'user');
        assert.equal(kept.at(-1), all.at(-1));
        const open: string[] = [];
        for (const message of kept) {
          if (message.role === 'tool') assert.equal(message.content.toolUseId, open.shift());
          else assert.deepEqual(open, []);
          if (message.role !== 'assistant') continue;
          open.push(...message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
        }
        assert.deepEqual(open, []);
      }),
    );
  });
});
