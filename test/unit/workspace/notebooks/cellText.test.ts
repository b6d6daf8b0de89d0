import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  canonicalCells,
  matchCells,
  parseCells,
  renderCells,
  shownLanguage,
} from '../../../../src/workspace/notebooks/cellText';

const python = (source: string) => ({ language: 'python', source });

describe('the cells of a notebook as text', () => {
  it('begins each cell with a line that names its language', () => {
    const cells = [{ language: 'markdown', source: '# Prices' }, python('a = 1\nb = 2'), python('')];
    assert.equal(renderCells(cells), '# %% [markdown]\n# Prices\n# %% [python]\na = 1\nb = 2\n# %% [python]\n\n');
    assert.deepEqual(parseCells(renderCells(cells)), { ok: true, cells });
  });

  it('gives back exactly the same cells, whatever is in them', () => {
    const line = fc.oneof(
      fc.constantFrom('# %% [python]', '\\# %% [python]', '\\\\# %% [raw]\r', '# %%', '', '  ', '\r', 'x = 1'),
      fc.string(),
    );
    const source = fc.array(line).map((lines) => lines.join('\n'));
    const cell = fc.record(
      { language: fc.constantFrom('python', 'markdown', 'raw', 'c++'), source },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(cell), (cells) => {
        assert.deepEqual(parseCells(renderCells(cells)), { ok: true, cells });
      }),
    );
  });

  it('refuses text before the first cell, and marks of other formats', () => {
    const json = parseCells('{"cells": []}');
    assert.match(json.ok ? '' : json.error, /as cells, not as JSON/);
    const before = renderCells([python('a = 1')]);
    const other = canonicalCells(before, `${before}# %%\nb = 2\n`);
    assert.match(other.ok ? '' : other.error, /^"# %%" begins no cell\./);
    const kept = renderCells([python('# %% mine\na = 1')]);
    assert.deepEqual(canonicalCells(kept, kept.replace('= 1', '= 2')), { ok: true, text: kept.replace('= 1', '= 2') });
  });

  it('drops blank lines between cells that a model adds, and keeps those that were there', () => {
    const before = renderCells([python('a = 1\n\n')]);
    assert.deepEqual(canonicalCells(before, `${before}# %% [python]\nb = 2\n\n\n`), {
      ok: true,
      text: `${before}# %% [python]\nb = 2\n`,
    });
  });

  it('shows no language that would break its line or change the kind of the cell', () => {
    assert.deepEqual(
      ['python', 'c++', 'a]\n# %% [x', 'markdown', '', 'x'.repeat(50)].map((name) => shownLanguage('code', name)),
      ['python', 'c++', 'code', 'code', 'code', 'code'],
    );
  });

  it('finds the cell that another one continues, beside new and removed cells', () => {
    const before = [python('a = 1'), python('def f():\n  return 1'), python('f()'), python('c = 3')];
    const after = [python('a = 1'), python('import x'), python('def f():\n  return 2'), python('c = 3')];
    assert.deepEqual(matchCells(before, after), [0, undefined, 1, 3]);
    assert.deepEqual(matchCells(before, []), []);
    assert.deepEqual(matchCells([], after), [undefined, undefined, undefined, undefined]);
  });

  it('matches in order, and each cell once', () => {
    const cell = fc.record(
      {
        language: fc.constantFrom('python', 'markdown'),
        source: fc.constantFrom('a', 'b', 'c\nd', 'd'),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(cell), fc.array(cell), (before, after) => {
        const found = matchCells(before, after).filter((index) => index !== undefined);
        assert.deepEqual(
          found,
          [...new Set(found)].toSorted((a, b) => a - b),
        );
      }),
    );
  });
});
