import assert from 'node:assert/strict';
import { LiveOutput } from '../../../../../src/workspace/tools/commands/liveOutput';

describe('LiveOutput', () => {
  it('shows the first output at once, collects the rest, and shows it at the end', () => {
    const shown: string[] = [];
    const live = new LiveOutput((text) => shown.push(text));
    for (const text of ['a', 'b', 'c']) live.append(text);
    assert.deepEqual(shown, ['a']);
    live.dispose();
    assert.deepEqual(shown, ['a', 'bc']);
    live.dispose();
    assert.deepEqual(shown, ['a', 'bc']);
  });

  it('passes on only the newest part of a huge output', () => {
    const shown: string[] = [];
    const live = new LiveOutput((text) => shown.push(text));
    live.append('start');
    for (let index = 0; index < 1000; index++) live.append('y\n'.repeat(1000));
    live.dispose();
    assert.deepEqual(
      shown.map(({ length }) => length),
      [5, 8001],
    );
  });
});
