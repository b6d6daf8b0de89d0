import assert from 'node:assert/strict';
import { ProposalSight } from '../../../../src/host/diffPreview/proposalSight';
import { Emitter } from '../../../../src/util/emitter';

describe('ProposalSight', () => {
  const fail = (error: unknown): never => assert.fail(String(error));
  let visible: string[];
  let pending: string[];
  let nowMs: number;
  let visibleChanges: Emitter<void>;
  let pendingChanges: Emitter<void>;
  let sight: ProposalSight;

  beforeEach(() => {
    [visible, pending, nowMs] = [[], [], 1_000];
    [visibleChanges, pendingChanges] = [new Emitter(fail), new Emitter(fail)];
    sight = new ProposalSight({
      visible: () => visible,
      onVisibleChanged: visibleChanges.on,
      isPending: (id) => pending.includes(id),
      onPendingChanged: pendingChanges.on,
      nowMs: () => nowMs,
    });
  });

  afterEach(() => sight.dispose());

  const show = (...ids: string[]): void => {
    visible = ids;
    visibleChanges.emit();
  };
  const ask = (...ids: string[]): void => {
    pending = ids;
    pendingChanges.emit();
  };

  it('counts half a second in which a waiting proposal is visible', () => {
    ask('a');
    show('a');
    nowMs += 499;
    assert.equal(sight.wasSeen('a'), false);
    nowMs += 1;
    assert.deepEqual([sight.wasSeen('a'), sight.wasSeen('b')], [true, false]);
  });

  it('does not count the time before the question, or behind another tab', () => {
    show('a');
    nowMs += 10_000;
    ask('a');
    assert.equal(sight.wasSeen('a'), false);
    nowMs += 500;
    assert.equal(sight.wasSeen('a'), true);
    show('b');
    nowMs += 10_000;
    show('a');
    assert.equal(sight.wasSeen('a'), false);
    nowMs += 500;
    assert.equal(sight.wasSeen('a'), true);
  });

  it('starts afresh for the proposal that opens when another is decided', () => {
    ask('a', 'b');
    show('a');
    nowMs += 1_000;
    assert.equal(sight.wasSeen('a'), true);
    ask('b');
    show('b');
    assert.deepEqual([sight.wasSeen('a'), sight.wasSeen('b')], [false, false]);
  });

  it('begins at the first key where no event came', () => {
    ask('a');
    visible = ['a'];
    assert.equal(sight.wasSeen('a'), false);
    nowMs += 500;
    assert.equal(sight.wasSeen('a'), true);
  });

  it('sees nothing of what is decided', () => {
    ask('a');
    show('a');
    nowMs += 1_000;
    ask();
    assert.equal(sight.wasSeen('a'), false);
  });
});
