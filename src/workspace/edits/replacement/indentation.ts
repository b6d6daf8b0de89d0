/** The three parts of a line. A blank line has only `trailing`. */
export interface LineParts {
  readonly indentation: string;
  readonly body: string;
  readonly trailing: string;
}

export function partsOf(line: string): LineParts {
  const body = line.trim();
  if (body === '') return { indentation: '', body: '', trailing: line };
  const start = line.indexOf(body);
  return { indentation: line.slice(0, start), body, trailing: line.slice(start + body.length) };
}

/** The indentations of one line: as the model quoted it, and in the file. */
export interface IndentationPair {
  readonly quoted: string;
  readonly actual: string;
}

/** The file's indentation for an indentation that a model wrote before `body`; `undefined` if it is unclear. */
export type IndentationRule = (quoted: string, body?: string) => string | undefined;

/**
 * Learns from pairs of lines how a model changed the indentation: not at all, moved as a block, or spaces for tabs and the
 * reverse. `undefined` if no such rule explains every line. Then the structure differs, which matters in Python or YAML.
 */
export function learnIndentation(pairs: readonly IndentationPair[]): IndentationRule | undefined {
  if (pairs.every(({ quoted, actual }) => quoted === actual)) return (quoted) => quoted;
  const scales = scaleRules(pairs);
  const rules = [...shiftRules(pairs), ...tabRules(), ...scales, withPlainBlanks].filter((rule) =>
    pairs.every(({ quoted, actual }) => rule(quoted) === actual),
  );
  if (rules.length === 0) return undefined;
  const isTabbed = pairs.some(({ quoted, actual }) => actual.includes('\t') && !quoted.includes('\t') && quoted !== '');
  const seen = new Map(pairs.map(({ quoted, actual }) => [quoted, actual]));
  return (quoted, body = '') => {
    // In block comments of a file with tabs, one or two spaces are not a level.
    if (body.startsWith('*') && isTabbed && quoted !== '' && quoted.length % 2 === 0) return undefined;
    const known = seen.get(quoted);
    if (known !== undefined) return known;
    // The quote also fits another width of levels, in which this indentation is no level.
    if (scales.some((rule) => rules.includes(rule) && rule(quoted) === undefined)) return undefined;
    const answers = new Set(rules.map((rule) => rule(quoted)).filter((answer) => answer !== undefined));
    const [answer] = answers;
    return answers.size === 1 ? answer : undefined;
  };
}

/** The whole block moved: each line gained or lost the same indentation. */
function shiftRules([first]: readonly IndentationPair[]): readonly IndentationRule[] {
  if (!first) return [];
  const { quoted, actual } = first;
  if (actual.endsWith(quoted)) {
    const added = actual.slice(0, actual.length - quoted.length);
    return [(text) => added + text];
  }
  if (quoted.endsWith(actual)) {
    const removed = quoted.slice(0, quoted.length - actual.length);
    return [(text) => (text.startsWith(removed) ? text.slice(removed.length) : undefined)];
  }
  return [];
}

const withPlainBlanks: IndentationRule = (quoted) => quoted.replaceAll(/[\u00A0\u202F\u2009]/g, ' ');

const TAB_WIDTHS = [2, 3, 4, 8];

function tabRules(): readonly IndentationRule[] {
  return TAB_WIDTHS.flatMap((width): IndentationRule[] => [
    (text) => {
      if (text.includes('\t')) return undefined;
      const rest = text.length % width;
      // A space before the star of a block comment is not a level.
      return rest > 1 ? undefined : '\t'.repeat(Math.floor(text.length / width)) + ' '.repeat(rest);
    },
    (text) => (/^\t* {0,3}$/.test(text) ? text.replaceAll('\t', ' '.repeat(width)) : undefined),
  ]);
}

/** Levels of another width, such as two spaces for four. */
function scaleRules(pairs: readonly IndentationPair[]): readonly IndentationRule[] {
  const indented = pairs.filter(({ quoted, actual }) => /^ +$/.test(quoted) && /^ +$/.test(actual));
  const [first] = indented;
  if (!first) return [];
  const ratio = first.actual.length / first.quoted.length;
  const level = indented.reduce((width, { quoted }) => commonDivisor(width, quoted.length), 0);
  return [
    (text) => {
      const length = text.length * ratio;
      // A line that continues another one is aligned with a part of it, not with a level.
      const isLevel = text.length % level === 0;
      return /^ *$/.test(text) && isLevel && Number.isInteger(length) ? ' '.repeat(length) : undefined;
    },
  ];
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
