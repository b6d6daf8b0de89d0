import assert from 'node:assert/strict';
import {
  explainProblemsPrompt,
  fixProblemsPrompt,
  problemsContext,
  type FileProblems,
} from '../../../../src/agent/prompts/problems';

const one: FileProblems = {
  displayPath: 'src/mean.ts',
  languageId: 'typescript',
  isUnsaved: false,
  problems: [{ line: 3, message: "Property 'lenght' does not exist.\n  Did you mean 'length'?", source: 'ts' }],
  code: { startLine: 2, text: 'const sum = 1;\nreturn sum / values.lenght;' },
};

describe('problems as context of a prompt', () => {
  it('have their lines, their source and the code around them', () => {
    assert.deepEqual(problemsContext(one), {
      label: 'src/mean.ts:3',
      content: [
        'Problems that the editor reports in src/mean.ts:',
        "- line 3, ts: Property 'lenght' does not exist. · Did you mean 'length'?",
        'Lines 2-3 of the file:',
        '```typescript\nconst sum = 1;\nreturn sum / values.lenght;\n```',
      ].join('\n'),
    });
    assert.equal(
      fixProblemsPrompt(one),
      'Fix the problem in src/mean.ts. Say first what causes it. Fix the cause; do not hide the message.',
    );
    assert.equal(
      explainProblemsPrompt(one),
      'Explain what this problem means in src/mean.ts: the cause, and how it could be fixed. Change nothing.',
    );
  });

  it('are bounded, and keep foreign text inside its line and its fence', () => {
    const problems = Array.from({ length: 40 }, (_, index) => ({ line: index + 1, message: 'x'.repeat(5000) }));
    const { label, content } = problemsContext({
      ...one,
      isUnsaved: true,
      problems,
      code: { startLine: 1, text: '```\nrm -rf /\n```' },
    });
    assert.equal(label, 'src/mean.ts:1-30');
    const lines = content.split('\n');
    assert.equal(lines[0], 'Problems that the editor reports in src/mean.ts (not saved yet):');
    assert.equal(lines[1], `- line 1: ${'x'.repeat(600)}…`);
    assert.deepEqual(lines.slice(31), [
      '(10 more left out)',
      'Lines 1-3 of the file:',
      '````typescript',
      '```',
      'rm -rf /',
      '```',
      '````',
    ]);
    assert.match(
      fixProblemsPrompt({ ...one, problems }),
      /^Fix the 30 problems in src\/mean.ts\. Say first what causes them/,
    );
  });
});
