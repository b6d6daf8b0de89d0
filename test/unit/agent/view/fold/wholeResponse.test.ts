import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { viewFromEntries } from '../../../../../src/agent/view/fold/viewFromEntries';
import { readWholeResponse } from '../../../../../src/agent/view/fold/wholeResponse';
import type { EntryBody, SessionEntry } from '../../../../../src/sdk/session/entries';

/** Few ids, so that calls and results often belong together, and some ids are used again. */
const toolUseId = fc.constantFrom('a', 'a', 'b', 'c');
const text = fc.constantFrom('Some text.', 'More.', ' ', '');
const input = fc.constantFrom({}, { path: 'a.ts' });

const block = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('thinking' as const), text }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('tool_use' as const), id: toolUseId, name: text, input }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('tool_use_error' as const), error: text, toolUseId }) },
);

const usage = fc.record(
  { promptTokens: fc.nat(9), completionTokens: fc.nat(9), writtenPerSecond: fc.constantFrom(12.5, 40) },
  { requiredKeys: ['promptTokens', 'completionTokens'] },
);

const message = fc.record(
  {
    type: fc.constant('assistant_message' as const),
    content: fc.array(block, { maxLength: 4 }),
    responseId: fc.constant('r'),
    model: fc.constant('m'),
    stopReason: fc.constantFrom('stop', 'tool_use', 'length', 'interrupted', 'incomplete'),
    usage,
    isBridge: fc.boolean(),
  },
  { requiredKeys: ['type', 'content', 'responseId', 'model'] },
);

const result = fc.record(
  {
    type: fc.constant('tool_result' as const),
    toolUseId,
    content: fc.oneof(text, fc.constant([{ line: 1 }])),
    isError: fc.boolean(),
    outcome: fc.constantFrom('succeeded', 'failed', 'denied', 'interrupted'),
    display: fc.constantFrom({ kind: 'x' }, null, 'shown'),
    approval: fc.record(
      { outcome: fc.constantFrom('allowed', 'allowed_with_changes', 'denied', 'expired'), reason: text },
      { requiredKeys: ['outcome'] },
    ),
  },
  { requiredKeys: ['type', 'toolUseId', 'content', 'isError', 'outcome'] },
);

const call = fc.record({ type: fc.constant('tool_call' as const), toolUseId, toolName: text, input });

const partial = fc.record({
  type: fc.constant('assistant_partial' as const),
  blocks: fc.array(fc.record({ block: fc.nat(2), type: fc.constantFrom('text', 'thinking'), text }), {
    minLength: 1,
    maxLength: 2,
  }),
});

const other = fc.oneof(
  partial,
  fc.record({
    type: fc.constant('user_message' as const),
    text,
    contextLabels: fc.constant([]),
    content: text,
    origin: fc.constantFrom('prompt', 'prompt', 'steer', 'continue', 'hook'),
  }),
  fc.record({ type: fc.constant('status_update' as const), status: fc.constantFrom('RUNNING', 'FINISHED', 'ERROR') }),
  fc.record({
    type: fc.constant('checkpoint' as const),
    cause: fc.constantFrom('edit', 'command', 'restore'),
    label: text,
    changes: fc.constantFrom([], [{ path: 'a.ts', before: null, after: null }]),
  }),
  fc.record({ type: fc.constant('run_summary' as const), promptId: fc.constantFrom('e0', 'e1'), message: text }),
  fc.record({ type: fc.constant('compaction' as const), summary: text, firstKeptId: fc.constant(null) }),
  fc.record({ type: fc.constant('title' as const), title: text }),
);

