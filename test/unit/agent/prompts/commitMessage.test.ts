import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cleanCommitMessage, commitMessagePrompt } from '../../../../src/agent/prompts/commitMessage';

describe('the prompt for a commit message', () => {
  const input = { recentSubjects: [], begun: '', maxCharacters: 1000 };

  it('has the style of the repository, the changes, and what the person began', () => {
    const prompt = commitMessagePrompt({
      files: [{ path: 'src/a.ts', change: '@@ -1 +1 @@\n-a\n+```b\n' }, { path: 'certs/server.key' }],
      recentSubjects: ['fix: round cents', 'feat: carts'],
      begun: 'fix: ',
      maxCharacters: 1000,
    });
    assert.equal(
      prompt,
      [
        'Earlier messages:\n- fix: round cents\n- feat: carts',
        'src/a.ts:\n````diff\n@@ -1 +1 @@\n-a\n+```b\n````',
        'Also changed, not shown:\n- certs/server.key',
        'The person began the message with:\nfix:',
        'Write the commit message.',
      ].join('\n\n'),
    );
  });

  it('cuts the longest changes, so that every file is seen and all fit', () => {
    const file = fc.record({
      path: fc.constantFrom('a.ts', 'b/c.py'),
      change: fc.string({ unit: 'binary', maxLength: 900 }),
    });
    fc.assert(
      fc.property(fc.array(file, { maxLength: 20 }), fc.integer({ min: 50, max: 3000 }), (files, maxCharacters) => {
        const prompt = commitMessagePrompt({ ...input, files, maxCharacters });
        const added = files.length * 80 + 200;
        assert.ok(prompt.length <= maxCharacters + added, `${prompt.length} of ${maxCharacters}`);
        for (const { path } of files) assert.ok(prompt.includes(`${path}:\n`));
        const all = files.reduce((sum, { change }) => sum + change.length, 0);
        if (all > maxCharacters) return;
        for (const { change } of files) assert.ok(prompt.includes(change.trimEnd()));
      }),
    );
    const long = Array.from({ length: 100 }, (_, index) => `+line ${index}`).join('\n');
    const prompt = commitMessagePrompt({
      ...input,
      files: [
        { path: 'a', change: long },
        { path: 'b', change: '+b' },
      ],
      maxCharacters: 100,
    });
    assert.match(prompt, /\+line 11\n\(88 more lines\)\n/);
    assert.match(prompt, /\+b/);
  });
});

describe('a commit message of a model', () => {
  for (const [written, message] of [
    ['fix: round cents', 'fix: round cents'],
    ['```\nfix: round cents\n\nBecause.\n```', 'fix: round cents\n\nBecause.'],
    ['```text\nfix: round', 'fix: round'],
    ['**Commit message:** fix: round cents', 'fix: round cents'],
    ['Commit message:\n\nfix: round cents\n', 'fix: round cents'],
    ['"Round cents"', 'Round cents'],
    ['"Round" and `cut`', '"Round" and `cut`'],
  ] as const) {
    it(`is shown without its wrapping: ${JSON.stringify(written)}`, () => {
      assert.equal(cleanCommitMessage(written), message);
    });
  }
});
