import assert from 'node:assert/strict';
import { languageIdOf } from '../../../../src/host/codeBlocks/languageIds';

describe('languageIdOf', () => {
  const known = ['javascript', 'python', 'shellscript', 'plaintext'];

  it('knows the names that models use, and endings of paths', () => {
    assert.equal(languageIdOf('JS', undefined, known), 'javascript');
    assert.equal(languageIdOf('python', undefined, known), 'python');
    assert.equal(languageIdOf('bash', undefined, known), 'shellscript');
    assert.equal(languageIdOf('', 'src/a.py', known), 'python');
    assert.equal(languageIdOf('cart', 'src/a.mjs', known), 'javascript');
  });

  it('names no language that VS Code does not have', () => {
    assert.equal(languageIdOf('rust', undefined, known), undefined);
    assert.equal(languageIdOf('', undefined, known), undefined);
  });
});
