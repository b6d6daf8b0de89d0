import assert from 'node:assert/strict';
import { takeFreshId } from '../../../../../src/sdk/model/stream/freshId';

describe('takeFreshId', () => {
  it('gives each call an id of its own, even if the same one is made again', () => {
    const used = new Set(['id']);
    assert.deepEqual(
      [1, 2, 3].map(() => takeFreshId(() => 'id', used)),
      ['id_2', 'id_3', 'id_4'],
    );
    assert.equal(
      takeFreshId(() => 'other', used),
      'other',
    );
    assert.deepEqual([...used], ['id', 'id_2', 'id_3', 'id_4', 'other']);
  });
});
