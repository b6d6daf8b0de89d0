import assert from 'node:assert/strict';
import { readGroup, readLoop, unrollLoop } from '../../../../../src/workspace/shell/patterns/spellOut';

describe('spelling out', () => {
  const unroll = (command: string, ...values: readonly string[]): string | undefined => {
    const loop = readLoop(command);
    return loop && unrollLoop(loop, values);
  };

  it('puts each value in the place of the variable, also between double quotes', () => {
    assert.equal(
      unroll('for f in a b; do echo "== $f"; head -5 ${f}; done', 'a', 'b'),
      'echo "== a"; head -5 a; echo "== b"; head -5 b',
    );
  });

  it('leaves other variables, single quotes and escapes alone', () => {
    assert.equal(
      unroll(String.raw`for f in a; do echo '$f' \$f "\$f" $file "it's $f"; done`, 'a'),
      String.raw`echo '$f' \$f "\$f" $file "it's a"`,
    );
  });

  it('takes only plain values, and not too many', () => {
    for (const value of ['', '-x', 'a b', "a'b", '$x', '*', '~', 'a\nb', 'é'])
      assert.equal(unroll('for f in x; do ls $f; done', value), undefined, JSON.stringify(value));
    assert.equal(unroll('for f in x; do ls $f; done'), undefined);
    assert.equal(unroll('for f in x; do ls $f; done', ...Array.from({ length: 41 }, () => 'a')), undefined);
  });

  it('reads one loop on one line, and nothing beside it', () => {
    for (const command of [
      'for f in a; do ls $f; done; ls',
      'for f in a; do ls $f; done > x',
      'for f in a; do ls $f; done | sh',
      'for f in $(x); do ls $f; done',
      'for f in a\ndo ls $f\ndone',
      'for f; do ls $f; done',
      'ls; for f in a; do ls $f; done',
      'for f in a; do for f in b; do ls $f; done; done',
    ])
      assert.equal(readLoop(command), undefined, command);
  });

  it('is done with a long line of blanks at once', () => {
    for (const length of [1000, 3900, 9000]) {
      const blanks = ' \t'.repeat(length / 2);
      for (const command of [
        `for f in a; do${blanks}x`,
        `for f in a; do x${blanks}; don`,
        `for f in${blanks}a; do`,
        `for${blanks}f in a; do x; don`,
        `for f in a; do x; done${blanks}x`,
        `(${blanks}`,
      ])
        assert.deepEqual([readLoop(command), readGroup(command)], [undefined, undefined]);
    }
  });

  it('reads a group that is all of the command', () => {
    assert.equal(readGroup('(cd src && ls)'), 'cd src && ls');
    for (const command of ['(ls) | sh', 'ls (a)', '((1))', '(a (b))', '$(ls)', '(ls\nrm a)'])
      assert.equal(readGroup(command), undefined, command);
  });
});
