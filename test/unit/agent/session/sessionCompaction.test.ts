import assert from 'node:assert/strict';
import type { EntryOf, SessionEntry } from '../../../../src/sdk/session/entries';
import { failure, hold, response, textResponse, toolUse, type Script } from '../../../support/servers/scriptedProvider';
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
    assert.match(notices[0] ?? '', /Earlier messages were summarised for the model/);
    assert.deepEqual(live.internalErrors, []);
  });

  describe('because the person asks', () => {
    const long = 'many words '.repeat(200);
    async function talk(bench: SessionBench, ...answers: readonly Script[]) {
      const session = await bench.open(textResponse('First.'), textResponse('Second.'), ...answers);
      for (const word of ['one', 'two']) {
        await session.submit({ text: `${word} ${long}` });
        await session.whenIdle();
      }
      return session;
    }

    it('keeps what the person names, goes on from the summary, and is the same after it is loaded again', async () => {
      const live = new SessionBench();
      const session = await talk(live, textResponse('Summary.'));
      await session.compact('the names of the files');
      assert.equal(session.view.state, 'running');
      await session.whenIdle();
      assert.ok(live.newestRequest.includes('keep what the user named: the names of the files'));
      assert.equal(compactionsOf(await live.entries()).length, 1);
      assert.deepEqual(session.view.state, 'idle');
      const again = new SessionBench();
      again.storage.setText(sessionFile, live.storage.text(sessionFile));
      const loaded = await again.open();
      assert.deepEqual(comparable(loaded.view), comparable(session.view));
      for (const [bench, each] of [
        [live, session],
        [again, loaded],
      ] as const) {
        bench.provider.add(textResponse('Third.'));
        await each.submit({ text: 'three' });
        await each.whenIdle();
      }
      assert.equal(again.newestRequest, live.newestRequest);
      assert.ok(live.newestRequest.includes('Summary.') && !live.newestRequest.includes('one many'));
      assert.deepEqual(outline(loaded.view), outline(session.view));
      assert.deepEqual([live.internalErrors, again.internalErrors], [[], []]);
    });

    it('says so where nothing gets shorter, and where the model fails', async () => {
      const short = new SessionBench();
      const session = await short.open(textResponse('First.'), textResponse('A summary that is longer.'));
      await session.compact();
      assert.equal(session.view.state, 'idle');
      await session.submit({ text: 'one' });
      await session.whenIdle();
      await session.compact();
      await session.whenIdle();
      assert.match(outline(session.view).at(-1) ?? '', /The conversation is too short/);

      const failing = new SessionBench();
      const other = await talk(failing, failure({ code: 'server_error', message: 'The server broke.' }));
      const before = await failing.entries();
      await other.compact();
      await other.whenIdle();
      assert.match(
        outline(other.view).at(-1) ?? '',
        /was not summarised, and nothing was changed\. The server broke\./,
      );
      assert.deepEqual(await failing.entries(), before);
    });

    it('is stopped without a trace, and lets a prompt that came meanwhile follow', async () => {
      const live = new SessionBench();
      const session = await talk(live, [hold()]);
      const before = await live.entries();
      await session.compact();
      await session.stop();
      assert.deepEqual([session.view.state, await live.entries()], ['idle', before]);
      live.provider.add(textResponse('Summary.'), textResponse('Third.'));
      await session.compact();
      await session.submit({ text: 'three' });
      await session.whenIdle();
      assert.ok(live.newestRequest.includes('Summary.') && live.newestRequest.includes('three'));
      assert.ok(outline(session.view).includes('text: Third.'));
    });
  });
});
