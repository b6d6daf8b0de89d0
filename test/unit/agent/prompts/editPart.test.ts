import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editPartPrompt, readEditedPart, type PartToEdit } from '../../../../src/agent/prompts/editPart';

const part: PartToEdit = {
  displayPath: 'src/sum.js',
  languageId: 'javascript',
  startLine: 3,
  endLine: 4,
  text: '  return a - b;\n  // ```',
  above: 'export function sum(a, b) {',
  below: '}',
  problems: [{ line: 3, message: 'Wrong\n  sign' }],
};
const rounds = [{ wish: 'add', written: '  return a + b;' }];

describe('the prompt for a change of a part', () => {
  it('has the part, what is around it and what is wanted, and fences that no code can end', () => {
    assert.equal(
      editPartPrompt({ ...part, above: '' }, [], 'add'),
      [
        'The file is src/sum.js.',
        'Below, not to change:\n```javascript\n}\n```',
        'Problems that the editor reports in the part:\n- line 3: Wrong · sign',
        'The part, lines 3-4:\n````javascript\n  return a - b;\n  // ```\n````',
        'Wanted: add',
      ].join('\n\n'),
    );
  });

  it('only grows with a further wish', () => {
    const [first, second] = [editPartPrompt(part, [], 'add'), editPartPrompt(part, rounds, 'use Number')];
    assert.ok(second.startsWith(first));
    assert.ok(second.endsWith('You wrote:\n```javascript\n  return a + b;\n```\n\nWanted: use Number'));
  });
});

describe('the code in an answer', () => {
  const read = (answer: string, text = '  a();\n  bcde();', languageId = 'javascript') =>
    readEditedPart(answer, { text, languageId });

  it('is that of the first block, with words around it or none', () => {
    assert.equal(read('```js\n  x();\n```'), '  x();');
    assert.equal(read('Here you are:\r\n\r\n```js\r\n  x();\r\n```\r\nDone.'), '  x();');
    assert.equal(read('~~~~\n  x();\n  ~~~\n~~~~'), '  x();\n  ~~~');
    assert.equal(read('```\n```'), '');
  });

  it('is there without a fence, when it has a line of the part', () => {
    assert.equal(read('  bcde();\n  more();'), '  bcde();\n  more();');
    assert.equal(read('I cannot do that.'), undefined);
    assert.equal(read(''), undefined);
  });

  it('gets the indentation that the model left out', () => {
    assert.equal(read('```\nif (x) {\n\n  a();\n}\n```'), '  if (x) {\n\n    a();\n  }');
    assert.equal(read('```\n a();\n```'), ' a();', 'a chosen indentation stays');
  });

  it('holds the fences of Markdown', () => {
    const text = 'Run:\n\n```sh\nnpm test\n```\n\nDone.';
    assert.equal(read(`\`\`\`markdown\n${text}\n\`\`\``, 'Run it.', 'markdown'), text);
  });

  const line = fc.constantFrom('x();', '  y();', '', '// ` tick', 'const t = `a`;', '\tz', '日本');
  it('is read whole, and any beginning of the answer is a beginning of it', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.nat(), (lines, at) => {
        const code = ['first();', ...lines, 'last();'].join('\n');
        const answer = `Sure.\n\`\`\`js\n${code}\n\`\`\`\n`;
        assert.equal(read(answer, 'old();'), code);
        const begun = read(answer.slice(0, at % answer.length), 'old();');
        assert.ok(begun === undefined || code.startsWith(begun), JSON.stringify(begun));
      }),
    );
  });

  it('never fails for any answer', () => {
    const piece = fc.constantFrom('```', '~~~', '\n', '`', 'x', ' ', '\r\n', 'js', '\0');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        read(pieces.join(''));
        read(pieces.join(''), 'x', 'markdown');
      }),
    );
  });
});
