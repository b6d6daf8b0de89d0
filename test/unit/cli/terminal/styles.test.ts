import assert from 'node:assert/strict';
import { createStyles } from '../../../../src/cli/terminal/styles';

describe('styles', () => {
  it('end with each line', () => {
    const { red } = createStyles({ isTerminal: true, env: {} });
    assert.equal(red('a\n\nb\n'), '\u001b[31ma\u001b[39m\n\n\u001b[31mb\u001b[39m\n');
  });

  for (const [name, parts] of [
    ['that is none', { isTerminal: false, env: {} }],
    ['with NO_COLOR', { isTerminal: true, env: { NO_COLOR: '1' } }],
    ['that knows none', { isTerminal: true, env: { TERM: 'dumb' } }],
  ] as const) {
    it(`are none on a terminal ${name}`, () => assert.equal(createStyles(parts).bold('a'), 'a'));
  }

  it('are used with an empty NO_COLOR', () => {
    assert.notEqual(createStyles({ isTerminal: true, env: { NO_COLOR: '' } }).bold('a'), 'a');
  });
});
