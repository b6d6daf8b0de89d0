import type { CodePosition } from '../../codeNavigation';
import type { ShownFile } from './shownFiles';

const MAX_PLACES = 60;
const MAX_CHARS = 8_000;
const MAX_LINE = 160;

/** A line of a file that may be shown. */
export interface Place {
  readonly file: ShownFile;
  /** 1-based. */
  readonly line: number;
}

/** The places of these positions that may be shown, one a line: the one given as `first`, its file, sources, others. */
export function placesOf(
  positions: readonly CodePosition[],
  shown: ReadonlyMap<string, ShownFile>,
  first?: Place,
): readonly Place[] {
  const places = new Map<string, Place>();
  for (const { path, line } of positions) {
    const file = shown.get(path);
    if (file && line <= file.lines.length) places.set(`${file.displayPath}:${line}`, { file, line });
  }
  const rank = ({ file, line }: Place): number => {
    if (file.displayPath !== first?.file.displayPath) return 2 + rankPath(file.displayPath);
    return line === first.line ? 0 : 1;
  };
  return [...places.values()].sort(
    (a, b) => rank(a) - rank(b) || compare(a.file.displayPath, b.file.displayPath) || a.line - b.line,
  );
}

/** 0: source, 1: tests and examples, 2: generated and bundled files. */
export function rankPath(displayPath: string): 0 | 1 | 2 {
  if (GENERATED.test(displayPath)) return 2;
  return TESTS.test(displayPath) ? 1 : 0;
}

const GENERATED =
  /(^|\/)(dist|build|out|lib-cov|coverage|generated|gen|vendor|third_party)\/|[.-]min\.|\.d\.[cm]?ts$|\.generated\.|_pb2?\./i;
const TESTS =
  /(^|\/)(tests?|__tests__|specs?|e2e|fixtures?|__mocks__|examples?|bench(marks?)?|docs?)\/|[._-](test|spec)\.|(^|\/)test_/i;

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** `path:line: code line`, bounded, with the number of places that were left out. */
export function listPlaces(places: readonly Place[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const { file, line } of places.slice(0, MAX_PLACES)) {
    const text = `${file.displayPath}:${line}: ${codeLine(file, line)}`;
    length += text.length + 1;
    if (length > MAX_CHARS) break;
    lines.push(text);
  }
  const left = places.length - lines.length;
  return [...lines, ...(left > 0 ? [`… ${left} more`] : [])].join('\n');
}

/** The text of a line, without its indentation, shortened. */
export function codeLine({ lines }: ShownFile, line: number): string {
  const text = (lines[line - 1] ?? '').trim();
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
}
