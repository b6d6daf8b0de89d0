/** A remark of a review about lines of a file. A model wrote all of it. */
export interface Finding {
  /** As the model names the file, with slashes. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, not before `line`. */
  readonly endLine: number;
  /** Markdown, not empty. */
  readonly text: string;
}

/** Further findings are read in the answer. */
const MAX_FINDINGS = 50;
const MAX_CHARACTERS = 60_000;
/** Of one line that is looked at for a place. */
const MAX_LINE = 2_000;
/** Of the text of one finding. */
const MAX_TEXT = 1_500;

/** A list's mark, a heading's mark or a table's bar, in front of the text of a line. */
// A line may hold other line breaks: where the last part stopped at one, its beginning would be tried in every split.
const MARK = /^(?<indent>[\s>]*)(?<mark>[-*+•] |\d{1,3}[.)] |#{1,6} |\|)?\s*(?<rest>.*)$/s;
const NAMED = /(?<path>[\p{L}\p{N}_.@~+()[\]$/\\-]{1,300})/u.source;
const LINES = /(?<line>\d{1,7})(?:\s?[-–—]\s?L?(?<end>\d{1,7}))?/.source;
/** `src/a.ts:3`, `src/a.ts#L3-L5`, `src/a.ts (line 3)`, `src/a.ts, lines 3-5`, `src/a.ts | 3`. */
const PLACE = new RegExp(
  `${NAMED}["'\`*_]{0,4}(?:(?::|#)L?|,?\\s{0,3}[([]?\\s?(?:at |on )?(?:lines?|L)\\s?[:#]?\\s?[\`*]{0,2}|\\s?\\|\\s?)${LINES}(?::\\d{1,5})?(?![\\d.]*\\d)[)\\]"'\`*_]{0,4}`,
  'iu',
);
/** `line 3 of src/a.ts` */
const LINE_OF = new RegExp(`\\blines?\\s${LINES}\\s(?:of|in)\\s[*_\`"']{0,4}${NAMED}`, 'iu');
/** `line 3` or `L3` at the start of a line, about a file that was named before. */
const LINE_ONLY = new RegExp(
  `^[*_\`([]{0,3}(?:lines?\\s?[:#]?|L)[*_\`]{0,3}\\s?[\`*]{0,2}${LINES}[)\\]*_\`]{0,4}`,
  'iu',
);
/** A line that names a file and nothing else. */
const FILE_ONLY = new RegExp(
  `^[*_\`"']{0,4}(?:file(?:name)?|path)?[*_]{0,2}:?[*_]{0,2}\\s?[*_\`"']{0,4}${NAMED}[*_\`"':]{0,5}$`,
  'iu',
);

interface Begun {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly isHeading: boolean;
  /** Of its first line. Deeper lines belong to it. */
  readonly indent: number;
  readonly lines: string[];
}

/**
 * The findings of a review's answer, in its order. Small models keep to no form, so each usual way to name a file and a line is
 * read. A line without a place belongs to the finding above it.
 */
