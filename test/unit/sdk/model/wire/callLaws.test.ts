import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { withCallLaws } from '../../../../../src/sdk/model/wire/callLaws';
import { toWireMessages } from '../../../../../src/sdk/model/wire/wireMessages';
import type { Message } from '../../../../../src/sdk/messages';

const ids = fc.oneof(fc.constantFrom('', 'call_1', 'abcDEF123', 'functions.read_file:0'), fc.string({ maxLength: 40 }));

/** A prompt, calls with their results, and an answer. */
const turns = fc
  .tuple(fc.string(), fc.array(fc.tuple(ids, fc.boolean()), { maxLength: 4 }), fc.string())
  .map(([prompt, calls, answer]): readonly Message[] => [
    { role: 'user', content: prompt },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: answer },
        ...calls.map(([id]) => ({ type: 'tool_use' as const, id, name: 'read_file', input: { path: 'a' } })),
      ],
    },
    ...calls
      .filter(([, hasResult]) => hasResult)
      .map(([toolUseId]): Message => ({
        role: 'tool',
        content: { type: 'tool_result', toolUseId, content: 'one', isError: false },
      })),
  ]);
const histories = fc.array(turns, { minLength: 1, maxLength: 4 });

describe('the laws of chat templates about calls', () => {
  it('hold for any history: one call in a message, its result next, ids of nine letters and digits, each used once', () => {
    fc.assert(
      fc.property(histories, (parts) => {
        const wire = withCallLaws(toWireMessages('', parts.flat()), { callIds: 'nine', callsTogether: false });
        const seen = new Set<string>();
        for (const [index, message] of wire.entries()) {
          if (message.role === 'tool') assert.equal(wire[index - 1]?.role, 'assistant');
          if (message.role !== 'assistant' || message.tool_calls === undefined) continue;
          const [call] = message.tool_calls;
          assert.equal(message.tool_calls.length, 1);
          assert.match(call?.id ?? '', /^[a-zA-Z0-9]{9}$/);
          assert.ok(!seen.has(call?.id ?? ''));
          seen.add(call?.id ?? '');
          const result = wire[index + 1];
          assert.ok(result?.role === 'tool' && result.tool_call_id === call?.id);
        }
      }),
    );
  });

  it('keep every result, every text and the order', () => {
    fc.assert(
      fc.property(histories, (parts) => {
        const before = toWireMessages('', parts.flat());
        const after = withCallLaws(before, { callIds: 'nine', callsTogether: false });
        const results = (wire: typeof before) =>
          wire.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
        const texts = (wire: typeof before) =>
          wire.flatMap(({ role, content }) => (role !== 'tool' && content !== '' ? [content] : []));
        assert.deepEqual(results([...after]), results(before));
        assert.deepEqual(texts([...after]), texts(before));
      }),
    );
  });

  it('leave the beginning as it was when the history grows', () => {
    fc.assert(
      fc.property(histories, (parts) => {
        const laws = { callIds: 'nine', callsTogether: false } as const;
        const lawful = (count: number) => withCallLaws(toWireMessages('', parts.slice(0, count).flat()), laws);
        for (let count = 1; count < parts.length; count += 1) {
          // The last message of a history may be one that is filled in.
          const shorter = lawful(count).slice(0, -1);
          assert.deepEqual(lawful(count + 1).slice(0, shorter.length), shorter);
        }
      }),
    );
  });

  it('change nothing where the template has none', () => {
    fc.assert(
      fc.property(histories, (parts) => {
        const wire = toWireMessages('', parts.flat());
        assert.deepEqual(withCallLaws(wire, { callIds: 'given', callsTogether: true }), wire);
      }),
    );
  });
});
