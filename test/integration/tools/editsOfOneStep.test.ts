import assert from 'node:assert/strict';
import { edited, makeEdits } from '../../support/edits/editsOfOneStep';

describe('Accepted edits of one step', () => {
  const files = Array.from({ length: 10 }, (_, index) => `${index}.ts`);

  it('wait once for the checks before, and once for the checks after all of them are written', async () => {
    const { log, rounds, results } = await makeEdits(files.map((file) => ({ file })));
    assert.deepEqual(log, [
      ...files.map((file) => `load ${file}`),
      ...files.map((file) => `write ${file}`),
      ...files.map((file) => `check ${file}`),
    ]);
    assert.equal(rounds, 2);
    assert.deepEqual(
      results,
      files.map((file, index) => edited(index, file)),
    );
  });

  it('keep their order in one file', async () => {
    const { results, fileSystem, log } = await makeEdits([
      { file: 'a', to: 'first' },
      { file: 'a', from: 'first', to: 'second' },
      { file: 'a', from: 'second', to: 'third' },
    ]);
    assert.equal(fileSystem.textOf('/w/a'), 'third\n');
    assert.deepEqual(
      log.filter((entry) => entry.startsWith('write')),
      ['write a', 'write a', 'write a'],
    );
    assert.deepEqual(
      results.map((result) => result.slice(0, 12)),
      ['c0 succeeded', 'c1 succeeded', 'c2 succeeded'],
    );
  });

  it('fail alone', async () => {
    const { results, fileSystem } = await makeEdits(
      ['a', 'b', 'c', 'd'].map((file) => ({ file, ...(file === 'c' && { from: 'nowhere at all' }) })),
      { decide: (file) => (file === 'b' ? { action: 'deny', reason: 'no' } : { action: 'allow' }) },
    );
    assert.deepEqual(
      results.map((result) => result.split(':')[0]),
      ['c0 succeeded', 'c1 denied', 'c2 failed', 'c3 succeeded'],
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((file) => fileSystem.textOf(`/w/${file}`)),
      ['new\n', 'old\n', 'old\n', 'new\n'],
    );
  });

  it('tell their results while a person still decides about another one', async () => {
    const { log, results } = await makeEdits([{ file: 'a' }, { file: 'b' }], {
      decide: (file, seen) =>
        file === 'a'
          ? { action: 'allow' }
          : new Promise((resolve) => {
              // The person decides when the first edit is being checked.
              const look = (): void => {
                if (seen.includes('check a')) resolve({ action: 'allow' });
                else setImmediate(look);
              };
              look();
            }),
    });
    assert.deepEqual(log, ['load a', 'write a', 'check a', 'load b', 'write b', 'check b']);
    assert.deepEqual(results, [edited(0, 'a'), edited(1, 'b')]);
  });
});
