import assert from 'node:assert/strict';
import { editedPrompt, promptContent, titleOf } from '../../../../src/agent/session/prompt';

describe('promptContent', () => {
  it('puts the question after the context', () => {
    const context = [
      { label: 'a', content: 'A' },
      { label: 'b', content: 'B' },
    ];
    assert.equal(promptContent({ text: 'Why?', context }), 'A\n\nB\n\nWhy?');
    assert.equal(promptContent({ text: '', context }), 'A\n\nB');
    assert.equal(promptContent({ text: ' \n' }), '');
  });
});

describe('titleOf', () => {
  it('takes the first line that says something', () => {
    assert.equal(titleOf('\n  Fix   the\tbug \nin a.ts'), 'Fix the bug');
    assert.equal(titleOf(' \n'), '');
  });

  it('cuts a long line at a word, or within a long one, never within a character', () => {
    assert.equal(titleOf(`${'word '.repeat(20)}`), `${'word '.repeat(10)}word…`);
    assert.equal(titleOf('x'.repeat(100)), `${'x'.repeat(59)}…`);
    assert.equal(titleOf(`${'x'.repeat(58)}🙂🙂🙂`), `${'x'.repeat(58)}…`);
  });
});

describe('an edited prompt', () => {
  const sent = { text: 'Explain', contextLabels: ['a.ts'], content: 'A.\n\nExplain' };

  it('keeps the context and adds what the new text names', () => {
    const context = [
      { label: 'a.ts', content: 'A again.' },
      { label: 'b.ts', content: 'B.' },
    ];
    assert.deepEqual(editedPrompt(sent, { text: 'Fix @b.ts', context }), {
      text: 'Fix @b.ts',
      contextLabels: ['a.ts', 'b.ts'],
      content: 'A.\n\nB.\n\nFix @b.ts',
    });
    assert.deepEqual(editedPrompt(sent, sent), sent);
  });

  it('has only its own context when the sent message cannot be taken apart', () => {
    const other = { ...sent, content: 'Something else.' };
    assert.deepEqual(editedPrompt(other, { text: 'Fix' }), { text: 'Fix', contextLabels: [], content: 'Fix' });
  });
});
