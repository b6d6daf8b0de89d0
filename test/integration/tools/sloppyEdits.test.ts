import assert from 'node:assert/strict';
import { addTallies, formatTallies, measureMisquotes, type MisquoteTally } from '../../support/edits/measureMisquotes';
import { misquotePairs } from '../../support/edits/misquotePairs';
import { misquotes, readSources, type Misquote } from '../../support/edits/sloppyEdits';

const sources = readSources();

function measureAll(ways: readonly Misquote[], cases: number, seed: number): ReadonlyMap<string, MisquoteTally> {
  return new Map(
    ways.map((way, index) => [way.name, measureMisquotes(way, { sources, cases, seed: seed + index })] as const),
  );
}

describe('misquoted edits of real files', () => {
  it('apply as meant or are refused, for every kind of mistake', () => {
    const tallies = measureAll(misquotes, 200, 1000);
    process.stdout.write(`${formatTallies(tallies)}\n`);
    const failed = [...tallies].filter(
      ([, { landed, refused, wrong }]) => wrong > 0 || landed < 0.9 * (landed + refused + wrong),
    );
    assert.deepEqual(failed, []);
    const all = [...tallies.values()].reduce((sum, { landed, refused, wrong }) => sum + landed + refused + wrong, 0);
    assert.ok(all >= 2000);
  });

  it('never apply wrongly with two mistakes', () => {
    const both = addTallies([...measureAll(misquotePairs, 25, 2000).values()]);
    process.stdout.write(`${formatTallies(new Map([[`${misquotePairs.length} pairs of ways`, both]]))}\n`);
    assert.deepEqual(
      both.examples.filter(({ outcome }) => outcome === 'wrong'),
      [],
    );
  });
});
