import assert from 'node:assert/strict';
import { promptContent, titleOf } from '../../../../src/agent/session/prompt';

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
