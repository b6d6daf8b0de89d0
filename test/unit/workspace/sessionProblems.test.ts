import assert from 'node:assert/strict';
import type { Problem } from '../../../src/workspace/ports';
import { SessionProblems } from '../../../src/workspace/sessionProblems';

const problem = (message: string): Problem => ({ line: 1, severity: 'error', message });

describe('the problems that are reported after an edit has ended', () => {
  let known: readonly Problem[];
  let problems: SessionProblems;
  const edit = (before: readonly Problem[] | undefined): void => {
    const told = problems.knownBefore('/w/a.ts', before);
    problems.follow('/w/a.ts', { displayPath: 'a.ts', told: told ?? [], isBeforeKnown: told !== undefined });
  };

  const takeLate = () => problems.takeLate(new AbortController().signal);

  beforeEach(() => {
    known = [problem('Old.')];
    problems = new SessionProblems({ known: () => new Map([['/w/a.ts', known]]) });
  });

  it('are told once, without those before the edit', async () => {
    assert.equal(await takeLate(), undefined);
    edit(known);
    assert.equal(await takeLate(), undefined);
    known = [problem('Old.'), problem('New.')];
    assert.equal(await takeLate(), 'New problems in a.ts since its edit:\nline 1: error: New.');
    assert.equal(await takeLate(), undefined);
  });

  it('are not lost when the file is edited again before they were told', async () => {
    edit(known);
    known = [problem('Old.'), problem('New.')];
    edit(known);
    assert.equal(await takeLate(), 'New problems in a.ts since its edit:\nline 1: error: New.');
  });

  it('are told again when a later edit brings back what was mended', async () => {
    edit(known);
    known = [problem('New.')];
    assert.ok(await takeLate());
    known = [];
    edit(known);
    known = [problem('New.')];
    assert.ok(await takeLate());
  });

  it('are not told when they are taken back, being about a state between two edits', async () => {
    problems = new SessionProblems({
      known: () => new Map([['/w/a.ts', known]]),
      async untilSure(hasNews) {
        assert.ok(hasNews());
        known = [problem('Old.')];
        assert.ok(!hasNews());
      },
    });
    edit(known);
    known = [problem('Old.'), problem('Between.')];
    assert.equal(await takeLate(), undefined);
    problems.beginRun();
    edit(known);
    known = [problem('Old.'), problem('Between.')];
    assert.deepEqual(await problems.newErrors(new AbortController().signal), []);
  });

  it('may be older where nothing was known before', async () => {
    edit(undefined);
    assert.equal(await takeLate(), 'Problems in a.ts now (some may be older):\nline 1: error: Old.');
  });
});