/** Some messages with the entries of their calls as a run writes them, and some entries in any order. */
const bodies = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.tuple(
          message,
          fc.shuffledSubarray([0, 1, 2, 3]),
          fc.array(result, { maxLength: 4 }),
          fc.oneof(fc.constant([]), fc.array(partial, { maxLength: 3 })),
        ),
      },
      { weight: 1, arbitrary: fc.oneof(message, call, result, other) },
    ),
    { maxLength: 12 },
  )
  .map((pieces): EntryBody[] =>
    pieces.flatMap((piece): EntryBody[] => {
      if (!Array.isArray(piece)) return [piece];
      const [said, order, results, partials] = piece;
      const uses = said.content.filter((one) => one.type === 'tool_use');
      const starts = uses.map(({ id, name, input: given }): EntryBody => {
        return { type: 'tool_call', toolUseId: id, toolName: name, input: given };
      });
      const ends = order.flatMap((at): EntryBody[] => {
        const [use, end] = [uses[at], results[at]];
        return use && end ? [{ ...end, toolUseId: use.id }] : [];
      });
      const isInPairs = order[0] === 0;
      const pairs = isInPairs
        ? starts.flatMap((start, at) => [start, ...ends.slice(at, at + 1)])
        : [...starts, ...ends];
      return [...partials, said, ...pairs];
    }),
  );

function entriesOf(all: readonly EntryBody[]): SessionEntry[] {
  return all.map((body, seq) => {
    return {
      v: 1,
      id: `e${seq}`,
      parentId: seq === 0 ? null : `e${seq - 1}`,
      seq,
      ts: 1_000 + seq,
      ...body,
    };
  });
}

/** The same session, where something else was written after the beginning of each answer. So their events are folded. */
function withBeginnings(entries: readonly SessionEntry[]): SessionEntry[] {
  const isAnswer = (entry: SessionEntry | undefined): boolean =>
    entry?.type === 'assistant_partial' || (entry?.type === 'assistant_message' && entry.isBridge !== true);
  const more = entries.flatMap((entry, index): SessionEntry[] => {
    if (!isAnswer(entry) || entries[index - 1]?.type === 'assistant_partial') return [entry];
    const { v, ts, seq, parentId } = entry;
    const envelope = { v, ts, seq, parentId };
    return [
      { ...envelope, id: `${entry.id}-begun`, type: 'assistant_partial', blocks: [] },
      { ...envelope, id: `${entry.id}-other`, type: 'unknown', raw: { ...envelope, id: 'x', type: 'x' } },
      entry,
    ];
  });
  return more.map((entry, seq) => ({ ...entry, seq, parentId: more[seq - 1]?.id ?? null }));
}

describe('a response that is whole in the file', () => {
  it('is shown as the fold of its events shows it', () => {
    let wholeCount = 0;
    fc.assert(
      fc.property(bodies, (all) => {
        const entries = entriesOf(all);
        for (const index of entries.keys()) if (readWholeResponse(entries, index, 0)) wholeCount += 1;
        assert.deepEqual(viewFromEntries('s', entries), viewFromEntries('s', withBeginnings(entries)));
      }),
      { numRuns: 4_000 },
    );
    assert.ok(wholeCount > 1_000, `only ${wholeCount} whole responses`);
  });

  it('is read with its calls, in any order and with checkpoints between them', () => {
    const use = (id: string) => ({ type: 'tool_use', id, name: 'run', input: {} }) as const;
    const started = (id: string) => ({ type: 'tool_call', toolUseId: id, toolName: 'run', input: {} }) as const;
    const ended = (id: string) => {
      return { type: 'tool_result', toolUseId: id, content: 'done', isError: false, outcome: 'succeeded' } as const;
    };
    const said = { type: 'assistant_message', content: [use('a'), use('b')], responseId: 'r', model: 'm' } as const;
    const kept = { type: 'checkpoint', cause: 'edit', label: 'x', changes: [] } as const;
    const read = (...all: EntryBody[]) => readWholeResponse(entriesOf([said, ...all]), 0, 7)?.next;
    assert.equal(read(started('a'), kept, ended('a'), started('b'), ended('b'), kept), 6);
    assert.equal(read(started('b'), started('a'), ended('a'), ended('b')), 5);
    assert.equal(read(ended('a'), ended('b')), 3);
    assert.equal(read(started('a'), ended('a'), started('b')), undefined);
    assert.equal(read(started('a'), ended('a'), { ...kept, cause: 'restore' }, ended('b')), undefined);
  });
});
