import assert from 'node:assert/strict';
import { proposalTitle } from '../../../../src/host/diffPreview/proposalTitle';

describe('proposalTitle', () => {
  const titleOf = (displayPath: string, operation: 'create' | 'edit' | 'overwrite'): string =>
    proposalTitle({
      operation,
      target: { path: '/w/x', realPath: '/w/x', displayPath, pathInRoot: displayPath, exists: true },
    });

  it('names the file and the kind of change', () => {
    assert.equal(titleOf('src/main.ts', 'edit'), 'main.ts (proposed edit)');
    assert.equal(titleOf('main.ts', 'create'), 'main.ts (proposed new file)');
    assert.equal(titleOf('a b.ts', 'overwrite'), 'a b.ts (proposed rewrite)');
  });

  it('shows hidden characters by name', () => {
    assert.equal(titleOf('src/gpj\u202e.sh', 'create'), 'gpj<U+202E>.sh (proposed new file)');
  });
});
