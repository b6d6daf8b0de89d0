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

  beforeEach(() => {
    known = [problem('Old.')];
    problems = new SessionProblems({ known: () => new Map([['/w/a.ts', known]]) });
  });

  it('are told once, without those before the edit', () => {
    assert.equal(problems.takeLate(), undefined);
    edit(known);
    assert.equal(problems.takeLate(), undefined);
    known = [problem('Old.'), problem('New.')];
    assert.equal(problems.takeLate(), 'New problems in a.ts since its edit:\nline 1: error: New.');
    assert.equal(problems.takeLate(), undefined);
  });

  it('are not lost when the file is edited again before they were told', () => {
    edit(known);
    known = [problem('Old.'), problem('New.')];
    edit(known);
    assert.equal(problems.takeLate(), 'New problems in a.ts since its edit:\nline 1: error: New.');
  });

  it('are told again when a later edit brings back what was mended', () => {
    edit(known);
    known = [problem('New.')];
    assert.ok(problems.takeLate());
    known = [];
    edit(known);
    known = [problem('New.')];
    assert.ok(problems.takeLate());
  });

  it('may be older where nothing was known before', () => {
    edit(undefined);
    assert.equal(problems.takeLate(), 'Problems in a.ts now (some may be older):\nline 1: error: Old.');
  });
});
