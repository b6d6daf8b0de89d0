import assert from 'node:assert/strict';
import { testCommands, testNamesOf } from '../../../../src/agent/testRuns/testCommands';

const SCRIPT = "describe('cart', () => {\n  it('adds (1+1)', () => {\n    add();\n  });\n});\n";

function lines(path: string, packageJson: object | string | undefined, text = SCRIPT): readonly string[] {
  const given = typeof packageJson === 'object' ? JSON.stringify(packageJson) : packageJson;
  return testCommands({ path, text, line: 3, packageJson: given }).map(({ argv }) => argv.join(' '));
}

describe('testCommands', () => {
  it('takes the runner that package.json depends on, for the test at the cursor and for the file', () => {
    const path = 'src/cart.test.ts';
    assert.deepEqual(lines(path, { devDependencies: { vitest: '1' } }), [
      String.raw`npx vitest run src/cart.test.ts --testNamePattern=adds \(1\+1\)`,
      'npx vitest run src/cart.test.ts',
    ]);
    assert.deepEqual(lines(path, { dependencies: { jest: '1' } }), [
      String.raw`npx jest --runTestsByPath src/cart.test.ts --testNamePattern=adds \(1\+1\)`,
      'npx jest --runTestsByPath src/cart.test.ts',
    ]);
    assert.deepEqual(lines(path, { devDependencies: { mocha: '1' } }), [
      'npx mocha src/cart.test.ts --fgrep=adds (1+1)',
      'npx mocha src/cart.test.ts',
    ]);
    assert.deepEqual(lines(path, { scripts: { test: 'node --import tsx --test' } }), [
      String.raw`node --test --test-name-pattern=adds \(1\+1\) src/cart.test.ts`,
      'node --test src/cart.test.ts',
    ]);
    assert.deepEqual(lines('test/cart.js', undefined).at(-1), 'node --test test/cart.js');
  });

  it('knows no command for other files, other runners and broken files of a package', () => {
    assert.deepEqual(lines('src/cart.ts', { devDependencies: { mocha: '1' } }), []);
    assert.deepEqual(lines('README.md', undefined), []);
    assert.deepEqual(lines('src/cart.test.ts', { scripts: { test: 'tap' } }), []);
    for (const broken of ['', '{', '[]', 'null', '{"scripts":1,"devDependencies":[]}', '{"__proto__":{"mocha":1}}'])
      assert.deepEqual(lines('src/cart.test.ts', broken), []);
  });

  it('names tests of other languages as their runners do', () => {
    const python = 'class TestCart:\n    def test_add(self):\n        pass\n';
    assert.deepEqual(lines('tests/test_cart.py', undefined, python), [
      'pytest tests/test_cart.py::TestCart::test_add',
      'pytest tests/test_cart.py',
    ]);
    assert.deepEqual(lines('src/cart_test.go', undefined, 'package a\nfunc TestAdd(t *testing.T) {\n\tx()\n'), [
      'go test -run ^TestAdd$ ./src',
      'go test ./src',
    ]);
    assert.deepEqual(lines('spec/cart_spec.rb', undefined, "describe 'a' do\n  it 'b' do\n    x\n"), [
      'bundle exec rspec spec/cart_spec.rb:2',
      'bundle exec rspec spec/cart_spec.rb',
    ]);
  });

  it('gives a file whose name begins with a dash to no option', () => {
    assert.deepEqual(
      lines('--eval=x.test.js', { devDependencies: { mocha: '1' } }).at(-1),
      'npx mocha ./--eval=x.test.js',
    );
  });

  it('keeps a hostile test name in one word', () => {
    const [command] = testCommands({
      path: 'a.test.js',
      text: "it('$(touch x); `y`', () => {\n  z();\n",
      line: 2,
      packageJson: '{"devDependencies":{"mocha":""}}',
    });
    assert.deepEqual(command?.argv, ['npx', 'mocha', 'a.test.js', '--fgrep=$(touch x); `y`']);
  });

  it('names the test files that may stand beside a source file', () => {
    assert.deepEqual(testNamesOf('src/cart.ts'), ['cart.test.ts', 'cart.spec.ts', 'cart_test.ts', 'test_cart.ts']);
    assert.deepEqual(testNamesOf('Makefile'), []);
  });
});
