import type { TextMatch, WorkspacePorts } from '../ports';
import { isNotebookPath } from './notebookPath';
import { readCellText } from './notebookFiles';

export interface ShownMatches {
  readonly matches: readonly TextMatch[];
  /** How many were in outputs and metadata of notebooks, which tools do not show. */
  readonly leftOut: number;
}

/**
 * Matches in notebooks with the lines of their cells, as `read_file` counts them. A search finds lines of the JSON: each
 * holds one line of a cell, or a whole cell.
 */
export async function matchesInCells(
  matches: readonly TextMatch[],
  pattern: string,
  ports: Pick<WorkspacePorts, 'fileSystem' | 'notebooks'>,
): Promise<ShownMatches> {
  if (!matches.some(({ path }) => isNotebookPath(path))) return { matches, leftOut: 0 };
  const shown: TextMatch[] = [];
  let leftOut = 0;
  let last:
    { readonly path: string; readonly lines: readonly string[] | undefined; readonly used: Set<number> } | undefined;
  for (const match of matches) {
    if (last?.path !== match.path) {
      const text = (await readCellText(match.path, ports).catch(() => undefined))?.text;
      last = { path: match.path, lines: text?.split('\n'), used: new Set() };
    }
    const { lines, used } = last;
    if (!lines) {
      shown.push(match);
      continue;
    }
    const found = findLine(match.text, pattern, lines, used);
    if (found === undefined) leftOut++;
    else {
      used.add(found);
      shown.push({ ...match, line: found + 1, text: (lines[found] ?? '').slice(0, MAX_SHOWN) });
    }
  }
  return { matches: shown, leftOut };
}

const MAX_SHOWN = 300;
const MAX_READ = 2000;

/** The index of the first unused line of the cells that a line of the JSON holds. */
function findLine(
  json: string,
  pattern: string,
  lines: readonly string[],
  used: ReadonlySet<number>,
): number | undefined {
  const isCut = json.endsWith('…');
  const held = textIn(isCut ? json.slice(0, -1) : json)?.split('\n') ?? [];
  if (held.length > 1 && held.at(-1) === '') held.pop();
  const wanted = pattern.toLowerCase();
  const candidates = held.length > 1 ? held.filter((line) => line.toLowerCase().includes(wanted)) : held;
  for (const candidate of candidates) {
    const index = lines.findIndex(
      (line, i) => !used.has(i) && (isCut && candidate !== '' ? line.startsWith(candidate) : line === candidate),
    );
    if (index !== -1) return index;
  }
  return undefined;
}

/** The text of a JSON string in a line such as `"a = 1\n",` or `"source": ["a = 1\n"],`. */
function textIn(json: string): string | undefined {
  const start = json.slice(0, MAX_READ).replace(/^\s*(?:"source":\s*)?(?:\[\s*)?/, '');
  if (!start.startsWith('"')) return undefined;
  const body = start.slice(1).replace(/"[\s,\]}]*$/, '');
  try {
    return JSON.parse(`"${body}"`) as string;
  } catch {
    // Cut inside of an escape, or no string at all.
    return undefined;
  }
}
