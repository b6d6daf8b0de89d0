import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Cell } from '../../../../src/workspace/notebooks/cellText';
import { EMPTY_NOTEBOOK, readNotebook, withCells } from '../../../../src/workspace/notebooks/notebookJson';

const stored = `{
 "metadata": {"cells": ["no cells"], "x": 1.0, "language_info": {"name": "julia"}},
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {"tags": [ ]},
   "source": ["# Title\\n", "text"]
  },
  {
   "cell_type": "code", "execution_count": 3, "id": "keep",
   "metadata": {"__proto__": {"a": "]}"}},
   "outputs": [{"data": {"image/png": "iVBORw0KGgo\\\\\\"]}"}}],
   "source": "a = 1\\nb = 2"
  }
 ],
 "nbformat": 4,
 "nbformat_minor": 5
}
`;
const cells: readonly Cell[] = [
  { language: 'markdown', source: '# Title\ntext' },
  { language: 'julia', source: 'a = 1\nb = 2' },
];

describe('a notebook as it is stored', () => {
  it('is read as cells in its language', () => {
    assert.deepEqual(readNotebook(stored), { cells, withOutputs: 1 });
  });

  it('is no notebook when it is broken, old or strange', () => {
    const notebook = (change: object): string =>
      JSON.stringify({ ...(JSON.parse(EMPTY_NOTEBOOK) as object), ...change });
    for (const text of [
      '',
      '<<<<<<< mine',
      '[]',
      'null',
      '['.repeat(200_000),
      notebook({ nbformat: 3 }),
      notebook({ nbformat: '4' }),
      notebook({ cells: {} }),
      notebook({ cells: [1] }),
      notebook({ cells: [{ cell_type: 'other', source: '' }] }),
      notebook({ cells: [{ cell_type: 'code', source: [1] }] }),
      notebook({ cells: Array.from({ length: 10_001 }, () => ({ cell_type: 'raw', source: '' })) }),
    ]) {
      assert.equal(readNotebook(text), undefined, text.slice(0, 40));
      assert.equal(withCells(text, cells), undefined);
    }
  });

  it('stays byte for byte when nothing changes', () => {
    assert.equal(withCells(stored, cells), stored);
  });

  it('changes only the cell that differs, and keeps its outputs, id and metadata', () => {
    const [title, code] = cells as [Cell, Cell];
    const changed = withCells(stored, [title, { ...code, source: 'a = 1\nb = 3' }]) ?? '';
    const at = stored.indexOf('  {\n   "cell_type": "code"');
    assert.equal(changed.slice(0, at), stored.slice(0, at));
    assert.equal(
      changed.slice(changed.indexOf('\n ],\n "nbformat"')),
      stored.slice(stored.indexOf('\n ],\n "nbformat"')),
    );
    const before = JSON.parse(stored) as { cells: [object, object] };
    const [first, second] = before.cells;
    assert.deepEqual(JSON.parse(changed), { ...before, cells: [first, { ...second, source: 'a = 1\nb = 3' }] });
    assert.ok(changed.includes('"__proto__"'));
  });

  it('gives new cells an id where the format has ids, and a new cell of another language its language', () => {
    const changed = withCells(stored, [...cells, { language: 'sql', source: 'select 1\n' }]) ?? '';
    const { id, ...added } = (JSON.parse(changed) as { cells: { id?: string }[] }).cells[2] ?? {};
    assert.match(id ?? '', /^[0-9a-f]{8}$/);
    assert.deepEqual(added, {
      cell_type: 'code',
      execution_count: null,
      metadata: { vscode: { languageId: 'sql' } },
      outputs: [],
      source: ['select 1\n'],
    });
    const old = withCells(stored.replace('"nbformat_minor": 5', '"nbformat_minor": 4'), [...cells, ...cells]) ?? '';
    assert.equal((JSON.parse(old) as { cells: { id?: string }[] }).cells[3]?.id, undefined);
  });

  it('keeps one line as one line, and can lose all cells', () => {
    const line = JSON.stringify(JSON.parse(stored));
    assert.ok(!(withCells(line, [...cells, ...cells]) ?? '\n').includes('\n'));
    assert.deepEqual(readNotebook(withCells(stored, []) ?? ''), { cells: [], withOutputs: 0 });
  });

  it('holds exactly the cells it was given, with any text in them and any JSON around them', () => {
    const source = fc.oneof(fc.string(), fc.constantFrom('"]}', '\\', '{"cells": [', 'a\n\nb\n'));
    const cell = fc.record(
      { language: fc.constantFrom('python', 'markdown', 'raw'), source },
      { noNullPrototype: true },
    );
    const around = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('cells"', 'x')), fc.jsonValue(), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(
        fc.array(cell),
        fc.array(cell),
        around,
        fc.constantFrom(undefined, 1, '\t'),
        (one, other, rest, indent) => {
          const empty = JSON.parse(EMPTY_NOTEBOOK) as object;
          const text = JSON.stringify({ ...rest, ...empty, cells: [] }, null, indent);
          const first = withCells(text, one) ?? '';
          assert.deepEqual(readNotebook(first)?.cells, one);
          const second = withCells(first, other) ?? '';
          assert.deepEqual(readNotebook(second)?.cells, other);
          const parsed = JSON.parse(second) as Record<string, unknown>;
          assert.deepEqual({ ...parsed, cells: [] }, JSON.parse(text));
        },
      ),
    );
  });
});
