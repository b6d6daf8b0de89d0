import assert from 'node:assert/strict';
import { RoundHistory } from '../../../../src/agent/runSummary/roundHistory';

const { signal } = new AbortController();

/** `counts`: the errors before each round, and at the end. */
async function worseOf(...counts: readonly number[]) {
  const left = [...counts];
  const history = new RoundHistory(async () => left.shift() ?? 0);
  history.begin();
  for (let round = 1; round < counts.length; round += 1) await history.startRound(signal);
  return history.findWorse(signal);
}

describe('RoundHistory', () => {
  it('names the round since which there are more errors', async () => {
    assert.deepEqual(await worseOf(1, 3), { round: 1, before: 1, after: 3 });
    assert.deepEqual(await worseOf(2, 1, 4), { round: 2, before: 1, after: 4 });
    // The newest of the best ones: the least is lost.
    assert.deepEqual(await worseOf(1, 1, 2), { round: 2, before: 1, after: 2 });
    assert.deepEqual(await worseOf(0, 5, 1), { round: 1, before: 0, after: 1 });
  });

  it('names none when it is as good as it ever was, or when there was no round', async () => {
    assert.equal(await worseOf(3, 1), undefined);
    assert.equal(await worseOf(2, 5, 2), undefined);
    assert.equal(await worseOf(7), undefined);
  });

  it('forgets the rounds of the run before', async () => {
    const counts = [1, 9];
    const history = new RoundHistory(async () => counts.shift() ?? 0);
    await history.startRound(signal);
    history.begin();
    assert.equal(await history.findWorse(signal), undefined);
  });
});
