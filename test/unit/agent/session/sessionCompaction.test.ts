import assert from 'node:assert/strict';
import type { EntryOf, SessionEntry } from '../../../../src/sdk/session/entries';
import { response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';
import { comparable, outline, SessionBench, sessionFile } from '../../../support/sessions/sessions';

function compactionsOf(entries: readonly SessionEntry[]): readonly EntryOf<'compaction'>[] {
  return entries.flatMap((entry) => (entry.type === 'compaction' ? [entry] : []));
}

describe('A session whose conversation is compacted', () => {
  it('continues byte for byte the same after it is loaded again, and shows everything', async () => {
    const long = 'many words '.repeat(200);
    const live = new SessionBench();
    live.compaction = { contextWindow: 1_500 };
    const session = await live.open(
      textResponse('First.'),
      textResponse('Summary of one.'),
      response([{ type: 'text', text: 'Reading.' }, toolUse('c1', 'read', { path: 'a' })]),
      response([toolUse('c2', 'read', { path: long })]),
      textResponse('Summary of one and two.'),
      textResponse('Second.'),
    );
    await session.submit({ text: `one ${long}` });
    await session.whenIdle();
    await session.submit({ text: `two ${long}` });
    await session.whenIdle();

    const entries = await live.entries();
    const compactions = compactionsOf(entries);
    assert.equal(compactions.length, 2);
    const kept = compactions.map(({ firstKeptId }) => entries.find(({ id }) => id === firstKeptId)?.type);
    assert.deepEqual(kept, ['user_message', 'assistant_message']);

    const before = session.view;
    const again = new SessionBench();
    again.storage.setText(sessionFile, live.storage.text(sessionFile));
    again.provider.add(textResponse('Last.'));
    const loaded = await again.open();
    assert.deepEqual(comparable(loaded.view), comparable(before));
    live.compaction = undefined;
    live.provider.add(textResponse('Last.'));
    for (const each of [session, loaded]) {
      await each.submit({ text: 'three' });
      await each.whenIdle();
    }
    assert.equal(again.newestRequest, live.newestRequest);
    assert.ok(again.newestRequest.includes('Summary of one and two.'));
    assert.ok(!again.newestRequest.includes('First.'));
    assert.ok(outline(loaded.view).includes('text: First.'));
    const notices = outline(loaded.view).filter((line) => line.startsWith('notice'));
    assert.equal(notices.length, 2);
    assert.match(notices[0] ?? '', /Earlier messages were shortened for the model/);
    assert.deepEqual(live.internalErrors, []);
  });
});
