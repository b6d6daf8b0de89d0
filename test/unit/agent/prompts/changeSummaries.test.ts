import assert from 'node:assert/strict';
import { changedFilesText } from '../../../../src/agent/prompts/changedFiles';
import { summariseLongChanges } from '../../../../src/agent/prompts/changeSummaries';

describe('summariseLongChanges', () => {
  const asked: string[] = [];
  const ask = async ({ prompt }: { readonly prompt: string }): Promise<string> => {
    asked.push(prompt);
    return ` Part ${asked.length}. `;
  };
  beforeEach(() => (asked.length = 0));

  it('asks nothing when all changes fit', async () => {
    const files = [{ path: 'a.ts', change: '+a' }, { path: '.env' }];
    assert.deepEqual(await summariseLongChanges(files, { ask, maxCharacters: 100 }), files);
    assert.deepEqual(asked, []);
  });

  it('asks about long files in parts of whole lines, and keeps short ones as they are', async () => {
    const files = [
      { path: 'short.ts', change: '+a' },
      { path: 'long.ts', change: `${'+123456789\n'.repeat(25)}` },
    ];
    const known = await summariseLongChanges(files, { ask, maxCharacters: 100 });
    assert.deepEqual(known, [files[0], { path: 'long.ts', summary: 'Part 1.\nPart 2.\nPart 3.' }]);
    assert.match(asked[0] ?? '', /^long\.ts, part 1 of 3:\n```diff\n(?:\+123456789\n){9}```/);
    assert.deepEqual(changedFilesText(known, 100), [
      'short.ts:\n```diff\n+a\n```',
      'long.ts, too long to show, in short:\n```\nPart 1.\nPart 2.\nPart 3.\n```',
    ]);
  });

  it('makes a limited number of requests, and leaves what is too long for them to be cut', async () => {
    const files = [
      { path: 'huge.ts', change: '+123456789\n'.repeat(500) },
      { path: 'long.ts', change: '+123456789\n'.repeat(20) },
    ];
    const known = await summariseLongChanges(files, { ask, maxCharacters: 100 });
    assert.deepEqual([known[0], known[1]?.summary !== undefined, asked.length <= 12], [files[0], true, true]);
  });

  it('keeps the change where the model says nothing, and fails as the model does', async () => {
    const files = [{ path: 'long.ts', change: '+123456789\n'.repeat(20) }];
    assert.deepEqual(await summariseLongChanges(files, { ask: async () => ' ', maxCharacters: 200 }), files);
    const failing = (): Promise<never> => Promise.reject(new Error('gone'));
    await assert.rejects(summariseLongChanges(files, { ask: failing, maxCharacters: 200 }), /gone/);
  });
});
