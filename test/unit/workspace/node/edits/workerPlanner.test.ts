import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { applyEdits } from '../../../../../src/workspace/edits/applyEdits';
import { createWorkerPlanner, LONG_TEXT } from '../../../../../src/workspace/node/edits/workerPlanner';
import { projectRoot } from '../../../../../scripts/projectRoot';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('a planner of edits with a worker', () => {
  let folder: TemporaryFolder;
  let worker: string;
  before(async () => {
    folder = await createTemporaryFolder();
    worker = path.join(folder.path, 'worker.js');
    const entry = path.join(projectRoot, 'src/workspace/node/edits/editWorker.ts');
    buildSync({ entryPoints: [entry], outfile: worker, bundle: true, platform: 'node' });
  });
  after(() => folder.dispose());

  const lines = Array.from({ length: 8000 }, (_, index) => `  const value${index} = compute("${index * 7919}");`);
  const text = lines.join('\n');

  it('plans as without one: found, misquoted, absent and ambiguous', async function () {
    this.timeout(60_000);
    assert.ok(text.length > LONG_TEXT);
    const plan = createWorkerPlanner(worker);
    const edit = fc.record({
      start: fc.nat(lines.length - 4),
      count: fc.integer({ min: 1, max: 4 }),
      misquote: fc.constantFrom(
        (line: string) => line,
        (line: string) => `${line} `,
        (line: string) => line.trim(),
        (line: string) => line.replace('compute', 'comptue'),
        () => '  return;',
      ),
      newText: fc.constantFrom('', 'gone', '  gone();\n'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
        const given = edits.map(({ start, count, misquote, newText }) => ({
          oldText: lines
            .slice(start, start + count)
            .map(misquote)
            .join('\n'),
          newText,
        }));
        assert.deepEqual(await plan(text, given), applyEdits(text, given));
      }),
      { numRuns: 15 },
    );
  });

  it('plans by itself where the worker is missing, throws or ends', async () => {
    const given = [{ oldText: lines[5] ?? '', newText: 'gone' }];
    const expected = applyEdits(text, given);
    for (const [name, code] of [
      ['missing.js', undefined],
      ['throws.js', 'throw new Error("no")'],
      ['ends.js', 'process.exit(0)'],
    ] as const) {
      const file = path.join(folder.path, name);
      if (code !== undefined) await writeFile(file, code);
      assert.deepEqual(await createWorkerPlanner(file)(text, given), expected, name);
    }
  });

  it('leaves a short text in this thread', async () => {
    const file = path.join(folder.path, 'wrong.js');
    await writeFile(file, 'require("node:worker_threads").parentPort.postMessage("wrong")');
    const given = [{ oldText: 'a', newText: 'b' }];
    assert.deepEqual(await createWorkerPlanner(file)('a\n', given), applyEdits('a\n', given));
    assert.equal(await createWorkerPlanner(file)(text, given), 'wrong');
  });
});
