import assert from 'node:assert/strict';
import { compactionNotice } from '../../../../../src/agent/view/notices/notices';
import type { EntryOf } from '../../../../../src/sdk/session/entries';

describe('the notice after a compaction', () => {
  function said(body: Partial<EntryOf<'compaction'>>): string {
    const entry = { type: 'compaction', id: 'c', parentId: null, ts: 0, summary: '', firstKeptId: null, ...body };
    return compactionNotice(entry as EntryOf<'compaction'>).message;
  }

  it('says what the model gets no longer, and only that', () => {
    const summarised =
      'Earlier messages were summarised for the model, to make room in its context window. Here they stay as they were.';
    const images =
      'Earlier images are no longer sent to the model, to make room in its context window. Here they stay.';
    const results =
      'Long results of tools were shortened for the model, to make room in its context window. Here they stay as they were.';
    assert.equal(said({ summary: 'S.' }), summarised);
    assert.equal(said({ summary: 'S.', maxResultCharacters: 100 }), summarised);
    assert.equal(said({ dropsImages: 'earlier' }), images);
    assert.equal(said({ summary: 'S.', dropsImages: 'earlier' }), `${summarised} ${images}`);
    assert.match(said({ dropsImages: 'all' }), /^Images are no longer sent .* do not fit/);
    assert.equal(said({ maxResultCharacters: 100 }), results);
    assert.equal(said({}), summarised, 'never nothing');
  });
});
