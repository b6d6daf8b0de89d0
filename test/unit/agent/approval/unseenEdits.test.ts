import assert from 'node:assert/strict';
import { UnseenEdits, type UnseenEdit } from '../../../../src/agent/approval/unseenEdits';

const target = (displayPath: string) => ({
  path: `/w/${displayPath}`,
  realPath: `/w/${displayPath}`,
  displayPath,
  pathInRoot: displayPath,
  exists: true,
});
// printf one | sha256sum
const hashOfOne = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed';

function memory(value?: unknown) {
  return {
    value,
    read(): unknown {
      return this.value;
    },
    async write(edits: readonly UnseenEdit[]): Promise<void> {
      this.value = edits;
    },
  };
}

describe('unseen edits', () => {
  const onInternalError = (error: unknown): void => assert.fail(String(error));

  it('keep the content of a file before the first of them', () => {
    const edits = new UnseenEdits({ onInternalError });
    edits.add({ target: target('a.ts'), before: 'one' });
    edits.add({ target: target('a.ts'), before: 'two' });
    edits.add({ target: target('new.ts'), before: null });
    assert.deepEqual(edits.current, [
      { path: '/w/a.ts', displayPath: 'a.ts', before: hashOfOne },
      { path: '/w/new.ts', displayPath: 'new.ts', before: null },
    ]);
  });

  it('are known by the path as a model gives it', () => {
    const edits = new UnseenEdits({ onInternalError });
    edits.add({ target: target('src/a.ts'), before: null });
    const given = ['src/a.ts', './src/a.ts', 'src\\a.ts', '/w/src/a.ts', 'a.ts', 'other/src/a.ts'];
    assert.deepEqual(
      given.map((path) => edits.has(path)),
      [true, true, true, true, false, false],
    );
  });

  it('outlive the window', () => {
    const kept = memory();
    new UnseenEdits({ memory: kept, onInternalError }).add({ target: target('a.ts'), before: null });
    assert.deepEqual(
      new UnseenEdits({ memory: kept, onInternalError }).current.map(({ displayPath }) => displayPath),
      ['a.ts'],
    );
    assert.deepEqual(new UnseenEdits({ memory: memory('?'), onInternalError }).current, []);
  });

  it('are seen once shown, except for later changes', () => {
    const edits = new UnseenEdits({ onInternalError });
    edits.add({ target: target('a.ts'), before: null });
    const shown = edits.current;
    edits.add({ target: target('b.ts'), before: null });
    edits.add({ target: target('b.ts'), before: '' });
    edits.markSeen(shown);
    assert.deepEqual(
      edits.current.map(({ displayPath }) => displayPath),
      ['b.ts'],
    );
  });

  it('stay unseen when they change while they are shown', () => {
    const edits = new UnseenEdits({ onInternalError });
    edits.add({ target: target('a.ts'), before: 'one' });
    const shown = edits.current;
    edits.add({ target: target('a.ts'), before: 'two' });
    edits.markSeen(shown);
    assert.deepEqual(edits.current, [{ path: '/w/a.ts', displayPath: 'a.ts', before: hashOfOne }]);
  });
});
