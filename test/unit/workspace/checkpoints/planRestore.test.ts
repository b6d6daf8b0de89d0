import assert from 'node:assert/strict';
import type { FileChange, FileState } from '../../../../src/workspace/checkpoints/fileChange';
import { planRestore, spanOf } from '../../../../src/workspace/checkpoints/planRestore';

const file = (hash: string, isExecutable = false): FileState => ({ hash, size: hash.length, isExecutable });
const change = (path: string, before: FileState, after: FileState): FileChange => ({ path, before, after });

describe('spanOf', () => {
  it('spans from before the first change to after the last', () => {
    const spans = spanOf([
      change('/w/a', null, file('1')),
      change('/w/b', file('x'), file('y')),
      change('/w/a', file('1'), file('2')),
    ]);
    assert.deepEqual(
      [...spans],
      [
        ['/w/a', { before: null, after: file('2') }],
        ['/w/b', { before: file('x'), after: file('y') }],
      ],
    );
  });

  it('has equal ends if a change was undone', () => {
    const spans = spanOf([change('/w/a', null, file('1')), change('/w/a', file('1'), null)]);
    assert.deepEqual(spans.get('/w/a'), { before: null, after: null });
  });
});

describe('planRestore', () => {
  const plan = (changes: readonly FileChange[], current: Readonly<Record<string, FileState>>) =>
    planRestore(changes, new Map(Object.entries(current)));

  it('writes edited files, deletes created files and creates deleted files', () => {
    assert.deepEqual(
      plan(
        [
          change('/w/edited', file('old'), file('new')),
          change('/w/created', null, file('c')),
          change('/w/deleted', file('d'), null),
        ],
        { '/w/edited': file('new'), '/w/created': file('c'), '/w/deleted': null },
      ),
      [
        { path: '/w/created', action: 'delete', current: file('c'), target: null, isChangedSince: false },
        { path: '/w/deleted', action: 'create', current: null, target: file('d'), isChangedSince: false },
        { path: '/w/edited', action: 'write', current: file('new'), target: file('old'), isChangedSince: false },
      ],
    );
  });

  it('leaves out files that already have their old state', () => {
    assert.deepEqual(plan([change('/w/a', file('old'), file('new'))], { '/w/a': file('old') }), []);
    assert.deepEqual(plan([change('/w/a', null, file('new'))], {}), []);
  });

  it('marks files that somebody else changed since', () => {
    const [item] = plan([change('/w/a', file('old'), file('new'))], { '/w/a': file('mine') });
    assert.equal(item?.isChangedSince, true);
    const [deleted] = plan([change('/w/a', file('old'), file('new'))], { '/w/a': null });
    assert.deepEqual([deleted?.action, deleted?.isChangedSince], ['create', true]);
  });

  it('compares the executable flag too', () => {
    const [item] = plan([change('/w/a', file('x', true), file('x'))], { '/w/a': file('x') });
    assert.deepEqual([item?.action, item?.isChangedSince], ['write', false]);
  });

  it('recognises a moved file', () => {
    const items = plan([change('/w/from', file('x'), null), change('/w/to', null, file('x'))], {
      '/w/from': null,
      '/w/to': file('x'),
    });
    assert.deepEqual(
      items.map(({ path, action, movedFrom }) => [path, action, movedFrom]),
      [
        ['/w/from', 'create', '/w/to'],
        ['/w/to', 'delete', undefined],
      ],
    );
  });
});