export function readFindings(answer: string): readonly Finding[] {
  const found: Begun[] = [];
  let file: string | undefined;
  let title = { text: '', indent: 0 };
  let current: Begun | undefined;
  let fence: string | undefined;
  let isAfterBlank = true;
  for (const line of answer.slice(0, MAX_CHARACTERS).split('\n')) {
    const [mark] = /^\s*(?:`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined) {
      const kind = mark.trim().slice(0, 3);
      if (fence === undefined) fence = kind;
      else if (fence === kind) fence = undefined;
      current?.lines.push(line.trimEnd());
      continue;
    }
    if (fence !== undefined) {
      current?.lines.push(line.trimEnd());
      continue;
    }
    if (line.trim() === '') {
      isAfterBlank = true;
      if (current && current.lines.length > 0) current.lines.push('');
      continue;
    }
    const { indent, isHeading, isItem, rest } = partsOf(line);
    if (/^[\s|:*_-]*$/.test(rest)) continue;
    const isInside = current !== undefined && !isHeading && indent > current.indent;
    const canBegin =
      !isInside && (isHeading || isItem || isAfterBlank || startsWithPlace(rest) || LINE_ONLY.test(rest));
    isAfterBlank = false;
    const place = canBegin || current === undefined ? placeIn(rest, file) : undefined;
    if (place) {
      file = place.path;
      const hasTitle = title.text !== '';
      current = {
        ...place,
        isHeading,
        indent: hasTitle ? Math.min(title.indent, indent) : indent,
        lines: [title.text, place.text].filter((text) => text !== ''),
      };
      title = { text: '', indent: 0 };
      if (found.push(current) === MAX_FINDINGS) break;
      continue;
    }
    if (isInside) {
      current?.lines.push(line.trim());
      continue;
    }
    const named = FILE_ONLY.exec(rest)?.groups?.['path'];
    if (named !== undefined && /[./\\]/.test(named)) {
      file = withSlashes(named);
      current = undefined;
    } else if (current && !isHeading && (current.isHeading || (!isItem && current.lines.at(-1) !== ''))) {
      current.lines.push(line.trim());
    } else {
      current = undefined;
      // "1. An error" above "File: a.ts, line 3".
      title = { text: (isHeading || isItem) && !rest.endsWith('|') ? rest : '', indent };
    }
  }
  return found.flatMap(({ path, line, endLine, lines }) => {
    const text = cut(lines.join('\n').trim());
    return text === '' ? [] : [{ path, line, endLine, text }];
  });
}

function partsOf(line: string) {
  const groups = MARK.exec(line.slice(0, MAX_LINE))?.groups ?? {};
  const { indent = '', mark = '', rest = '' } = groups;
  return { indent: indent.length, isHeading: mark.startsWith('#'), isItem: mark !== '', rest: rest.trim() };
}

function startsWithPlace(rest: string): boolean {
  const place = PLACE.exec(rest);
  return place !== null && /^[^\p{L}\p{N}]*(?:file:?)?[^\p{L}\p{N}]*$/iu.test(rest.slice(0, place.index));
}

/** The place in a line, and the rest of its text. `file`: what was named last. */
function placeIn(
  rest: string,
  file: string | undefined,
): (Pick<Finding, 'path' | 'line' | 'endLine'> & { readonly text: string }) | undefined {
  for (const form of [PLACE, LINE_OF]) {
    const place = form.exec(rest);
    const path = place?.groups?.['path'];
    if (place && path !== undefined && isFileName(path)) return read(withSlashes(path), place, rest);
  }
  const only = file === undefined ? null : LINE_ONLY.exec(rest);
  return only && file !== undefined ? read(file, only, rest) : undefined;
}

function read(path: string, place: RegExpExecArray, rest: string) {
  const line = Number(place.groups?.['line']);
  const endLine = Math.max(line, Number(place.groups?.['end'] ?? line));
  if (line === 0) return undefined;
  const before = rest.slice(0, place.index).trimEnd();
  // In the middle of a sentence the place stays.
  const isSentence = /[\p{L}\p{N}][\s"'`*_]*$/u.test(before) || /^lines?\s.*\s(?:of|in)\s/i.test(place[0]);
  if (isSentence) return { path, line, endLine, text: rest };
  const title = before.replace(/[\s*_`"'([|:–—-]+$/u, '').replace(/^[*_`\s]+$/u, '');
  const after = rest
    .slice(place.index + place[0].length)
    .replace(/^\((?:[^()\s]{1,300})\)/, '')
    .replace(/^[\s:;,.|)\]*_`–—-]+/u, '')
    .replace(/[\s|]+$/, '');
  const text = [title, after].filter((part) => part !== '').join(': ');
  return { path, line, endLine, text: balanced(text) };
}

/** Not a word such as "on" before "line 3", no time such as 12:30 and no address. */
function isFileName(path: string): boolean {
  if (path.startsWith('//')) return false;
  return /[./\\]/.test(path) ? /[\p{L}\p{N}]/u.test(path) : /^(?:[A-Z]\w+file|Dockerfile|LICENSE|README)$/.test(path);
}

function withSlashes(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^[([]+/, '')
    .replace(/^(?:\.\/)+/, '');
}

/** Without emphasis that lost its other end with the place. */
function balanced(text: string): string {
  return text.split('**').length % 2 === 0 ? text.replaceAll('**', '') : text;
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
