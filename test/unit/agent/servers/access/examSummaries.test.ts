import assert from 'node:assert/strict';
import { ExamSummaries } from '../../../../../src/agent/servers/access/examSummaries';
import type { ExamSummary } from '../../../../../src/agent/view/server/examGrade';

describe('the summaries of exams', () => {
  const summary: ExamSummary = {
    grade: 'small_edits',
    date: '2026-01-31',
    solved: 15,
    tasks: 28,
    quantisation: 'Q8_0',
  };
  const open = () => {
    const values = new Map<string, unknown>();
    const store = {
      get: (key: string) => values.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
    };
    return { values, exams: new ExamSummaries({ store, onInternalError: (error) => assert.fail(String(error)) }) };
  };

  it('belong to one model of one server', async () => {
    const { exams } = open();
    let changes = 0;
    exams.onChange(() => changes++);
    await exams.keep('http://localhost:8080/v1', 'm', summary);
    assert.deepEqual(exams.of('http://127.0.0.1:8080', 'm'), summary);
    assert.equal(exams.of('http://localhost:8080/v1', 'other'), undefined);
    assert.equal(exams.of('http://localhost:8081/v1', 'm'), undefined);
    assert.equal(changes, 1);
  });

  it('are left out where they cannot be read', async () => {
    const { exams, values } = open();
    await exams.keep('http://localhost:8080/v1', 'm', summary);
    for (const key of values.keys()) values.set(key, { ...summary, grade: 'perfect' });
    assert.equal(exams.of('http://localhost:8080/v1', 'm'), undefined);
  });
});
