import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { testAtCursor, type TestLanguage } from '../../../../src/agent/testRuns/testAtCursor';

const SCRIPT = [
  "import { it } from 'node:test';", // 1
  '', // 2
  "describe('cart', () => {", // 3
  '  const items = [];', // 4
  '', // 5
  "  it('adds \\'one\\'', () => {", // 6
  '    items.push(1);', // 7
  '', // 8
  '    assert.ok(items);', // 9
  '  });', // 10
  '', // 11
  '  it.only(`is ${empty}`, () => {', // 12
  '    items.pop();', // 13
  '  });', // 14
  '});', // 15
  '', // 16
  'function helper() {', // 17
  '  return 1;', // 18
  '}', // 19
].join('\n');

const names = (text: string, language: TestLanguage, lines: readonly number[]): readonly (string | undefined)[] =>
  lines.map((line) => testAtCursor(text, line, language)?.name);

describe('testAtCursor', () => {
  it('finds the innermost test around a line, told by the indentation', () => {
    assert.deepEqual(names(SCRIPT, 'javascript', [1, 3, 4, 5, 6, 7, 8, 9, 10, 11]), [
      undefined,
      'cart',
      'cart',
      'cart',
      "adds 'one'",
      "adds 'one'",
      "adds 'one'",
      "adds 'one'",
      "adds 'one'",
      'cart',
    ]);
    // A computed name names no test: the group around it does.
    assert.deepEqual(names(SCRIPT, 'javascript', [12, 13, 15, 16, 17, 18, 19]), [
      'cart',
      'cart',
      'cart',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(testAtCursor(SCRIPT, 7, 'javascript')?.line, 6);
  });

  it('reads the tests of other languages', () => {
    const python =
      'class TestCart:\n    def test_add(self):\n        assert 1\n\ndef test_alone():\n    pass\n\ndef helper():\n    pass\n';
    assert.deepEqual(testAtCursor(python, 3, 'python'), { name: 'test_add', group: 'TestCart', line: 2 });
    assert.deepEqual(testAtCursor(python, 6, 'python'), { name: 'test_alone', group: undefined, line: 5 });
    assert.deepEqual(names(python, 'python', [1, 9]), ['TestCart', undefined]);
    assert.deepEqual(names('package a\n\nfunc TestAdd(t *testing.T) {\n\tt.Run("x", nil)\n}\n', 'go', [1, 4, 5]), [
      undefined,
      'TestAdd',
      'TestAdd',
    ]);
    const rust =
      'fn add() {\n}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert!(true);\n    }\n}\n';
    assert.deepEqual(names(rust, 'rust', [1, 7]), [undefined, 'adds']);
    assert.deepEqual(names("describe 'a' do\n  it 'b' do\n    x\n  end\nend\n", 'ruby', [3]), ['b']);
    assert.deepEqual(names('defmodule A do\n  test "b" do\n    x\n  end\nend\n', 'elixir', [3]), ['b']);
    assert.deepEqual(names('class A {\n    public function testB(): void\n    {\n        x();\n', 'php', [4]), [
      'testB',
    ]);
  });

  it('answers for any text and line, in bounded time', () => {
    const language = fc.constantFrom<TestLanguage>('javascript', 'python', 'go', 'rust', 'ruby', 'elixir', 'php');
    const piece = fc.constantFrom(
      'it(',
      "'",
      '"',
      '`',
      '${',
      '\\',
      ' ',
      '\t',
      '\n',
      'describe',
      'def test',
      'class ',
      'x',
      '.',
      '(',
      '#[test]\n',
      'fn ',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 300 }),
        fc.integer({ min: 1, max: 400 }),
        language,
        (pieces, line, of) => {
          const found = testAtCursor(pieces.join(''), line, of);
          assert.ok(found === undefined || (found.name !== '' && !found.name.includes('\n') && found.line <= line));
        },
      ),
    );
    for (const of of ['javascript', 'python', 'rust'] as const)
      testAtCursor(`${' '.repeat(200_000)}it(\n`.repeat(5), 5, of);
  });
});
