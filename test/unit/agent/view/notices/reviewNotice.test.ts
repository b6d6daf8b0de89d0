import assert from 'node:assert/strict';
import { reviewNotice } from '../../../../../src/agent/view/notices/reviewNotice';
import type { ToolItem, ViewItem } from '../../../../../src/agent/view/sessionView';

const prompt = (isSteering = false): ViewItem => ({
  kind: 'prompt',
  id: 'p',
  text: 'Go',
  contextLabels: [],
  isSteering,
});
const edit = (path: string, rest: Partial<ToolItem> = {}): ViewItem => ({
  kind: 'tool',
  id: path,
  toolName: 'apply_edit',
  state: 'succeeded',
  argumentsText: '',
  liveOutput: '',
  input: { path },
  display: { applied: true, addedLines: 2, removedLines: 1 },
  ...rest,
});

describe('notice of what a run changed unasked', () => {
  it('adds up each file, since the prompt of the run', () => {
    const items = [prompt(), edit('old.ts'), prompt(), edit('a.ts'), prompt(true), edit('a.ts'), edit('b\u202E.ts')];
    assert.deepEqual(reviewNotice('n', items), {
      id: 'n',
      severity: 'info',
      message: 'The agent changed 2 files without asking:\na.ts +4 −2\nb<U+202E>.ts +2 −1',
      actions: ['reviewEdits'],
    });
  });

  it('speaks of the files that count', () => {
    const items = [prompt(), edit('a.ts'), edit('b.ts')];
    assert.equal(
      reviewNotice('n', items, (path) => path === 'b.ts')?.message,
      'The agent changed one file without asking:\nb.ts +2 −1',
    );
    assert.equal(
      reviewNotice('n', items, () => false),
      undefined,
    );
  });

  it('is absent where everything was asked about, failed or was no edit', () => {
    const items = [
      prompt(),
      edit('a.ts', { approvalOutcome: 'allowed' }),
      edit('b.ts', { state: 'failed' }),
      edit('c.ts', { display: { applied: false } }),
    ];
    assert.equal(reviewNotice('n', items), undefined);
  });

  it('lists a few files and counts the rest', () => {
    const files = Array.from({ length: 8 }, (_none, index) => edit(`${index}.ts`));
    assert.match(
      reviewNotice('n', [prompt(), ...files])?.message ?? '',
      /^The agent changed 8 files .*\n5\.ts \+2 −1\nand 2 more$/s,
    );
  });
});
