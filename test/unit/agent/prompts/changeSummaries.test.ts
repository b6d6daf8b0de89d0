import assert from 'node:assert/strict';
import { changedFilesText } from '../../../../src/agent/prompts/changedFiles';
import {
  areTooLong,
  forCommitMessage,
  forReview,
  summariseLongChanges,
} from '../../../../src/agent/prompts/changeSummaries';

describe('summariseLongChanges', () => {
  const asked: string[] = [];
  const ask = async ({ prompt }: { readonly prompt: string }): Promise<string> => {
    asked.push(prompt);
    return ` Part ${asked.length}. `;
  };
  beforeEach(() => (asked.length = 0));

  it('asks nothing when all changes fit', async () => {
    const files = [{ path: 'a.ts', change: '+a' }, { path: '.env' }];
    assert.deepEqual(await summariseLongChanges(files, { ask, maxCharacters: 100, purpose: forCommitMessage }), files);
    assert.deepEqual(asked, []);
  });

  it('asks about long files in parts of whole lines, and keeps short ones as they are', async () => {
    const files = [
      { path: 'short.ts', change: '+a' },
      { path: 'long.ts', change: `${'+123456789\n'.repeat(25)}` },
    ];
    const known = await summariseLongChanges(files, { ask, maxCharacters: 100, purpose: forCommitMessage });
    assert.deepEqual(known, [files[0], { path: 'long.ts', summary: 'Part 1.\nPart 2.\nPart 3.' }]);
    assert.match(asked[0] ?? '', /^long\.ts, part 1 of 3:\n```diff\n(?:\+123456789\n){9}```/);
    assert.deepEqual(changedFilesText(known, 100), [
      'short.ts:\n```diff\n+a\n```',
      'long.ts, too long to show, in short:\n```\nPart 1.\nPart 2.\nPart 3.\n```',
    ]);
  });

  it('asks for a review with the lines of the new file numbered, and tells each part', async () => {
    const change = `@@ -1,2 +10,40 @@\n a\n-b\n${'+12345678\n'.repeat(16)}`;
    const told: string[] = [];
    const options = { ask, maxCharacters: 200, purpose: forReview, onPart: (name: string) => void told.push(name) };
    assert.equal(areTooLong([{ path: 'a.ts', change }], 200), false);
    assert.equal(
      areTooLong(
        [
          { path: 'a.ts', change },
          { path: 'b.ts', change },
        ],
        200,
      ),
      true,
    );
    await summariseLongChanges([{ path: 'a.ts', change: change + change }], options);
    assert.match(asked[0] ?? '', /diff\n@@ -1,2 \+10,40 @@\n10 {2}a\n-b\n11 \+12345678\n12 \+/);
    assert.match(asked[0] ?? '', /Review it\.$/);
    assert.deepEqual(told, ['a.ts, part 1 of 3', 'a.ts, part 2 of 3', 'a.ts, part 3 of 3']);
  });

  it('makes a limited number of requests, and leaves what is too long for them to be cut', async () => {
    const files = [
      { path: 'huge.ts', change: '+123456789\n'.repeat(500) },
      { path: 'long.ts', change: '+123456789\n'.repeat(20) },
    ];
    const known = await summariseLongChanges(files, { ask, maxCharacters: 100, purpose: forCommitMessage });
    assert.deepEqual([known[0], known[1]?.summary !== undefined, asked.length <= 12], [files[0], true, true]);
  });

  it('keeps the change where the model says nothing, and fails as the model does', async () => {
    const files = [{ path: 'long.ts', change: '+123456789\n'.repeat(20) }];
    assert.deepEqual(
      await summariseLongChanges(files, { ask: async () => ' ', maxCharacters: 200, purpose: forCommitMessage }),
      files,
    );
    const failing = (): Promise<never> => Promise.reject(new Error('gone'));
    await assert.rejects(
      summariseLongChanges(files, { ask: failing, maxCharacters: 200, purpose: forCommitMessage }),
      /gone/,
    );
  });
});
