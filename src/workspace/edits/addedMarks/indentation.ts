import { WHOLE_LINE, type FileLines } from '../fileLines';
import { isBlank, linesOf, trimBlankEnds } from '../lineEnds';
import { alignLines, type LineOrigin } from '../replacement/alignLines';
import { partsOf } from '../replacement/indentation';
import type { TextEdit } from '../textEdit';
import { isSameText } from './sameText';

/**
 * Whether the new text has the lines that it keeps at another depth, though no line begins or ends a block around them: an
 * edit that moves lines into a block, or out of one, has its first line at the outer depth of the quote.
 */
export function hasOtherIndentation(file: FileLines, { oldText, newText }: TextEdit): boolean {
  const [old, fresh] = [trimBlankEnds(linesOf(oldText)), trimBlankEnds(linesOf(newText))];
  const [first, freshFirst] = [old[0], fresh[0]];
  if (first === undefined || freshFirst === undefined || isSameText(oldText, newText)) return false;
  if (file.find(old, WHOLE_LINE).length === 0) return false;
  const [bodies, freshBodies] = [old, fresh].map((lines) => lines.map((line) => line.trim())) as [string[], string[]];
  const origins = alignLines(bodies, freshBodies);
  if (hasLostLevels(old, fresh, origins) || swapsBlanks(file, old, fresh) || isBeside(file, old, fresh)) return true;
  const pairs = pairsOf(old, fresh, origins);
  const moved = pairs.filter((pair) => pair.quoted !== pair.fresh);
  if (moved.length === 0) return false;
  const isFirstMoved = depthOf(first) !== depthOf(freshFirst) && isAlike(first, freshFirst);
  const indented = pairs.filter(({ quoted }) => quoted !== '');
  const [outer, freshOuter] = [outerDepth(old), outerDepth(fresh)];
  // All lines are deeper than one that was at the outer depth, and none begins a block around it.
  const isDeeper = freshOuter.length > outer.length && moved.some(({ quoted }) => quoted === outer);
  return (
    isDeeper ||
    ((isFirstMoved || moved.length === pairs.length) && outer !== freshOuter) ||
    (isFirstMoved && moved.length >= indented.length) ||
    (isFirstMoved && moved.length === 1 && depthOf(freshFirst) === '') ||
    hasOtherLevels(pairs)
  );
}

interface Depths {
  readonly quoted: string;
  readonly fresh: string;
}

