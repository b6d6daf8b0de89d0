import { diffRuns } from '../edits/diff/lineDiff';

/** A cell as a model sees it. `markdown` and `raw` as languages are kinds of cells; any other is a cell of code. */
export interface Cell {
  readonly language: string;
  /** With line ends as they are stored. */
  readonly source: string;
}

export type CellKind = 'code' | 'markdown' | 'raw';

export type ParsedCells =
  { readonly ok: true; readonly cells: readonly Cell[] } | { readonly ok: false; readonly error: string };

const NAME = String.raw`[\w+#.-]{1,40}`;
const MARKER = new RegExp(String.raw`^# %% \[(${NAME})\]\r?$`);
const MARKER_LIKE = new RegExp(String.raw`^\\*# %% \[${NAME}\]\r?$`);
const ESCAPED = new RegExp(String.raw`^\\+# %% \[${NAME}\]\r?$`);
/** What people and models also write between cells. */
const OTHER_MARKER = /^[ \t]*(?:#|\/\/)[ \t]*%%|^<\/?VSCode\.Cell\b/;

export function kindOf({ language }: Pick<Cell, 'language'>): CellKind {
  return language === 'markdown' || language === 'raw' ? language : 'code';
}

/** The language of a cell as it can stand in a marker. Notebooks can name anything as a language. */
export function shownLanguage(kind: CellKind, language: string): string {
  if (kind !== 'code') return kind;
  return new RegExp(`^${NAME}$`).test(language) && kindOf({ language }) === 'code' ? language : 'code';
}

/**
 * The cells as one text: each begins with a line such as `# %% [python]`. A line of a cell that looks like this gets a
 * backslash, so `parseCells` gives exactly the same cells again.
 */
export function renderCells(cells: readonly Cell[]): string {
  return cells.map(({ language, source }) => `# %% [${language}]\n${mapLines(source, MARKER_LIKE, '\\')}\n`).join('');
}

/** Reads a text as `renderCells` makes it. Text before the first cell is an error, because it belongs to no cell. */
export function parseCells(text: string): ParsedCells {
  const cells: { readonly language: string; readonly lines: string[] }[] = [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const language = MARKER.exec(line)?.[1];
    if (language !== undefined) cells.push({ language, lines: [] });
    else if (cells.length > 0) cells.at(-1)?.lines.push(ESCAPED.test(line) ? line.slice(1) : line);
    else if (line.trim() !== '') return { ok: false, error: HOW_TO_WRITE };
  }
  return { ok: true, cells: cells.map(({ language, lines: own }) => ({ language, source: own.join('\n') })) };
}

/** For models. */
export const HOW_TO_WRITE =
  'A notebook is written as cells, not as JSON: a line "# %% [python]" or "# %% [markdown]", then the text of the cell, then the next such line. Nothing was written.';

/**
 * The text that will be written for `after`: with the marks of `renderCells`, and without blank lines at the end of new
 * and changed cells, which models write to separate them.
 */
export function canonicalCells(
  before: string | null,
  after: string,
): { ok: true; text: string } | { ok: false; error: string } {
  const parsed = parseCells(after);
  if (!parsed.ok) return parsed;
  const old = parseCells(before ?? '');
  const known = new Set(old.ok ? old.cells.map(keyOf) : []);
  const knownLines = new Set((before ?? '').split('\n'));
  const cells: Cell[] = [];
  for (const cell of parsed.cells) {
    if (known.has(keyOf(cell))) {
      cells.push(cell);
      continue;
    }
    const strange = cell.source.split('\n').find((line) => OTHER_MARKER.test(line) && !knownLines.has(line));
    if (strange !== undefined) {
      return { ok: false, error: `${JSON.stringify(strange.slice(0, 80))} begins no cell. ${HOW_TO_WRITE}` };
    }
    cells.push({ language: cell.language, source: withoutBlankEnd(cell.source) });
  }
  return { ok: true, text: renderCells(cells) };
}

/** Whether a text is the JSON of a notebook or a part of it, and not text of a cell. */
export function isNotebookJson(text: string): boolean {
  return /"(?:cell_type|nbformat|execution_count)"\s*:|"source"\s*:\s*\[/.test(text);
}

/** For each cell of `after` the index of the cell of `before` that it continues. In the order of both. */
export function matchCells(before: readonly Cell[], after: readonly Cell[]): readonly (number | undefined)[] {
  const matched: (number | undefined)[] = after.map(() => undefined);
  for (const run of diffRuns(before.map(keyOf), after.map(keyOf))) {
    const { isEqual, oldStart, oldEnd, newStart, newEnd } = run;
    if (isEqual) for (let i = 0; i < newEnd - newStart; i++) matched[newStart + i] = oldStart + i;
    else {
      const pairs = alignRun(before.slice(oldStart, oldEnd), after.slice(newStart, newEnd));
      for (const [old, now] of pairs) matched[newStart + now] = oldStart + old;
    }
  }
  return matched;
}

const MAX_ALIGNED = 2500;

/** Pairs of cells of the same kind, in order, with as many equal lines as possible. */
function alignRun(before: readonly Cell[], after: readonly Cell[]): readonly (readonly [number, number])[] {
  if (before.length * after.length > MAX_ALIGNED) {
    return after.flatMap((cell, i) => {
      const old = before[i];
      return old && kindOf(old) === kindOf(cell) ? [[i, i] as const] : [];
    });
  }
  const oldLines = before.map(linesOfCell);
  const newLines = after.map(linesOfCell);
  const score = (i: number, j: number): number => {
    const [old, now] = [before[i], after[j]];
    const [a, b] = [oldLines[i], newLines[j]];
    if (!old || !now || !a || !b || kindOf(old) !== kindOf(now)) return 0;
    let common = 0;
    for (const line of a) if (b.has(line)) common++;
    return 0.01 + common / Math.max(a.size, b.size, 1);
  };
  // best[i][j]: the best sum for the cells from i and j on.
  const best: number[][] = Array.from({ length: before.length + 1 }, () => Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = best[i];
      if (row) row[j] = Math.max(at(i + 1, j), at(i, j + 1), score(i, j) + at(i + 1, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < before.length && j < after.length;) {
    const own = score(i, j);
    if (own > 0 && at(i, j) === own + at(i + 1, j + 1)) pairs.push([i++, j++]);
    else if (at(i, j) === at(i + 1, j)) i++;
    else j++;
  }
  return pairs;
}

const MAX_COMPARED_LINES = 200;

function linesOfCell({ source }: Cell): ReadonlySet<string> {
  const lines = source.split('\n', MAX_COMPARED_LINES).map((line) => line.trim());
  return new Set(lines.filter((line) => line !== ''));
}

function keyOf({ language, source }: Cell): string {
  return `${language}\n${source}`;
}

function mapLines(source: string, pattern: RegExp, prefix: string): string {
  if (!source.includes('# %% [')) return source;
  return source
    .split('\n')
    .map((line) => (pattern.test(line) ? prefix + line : line))
    .join('\n');
}

function withoutBlankEnd(source: string): string {
  const lines = source.split('\n');
  while (lines.length > 1 && lines.at(-1)?.trim() === '') lines.pop();
  return lines.join('\n');
}
