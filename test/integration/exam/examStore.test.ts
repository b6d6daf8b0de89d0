import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExamResult } from '../../../src/agent/exam/results/examResult';
import { ExamStore } from '../../../src/agent/exam/results/examStore';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

const result = (model: string, more: Partial<ExamResult> = {}): ExamResult => ({
  ...{ version: 1, taskVersion: 1, model, date: '2026-01-31T12:00:00.000Z', seed: 0, isComplete: true },
  ...{ manner: { temperature: null, toolCalls: 'native', thinking: null }, confinement: 'node', tasks: [], trials: [] },
  ...more,
});

describe('the store of exams', () => {
  it('keeps the newest result of each server, model and set', async () => {
    await using folder = await createTemporaryFolder();
    const store = new ExamStore(path.join(folder.path, 'new', 'exams.json'));
    assert.deepEqual(await store.list(), []);
    await store.save('http://localhost:8080/v1', result('a', { isComplete: false }));
    await store.save('http://localhost:8080/v1', result('a', { seed: 7 }));
    await store.save('http://gpu:8080/v1', result('a'));
    await store.save('http://127.0.0.1:8080', result('a'));
    assert.equal((await store.list()).length, 3);
    assert.equal((await store.find('http://localhost:8080', { model: 'a', seed: 0 }))?.isComplete, true);
    assert.equal(await store.find('http://localhost:8080', { model: 'b', seed: 0 }), undefined);
  });

  it('leaves out what it cannot read, and begins anew with a cut file', async () => {
    await using folder = await createTemporaryFolder();
    const file = path.join(folder.path, 'exams.json');
    const store = new ExamStore(file);
    await store.save('http://gpu/v1', result('a'));
    const written = JSON.parse(await readFile(file, 'utf8')) as { exams: unknown[] };
    await writeFile(file, JSON.stringify({ exams: [null, { endpoint: 'x' }, ...written.exams] }));
    assert.deepEqual(
      (await store.list()).map((each) => each.result.model),
      ['a'],
    );
    for (const text of ['{"exams": [', '[]', 'null', '']) {
      await writeFile(file, text);
      assert.deepEqual(await store.list(), []);
    }
    await store.save('http://gpu/v1', result('b'));
    assert.deepEqual(
      (await store.list()).map((each) => each.result.model),
      ['b'],
    );
  });
});
