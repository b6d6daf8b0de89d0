import assert from 'node:assert/strict';
import { bundledGrammars } from '../../../../../src/workspace/shell/parse/bundledGrammars';
import { spellOut } from '../../../../../src/workspace/shell/spellOut/spellOut';

/** Spells a command out. `outputs` has what the commands print that it depends on. */
async function spell(command: string, outputs: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const grammar = await bundledGrammars().load('bash');
  return spellOut(command, grammar, (of) => Promise.resolve(outputs[of]));
}

function table(rows: readonly (readonly [string, Readonly<Record<string, string>>, string | undefined])[]): void {
  for (const [command, outputs, expected] of rows)
    it(JSON.stringify(command), async () => assert.equal(await spell(command, outputs), expected));
}

describe('spelling out', () => {
  describe('gives xargs the words of its input', () => {
    table([
      ['ls | xargs wc -l | sort', { ls: 'a b\nc\n' }, 'wc -l a b c | sort'],
      ['a | b | xargs wc', { 'a | b': 'c\n' }, 'wc c'],
      ['cd src && ls | xargs wc', { 'cd src && ls': 'a\n' }, 'cd src && wc a'],
      ['ls | xargs -0 wc', { ls: 'a b\0c\0' }, "wc 'a b' c"],
      ['ls | xargs -n1 wc', { ls: 'a\nb\n' }, '{ wc a; wc b; }'],
      ['ls | xargs -n 2 -P4 wc', { ls: 'a b c' }, '{ wc a b; wc c; }'],
      ['ls | xargs -I{} echo x/{} {}', { ls: ' a b\nc\n' }, "{ echo 'x/a b' 'a b'; echo x/c c; }"],
      ["ls | xargs -d '\\n' wc", { ls: 'a b\nc\n' }, "wc 'a b' c"],
      ['ls | xargs', { ls: 'a b\n' }, 'echo a b'],
      ['ls | xargs wc', { ls: '' }, 'true | wc'],
      ['ls | xargs -r wc', { ls: '' }, 'true'],
      ['ls | xargs rm -rf', { ls: '-x\n$(y)\n' }, "rm -rf -x '$(y)'"],
      ['ls | xargs wc', { ls: "it's\n" }, undefined],
      ['ls | xargs wc', {}, undefined],
      ['ls | xargs -a b wc', { ls: 'a\n' }, undefined],
      ['ls | xargs --arg-file=b wc', { ls: 'a\n' }, undefined],
      ['ls | xargs wc $x', { ls: 'a\n' }, undefined],
      ['xargs wc', {}, undefined],
    ]);
  });

  describe('gives the calls of find the names', () => {
    table([
      ['find . -exec wc {} +', { 'find . -print0': './a\0./b c\0' }, "wc ./a './b c'"],
      ['find . -exec wc {} \\;', { 'find . -print0': './a\0./b\0' }, '{ wc ./a; wc ./b; true; }'],
      ['find . -exec a {} \\; -exec b {} \\;', { 'find . -print0': './c\0' }, '{ a ./c && b ./c; true; }'],
      ['find . -exec a {} \\; -print', { 'find . -print0': './c\0' }, '{ a ./c && echo ./c; true; }'],
      ['find . -exec a {} \\;', { 'find . -print0': '' }, 'find .'],
      ["find . -exec sh -c 'echo {}' \\;", { 'find . -print0': './a; rm b\0' }, '{ { echo ./a; rm b; }; true; }'],
      [
        'find . -exec sh -c \'echo "$1"\' _ {} \\;',
        { 'find . -print0': './a; rm b\0' },
        `{ { echo ""'./a; rm b'""; }; true; }`,
      ],
      ['find . -print -exec a {} \\;', { 'find . -print -print0': 'a\0' }, undefined],
      ['find . -delete -exec a {} \\;', { 'find . -delete -print0': 'a\0' }, undefined],
      ['find . -exec a {} \\; -delete', { 'find . -print0': 'a\0' }, undefined],
      ['find . -execdir a {} \\;', { 'find . -print0': 'a\0' }, undefined],
      ['find . -ok a {} \\;', { 'find . -print0': 'a\0' }, undefined],
      ['find . -exec a {} ;', { 'find . -print0': 'a\0' }, undefined],
    ]);
  });

  describe('writes loops out', () => {
    const printed = (words: string): string => String.raw`printf '%s\n' . ${words}`;
    table([
      [
        'for f in a b; do echo "== $f"; head ${f}; done',
        { [printed('a b')]: '.\na\nb\n' },
        '{ echo "== a"; head a; echo "== b"; head b; }',
      ],
      ['for f in a; do b $f; done | sort', { [printed('a')]: '.\na\n' }, 'b a | sort'],
      ['cd x && for f in *; do b $f; done', { [`cd x && ${printed('*')}`]: '.\na\n' }, 'cd x && b a'],
      ['for f in $(ls); do a $f; done', { [printed('$(ls)')]: '.\nb\n' }, 'a b'],
      ['for i in {1..3}; do a $i; done', { [printed('1 2 3')]: '.\n1\n2\n' }, '{ a 1; a 2; }'],
      ['for f in *; do a "$f"; done', { [printed('*')]: ".\nit's b\n" }, `a ""'it'\\''s b'""`],
      [
        String.raw`for f in a; do echo '$f' \$f "\$f" $file "it's $f"; done`,
        { [printed('a')]: '.\na\n' },
        String.raw`echo '$f' \$f "\$f" $file "it's a"`,
      ],
      ['for f in *; do a $f; done', { [printed('*')]: '.\nb c\n' }, undefined],
      ['for f in *; do a ${f%.ts}; done', { [printed('*')]: '.\nb\n' }, undefined],
      ['for f in a; do for f in b; do c $f; done; done', { [printed('a')]: '.\na\n' }, undefined],
      ['for f; do ls $f; done', {}, undefined],
      ['ls | while read f; do a "$f"; done | sort', { ls: 'b c\nd\n' }, `{ a ""'b c'""; a "d"; } | sort`],
      ['while read a b; do c $a; d $b; done < e', { 'cat e': ' f  g \n' }, 'c f; d g'],
      ['while IFS= read -r f; do a "$f"; done < <(b)', { b: ' c\n' }, `a ""' c'""`],
      ['find . -print0 | while IFS= read -r -d \'\' f; do a "$f"; done', { 'find . -print0': 'b\0' }, 'a "b"'],
      ['ls | while read f; do a "$f"; done', { ls: 'unfinished' }, 'true'],
      ['ls | while read f; do a "$f"; done', { ls: 'b\\c\n' }, undefined],
      ['while true; do ls; done', {}, undefined],
      ['ls | while read f && a; do b; done', { ls: 'c\n' }, undefined],
    ]);
  });

  describe('puts outputs and values in', () => {
    table([
      ['echo "$(a)b" $(c)', { a: 'it is\n\n', c: 'd e\n*' }, `echo ""'it is'"b" $(c)`],
      ['echo "$(a)b" $(c)', { a: 'it is\n\n', c: 'd e\nf' }, `echo ""'it is'"b" d e f`],
      ['echo `a`', { a: 'b\n' }, 'echo b'],
      ['echo x$(a)', { a: 'b c' }, undefined],
      ['echo "$(a)"', { a: '"; rm b; "' }, `echo ""'"; rm b; "'""`],
      ['$(a) b', { a: 'rm\n' }, 'rm b'],
      ['f=a; b "$f" $f; f=c; d $f', {}, 'b "a" a; d c'],
      ['f=a && b $f', {}, 'b a'],
      ['f=$(a); b "$f"', { a: 'c d\n' }, `b ""'c d'""`],
      ["f='a b'; c $f", {}, undefined],
      ['if a; then f=b; fi; c $f', {}, undefined],
      ['echo $((2 + 3)) $((7 / 2))', {}, 'echo 5 3'],
      ['echo $((08 + 1))', {}, undefined],
      ['echo $((x))', {}, undefined],
      ['cat src/{a,b}.ts', {}, 'cat src/a.ts src/b.ts'],
      ["echo '{a,b}'", {}, undefined],
    ]);
  });

  describe('takes groups, lines and shells away', () => {
    table([
      ['(cd src && ls)', {}, 'cd src && ls'],
      ['(ls) | sh', {}, undefined],
      ['cd src; a; b', {}, 'cd src && { a; b; }'],
      ['cd src && a; b', {}, 'cd src && { a; b; }'],
      ['cd src && a || b', {}, 'cd src && { a || b; }'],
      ['cd src && a', {}, undefined],
      ["bash -c 'a; b'", {}, undefined],
      ["ls | xargs -I{} bash -lc 'a {}; b' | c", { ls: 'd\n' }, '{ a d; b; } | c'],
      ['ls | xargs -I{} sh -c "a $x"', { ls: 'd\n' }, undefined],
      ["ls | xargs bash -x -c 'a'", { ls: 'd\n' }, 'bash -x -c a d'],
      ['a\nb', {}, undefined],
    ]);
  });

  it('is done at once with long and hostile commands', async () => {
    for (const part of [
      '{a,b}',
      '$(',
      '((',
      "'",
      '"',
      '\\\n',
      'a=b;',
      'for f in a; do ',
      '{ ',
      'a | xargs ',
      '\n#',
      '{',
    ])
      for (const count of [100, 1000, 3000]) {
        const command = part.repeat(count);
        const spelledOut = await spell(command);
        assert.equal((spelledOut ?? '').length < 200_000, true, part);
      }
  });
});
