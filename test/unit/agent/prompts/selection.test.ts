import assert from 'node:assert/strict';
import { explainPrompt, fixPrompt, selectionContext } from '../../../../src/agent/prompts/selection';

const selection = {
  displayPath: 'src/main.ts',
  languageId: 'typescript',
  startLine: 3,
  endLine: 4,
  text: 'const a = 1;\nconst b = 2;',
  isUnsaved: false,
};

describe('selection prompts', () => {
  it('names file and lines, for people and for the model', () => {
    assert.deepEqual(selectionContext(selection), {
      label: 'src/main.ts:3-4',
      content: 'Selected in src/main.ts, lines 3-4:\n```typescript\nconst a = 1;\nconst b = 2;\n```',
    });
  });

  it('names a single line once', () => {
    assert.deepEqual(selectionContext({ ...selection, endLine: 3, text: 'const a = 1;' }), {
      label: 'src/main.ts:3',
      content: 'Selected in src/main.ts, line 3:\n```typescript\nconst a = 1;\n```',
    });
  });

  it('says that the text is not saved, and what the editor complains about', () => {
    const problems = [{ line: 4, message: 'b is never read' }];
    const { content } = selectionContext({ ...selection, isUnsaved: true, problems });
    assert.equal(
      content,
      'Selected in src/main.ts, lines 3-4 (not saved yet):\n```typescript\nconst a = 1;\nconst b = 2;\n```\n' +
        'Problems the editor reports there:\n- line 4: b is never read',
    );
  });

  it('bounds the list of problems and says so', () => {
    const problems = Array.from({ length: 25 }, (_, index) => ({ line: index, message: 'm' }));
    const lines = selectionContext({ ...selection, problems }).content.split('\n');
    assert.deepEqual(lines.slice(-2), ['- line 19: m', '(5 more left out)']);
  });

  it('fences the text so that it cannot end the fence itself', () => {
    const { content } = selectionContext({ ...selection, languageId: 'markdown', text: '````\nx\n````\n' });
    assert.equal(content, 'Selected in src/main.ts, lines 3-4:\n`````markdown\n````\nx\n````\n`````');
  });

  it('cuts a long selection at a line end and says how to get the rest', () => {
    const line = `${'x'.repeat(99)}\n`;
    const { label, content } = selectionContext({ ...selection, startLine: 11, endLine: 310, text: line.repeat(300) });
    assert.equal(label, 'src/main.ts:11-310');
    assert.equal(
      content,
      `Selected in src/main.ts, lines 11-310:\n\`\`\`typescript\n${line.repeat(240)}\`\`\`\n` +
        'The selection was cut after line 250; read_file gives the rest.',
    );
  });

  it('cuts a single very long line between characters', () => {
    const { content } = selectionContext({ ...selection, endLine: 3, text: `x${'😀'.repeat(20_000)}` });
    assert.equal(content.isWellFormed(), true);
    assert.equal(content.length < 24_300, true);
  });

  it('asks to explain and to fix what is selected', () => {
    const context = selectionContext(selection);
    assert.match(explainPrompt(context), /^Explain src\/main\.ts:3-4:/);
    assert.match(fixPrompt(context), /wrong in src\/main\.ts:3-4/);
  });
});
