import assert from 'node:assert/strict';
import type { ListedSession } from '../../../../src/agent/session/sessionList';
import { SessionListing } from '../../../../src/host/panel/sessionListing';

function listed(id: string, updatedMs = 1): ListedSession {
  return { id, title: id, updatedMs, status: 'FINISHED', workspace: null, isRunning: false, isForeign: false };
}

describe("The panel's list of sessions", () => {
  function open(sessions: () => readonly ListedSession[]) {
    const read: string[] = [];
    const seen: string[] = [];
    const listing: SessionListing = new SessionListing({
      registry: {
        list: async () => sessions(),
        foundPiece: async ({ id }, query) => {
          read.push(`${id} ${query}`);
          return id === 'none' ? undefined : { before: '', found: query, after: ` in ${id}` };
        },
      },
      onChange: () => {
        const { sessions: shown, sessionQuery } = listing.state;
        seen.push(`${sessionQuery}: ${shown.map(({ id, piece }) => `${id}${piece ? piece.after : ''}`).join(', ')}`);
      },
    });
    return { listing, read, seen };
  }

  it('shows what matches first, and then where', async () => {
    const { listing, read, seen } = open(() => [listed('one'), listed('none')]);
    await listing.refresh();
    await listing.search('word');
    assert.deepEqual(seen, [': one, none', 'word: one, none', 'word: one in one, none']);
    assert.deepEqual(read, ['one word', 'none word']);
  });

  it('reads only sessions that have changed since the same search', async () => {
    let sessions = [listed('one'), listed('two')];
    const { listing, read } = open(() => sessions);
    await listing.search('word');
    sessions = [listed('one', 2), listed('two')];
    await listing.refresh();
    await listing.search('other');
    assert.deepEqual(read, ['one word', 'two word', 'one word', 'one other', 'two other']);
  });

  it('stops reading for a search that is no longer wanted', async () => {
    const { listing, read, seen } = open(() => [listed('one'), listed('two')]);
    const first = listing.search('word');
    // Until the first file is being read.
    while (read.length === 0) await Promise.resolve();
    await Promise.all([first, listing.search('')]);
    assert.deepEqual(read, ['one word']);
    assert.equal(seen.at(-1), ': one, two');
  });

  it('tells why the sessions could not be read, until they can be', async () => {
    let isReadable = false;
    const { listing, seen } = open(() => {
      if (isReadable) return [listed('one')];
      throw new Error('EACCES: permission denied');
    });
    await listing.search('word');
    assert.equal(seen.at(-1), 'word: ');
    assert.equal(listing.state.sessionFailure, 'EACCES: permission denied');
    isReadable = true;
    await listing.refresh();
    assert.equal(listing.state.sessionFailure, undefined);
    assert.equal(seen.at(-1), 'word: one in one');
  });
});