/** Whether all new lines are deeper than the lines of the file on both sides of them, which open no block, as the old ones were. */
function isBeside(file: FileLines, old: readonly string[], fresh: readonly string[]): boolean {
  const outer = outerDepth(old);
  const isOuter = [old[0] ?? '', old.at(-1) ?? ''].every((line) => depthOf(line) === outer && !DIRECTIVE.test(line));
  if (!isOuter || fresh.length < MIN_BLOCK || outerDepth(fresh).length <= outer.length) return false;
  const [firstLine = 0] = file.find(old, WHOLE_LINE);
  const solid = (from: number, step: 1 | -1): string | undefined => {
    let line = from;
    while (line >= 0 && line < file.count && isBlank(file.contentOf(line))) line += step;
    return line >= 0 && line < file.count ? file.contentOf(line) : undefined;
  };
  const [before, after] = [solid(firstLine - 1, -1), solid(firstLine + old.length, 1)];
  const areOuter = [before, after].every((line) => line === undefined || depthOf(line) === outer);
  return areOuter && !(before !== undefined && /[:{([,=>]\s*$/.test(before));
}

/** A line for a preprocessor is at no depth. */
const DIRECTIVE = /^\s*#\s*(?:if|el|end|def|undef|include|pragma|region)/;

/** Fewer lines may continue the line before them. */
const MIN_BLOCK = 3;

/** The depths of the lines that the new text keeps. If it keeps none, those of the first line that it changes. */
function pairsOf(old: readonly string[], fresh: readonly string[], origins: readonly LineOrigin[]): readonly Depths[] {
  const pairs = origins.flatMap((origin, index) =>
    origin.kind === 'same' && /\w/.test(fresh[index] ?? '')
      ? [{ quoted: depthOf(old[origin.oldIndex] ?? ''), fresh: depthOf(fresh[index] ?? '') }]
      : [],
  );
  const [first = '', freshFirst = ''] = [old[0], fresh[0]];
  if (pairs.length > 0 || !isAlike(first, freshFirst)) return pairs;
  return [{ quoted: depthOf(first), fresh: depthOf(freshFirst) }];
}

/** Whether the new text indents with tabs where the old text and the whole file do with spaces, or the reverse. */
function swapsBlanks(file: FileLines, old: readonly string[], fresh: readonly string[]): boolean {
  const isAll = (lines: readonly string[], blanks: RegExp): boolean => {
    // A single space, as before the star of a comment, is not a level.
    const depths = lines.map(depthOf).filter((depth) => depth !== '' && depth !== ' ');
    return depths.length > 0 && depths.every((depth) => blanks.test(depth));
  };
  const toTabs = isAll(old, SPACES) && isAll(fresh, ONLY_TABS) && !/^ *\t/m.test(file.text);
  return toTabs || (isAll(old, ONLY_TABS) && isAll(fresh, SPACES) && !/^ {2,}[^\s*]/m.test(file.text));
}

/** One space behind them, as before the star of a comment, is not a level. */
const ONLY_TABS = /^\t+ ?$/;

/** Whether no line that is kept or changed is deeper any more than the line whose block it is in. */
function hasLostLevels(old: readonly string[], fresh: readonly string[], origins: readonly LineOrigin[]): boolean {
  const freshDepths = new Map(
    origins.flatMap((origin, index) =>
      origin.kind === 'new' ? [] : [[origin.oldIndex, depthOf(fresh[index] ?? '').length] as const],
    ),
  );
  /** The lines that the current line may be in the block of. */
  const outer: { readonly index: number; readonly depth: number }[] = [];
  let [inside, lost] = [0, 0];
  for (const [index, line] of old.entries()) {
    if (isBlank(line)) continue;
    const depth = depthOf(line).length;
    while ((outer.at(-1)?.depth ?? -1) >= depth) outer.pop();
    const [own, around] = [freshDepths.get(index), freshDepths.get(outer.at(-1)?.index ?? -1)];
    outer.push({ index, depth });
    if (own === undefined || around === undefined) continue;
    inside += 1;
    if (own <= around) lost += 1;
  }
  return inside > 0 && lost === inside;
}

function isAlike(a: string, b: string): boolean {
  return alignLines([a.trim()], [b.trim()])[0]?.kind !== 'new';
}

/** Whether all lines with an indentation have tabs for spaces, spaces for tabs, or levels of another width. */
function hasOtherLevels(pairs: readonly Depths[]): boolean {
  // The space before the star of a comment is not a level.
  const indented = pairs.filter(
    ({ quoted, fresh }) => quoted !== '' && fresh !== '' && quoted !== ' ' && fresh !== ' ',
  );
  for (const [before, after] of [
    [SPACES, TABS],
    [TABS, SPACES],
  ] as const) {
    const isSwapped = indented.some(({ quoted, fresh }) => before.test(quoted) && after.test(fresh));
    // A line that the file itself mixes is kept so.
    const others = indented.filter(({ quoted, fresh }) => quoted !== fresh || before.test(quoted));
    if (isSwapped && others.every(({ fresh }) => after.test(fresh))) return true;
  }
  if (pairs.some(({ quoted, fresh }) => (quoted === '') !== (fresh === ''))) return false;
  const ratios = new Set(indented.map(({ quoted, fresh }) => fresh.length / quoted.length));
  const depths = new Set(indented.map(({ quoted }) => quoted));
  return ratios.size === 1 && !ratios.has(1) && depths.size > 1;
}

/** Blanks behind tabs align a line. */
const TABS = /^\t+ *$/;
const SPACES = /^[ \u00A0]+$/;

function depthOf(line: string): string {
  return partsOf(line).indentation;
}

function outerDepth(lines: readonly string[]): string {
  const all = lines.filter((line) => !isBlank(line)).map(depthOf);
  return all.reduce((a, b) => (b.length < a.length ? b : a), all[0] ?? '');
}
