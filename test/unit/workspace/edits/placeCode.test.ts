import assert from 'node:assert/strict';
import { placeCode } from '../../../../src/workspace/edits/placeCode';

describe('placeCode', () => {
  const file = [
    'class Cart {',
    '  total() {',
    '    if (this.isEmpty) {',
    '      return 0;',
    '    }',
    '    return 1;',
    '  }',
    '',
    '  clear() {',
    '  }',
    '}',
    '',
  ];

  it('replaces the lines from the first to the last of the block, at their depth', () => {
    const after = ['class Cart {', '  total() {', '    return 2;', '', '  }', '', '  clear() {', '  }', '}', ''];
    for (const code of [
      '  total() {\n    return 2;\n\n  }',
      'total() {\n  return 2;\n\n}\n',
      '\ntotal() {\n  return 2;\n\n}\n\n',
    ])
      assert.equal(placeCode(file.join('\n'), code), after.join('\n'));
  });

  it('keeps all other bytes, and the line ends of the file', () => {
    assert.equal(placeCode('\uFEFFa  \r\nb(\r\n1\r\n)', 'b(\n2\n)'), '\uFEFFa  \r\nb(\r\n2\r\n)');
  });

  it('finds no place for lines that are not there, or there twice', () => {
    const text = file.join('\n');
    assert.equal(placeCode(text, 'sum() {\n}'), undefined);
    assert.equal(placeCode(text, 'total() {\n  return 2;'), undefined);
    assert.equal(placeCode(`${text}${text}`, 'total() {\n}'), undefined);
    assert.equal(placeCode(text, 'total() {'), undefined);
    assert.equal(placeCode(text, ''), undefined);
    assert.equal(placeCode('total() {\n}\n', '  total() {\n  }'), undefined);
  });

  it('finds no place for a block that leaves out code', () => {
    assert.equal(placeCode(file.join('\n'), 'total() {\n  // ... rest of code\n}'), undefined);
  });
});
