import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ReportingKinds } from '../../../../src/host/ports/reportingKinds';

describe('ReportingKinds', () => {
  /** Tries files that get no report, and counts the trials in total and at the same time. */
  const trySilent = async (kinds: ReportingKinds, files: readonly string[]) => {
    const counts = { total: 0, now: 0, most: 0 };
    const tried = await Promise.all(
      files.map((file) =>
        kinds.tryFile('.txt', async () => {
          counts.total += 1;
          counts.now += 1;
          counts.most = Math.max(counts.most, counts.now);
          await new Promise((resolve) => setImmediate(resolve));
          kinds.noteSilence('.txt', file);
          counts.now -= 1;
        }),
      ),
    );
    return { ...counts, tried: tried.filter(Boolean).length };
  };

  it('tries three files of a kind that nothing reports about, and no more', async () => {
    const kinds = new ReportingKinds(1500);
    const files = Array.from({ length: 10 }, (_, index) => `${index}.txt`);
    assert.deepEqual(await trySilent(kinds, files), { total: 3, now: 0, most: 3, tried: 3 });
    assert.equal(kinds.isSilent('.txt'), true);
    assert.equal(kinds.isSilent('.ts'), false);
    assert.deepEqual(await trySilent(kinds, ['next.txt']), { total: 0, now: 0, most: 0, tried: 0 });
  });

  it('tries every file of a kind that has reports', async () => {
    const kinds = new ReportingKinds(1500);
    let trials = 0;
    const files = Array.from({ length: 10 }, () =>
      kinds.tryFile('.ts', async () => {
        trials += 1;
        await Promise.resolve();
        kinds.noteReport('.ts');
      }),
    );
    assert.deepEqual(new Set(await Promise.all(files)), new Set([true]));
    assert.equal(trials, 10);
  });

  it('tries again after a trial that failed', async () => {
    const kinds = new ReportingKinds(1500);
    const fails = () => kinds.tryFile('.txt', () => Promise.reject(new Error('not text')));
    for (let round = 0; round < 5; round++) await assert.rejects(fails(), { message: 'not text' });
    assert.equal(kinds.isSilent('.txt'), false);
  });

  it('is not silent after a report, however many files got none', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(9), { nil: undefined })), (reports) => {
        const kinds = new ReportingKinds(1500);
        for (const file of reports) {
          if (file === undefined) kinds.noteReport('.ts');
          else kinds.noteSilence('.ts', `${file}.ts`);
        }
        const hasReports = reports.includes(undefined);
        const silent = new Set(reports.filter((file) => file !== undefined)).size;
        assert.equal(kinds.hasReports('.ts'), hasReports);
        assert.equal(kinds.isSilent('.ts'), !hasReports && silent >= 3);
      }),
    );
  });

  it('waits twice as long as the slowest of five reports, between half a second and its limit', () => {
    const kinds = new ReportingKinds(1500);
    assert.equal(kinds.firstMs('.ts'), 1500);
    kinds.noteReport('.ts');
    assert.equal(kinds.firstMs('.ts'), 1500);
    kinds.noteReport('.ts', 900);
    assert.equal(kinds.firstMs('.ts'), 1500);
    for (const delay of [100, 400, 200, 300, 350]) kinds.noteReport('.ts', delay);
    assert.equal(kinds.firstMs('.ts'), 800);
    for (let round = 0; round < 5; round++) kinds.noteReport('.ts', 10);
    assert.equal(kinds.firstMs('.ts'), 500);
  });
});
