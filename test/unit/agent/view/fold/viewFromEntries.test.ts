import assert from 'node:assert/strict';
import { viewFromEntries, viewInSlices } from '../../../../../src/agent/view/fold/viewFromEntries';
import type { SessionEntry } from '../../../../../src/sdk/session/entries';
import { replayInSlices, replayMessages } from '../../../../../src/sdk/session/replay';
import { STEPS_OF_SLICE } from '../../../../../src/util/slices/slices';
import { countWork } from '../../../../support/workInATurn';

const ENTRIES = 30_000;
/** Each entry is looked at about ten times. */
const MOST = 30 * STEPS_OF_SLICE;

/** A conversation of prompts and answers. `step` is called whenever somebody looks at the type of an entry. */
function conversation(step: () => void): SessionEntry[] {
  return Array.from({ length: ENTRIES }, (_, index) => {
    const envelope = { v: 1, id: `e${index}`, parentId: index === 0 ? null : `e${index - 1}`, seq: index, ts: index };
    const text = `Text ${index}`;
    const body =
      index % 2 === 0
        ? { type: 'user_message', text, contextLabels: [], content: text, origin: 'prompt' }
        : { type: 'assistant_message', content: [{ type: 'text', text }], responseId: 'r', model: 'm' };
    const { type, ...rest } = body;
    return {
      ...envelope,
      ...rest,
      get type() {
        step();
        return type;
      },
    } as SessionEntry;
  });
}

describe('a session with very many entries', () => {
  const nothing = (): void => {};

  it('has the same view and history in slices as at once', async () => {
    const entries = conversation(nothing);
    assert.deepEqual(await viewInSlices('s', entries), viewFromEntries('s', entries));
    assert.deepEqual(await replayInSlices(entries), replayMessages(entries));
  });

  it('lets other work run while its view and its history are made', async () => {
    for (const make of [(entries: SessionEntry[]) => viewInSlices('s', entries), replayInSlices]) {
      const { most, all } = await countWork((step) => make(conversation(step)));
      assert.ok(all >= ENTRIES, `only ${all} steps`);
      assert.ok(most <= MOST && most < all / 2, `${most} of ${all} steps at once`);
    }
  });

  it('counts no entry that is added meanwhile', async () => {
    const entries = conversation(nothing);
    const expected = [viewFromEntries('s', entries), replayMessages(entries)];
    const made = [viewInSlices('s', entries), replayInSlices(entries)];
    entries.push({ ...conversation(nothing)[0], id: 'late', parentId: `e${ENTRIES - 1}` } as SessionEntry);
    assert.deepEqual(await Promise.all(made), expected);
  });
});
