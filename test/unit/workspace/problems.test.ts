import assert from 'node:assert/strict';
import type { Problem } from '../../../src/workspace/ports';
import { listProblems, newProblems } from '../../../src/workspace/problems';

const error = (line: number, message: string): Problem => ({ line, severity: 'error', message });
const warning = (line: number, message: string): Problem => ({ line, severity: 'warning', message, source: 'eslint' });

describe('newProblems', () => {
  it('are problems with another message than before, errors first', () => {
    const before = [error(1, 'old'), warning(4, 'unused')];
    const after = [
      warning(2, 'new warning'),
      error(9, 'old'),
      error(7, 'new'),
      error(3, 'newer'),
      warning(4, 'unused'),
    ];
    assert.deepEqual(newProblems(before, after), [error(3, 'newer'), error(7, 'new'), warning(2, 'new warning')]);
  });

  it('are as many as were added, without the one that kept its line', () => {
    assert.deepEqual(newProblems([error(5, 'twice')], [error(2, 'twice'), error(5, 'twice')]), [error(2, 'twice')]);
    assert.deepEqual(newProblems([error(5, 'gone'), error(6, 'gone')], [error(1, 'gone')]), []);
  });

  it('include a warning that became an error, or another source', () => {
    assert.deepEqual(newProblems([warning(1, 'x')], [{ ...warning(1, 'x'), severity: 'error' }]).length, 1);
    assert.deepEqual(newProblems([warning(1, 'x')], [{ ...warning(1, 'x'), source: 'biome' }]).length, 1);
  });
});

describe('listProblems', () => {
  it('has one line for each problem', () => {
    assert.equal(
      listProblems([warning(1, 'Unused.'), error(2, 'Not\n  assignable.')]),
      'line 2: error: Not assignable.\nline 1: warning: Unused. (eslint)',
    );
  });

  it('is limited', () => {
    const many = Array.from({ length: 500 }, (_, index) => error(index + 1, 'x'.repeat(10_000)));
    const list = listProblems(many);
    assert.match(list, /\nand 490 more$/);
    assert.ok(list.length < 3_000);
  });
});
