import assert from 'node:assert/strict';
import { applyEdits, type EditResult } from '../../../src/workspace/edits/applyEdits';
import type { TextEdit } from '../../../src/workspace/edits/matchEdit';
import { boundedDistance, StepBudget } from '../../../src/workspace/edits/matchers/boundedDistance';
import { seededRandom } from '../seededRandom';
import { unifiedDiff } from '../../../src/workspace/edits/diff/unifiedDiff';
import {
  expectedText,
  isMisquote,
  meanEdit,
  type MeantEdit,
  type Misquote,
  type SloppyEdit,
  type Source,
} from './sloppyEdits';

export interface MisquoteTally {
  /** Unambiguous cases applied as meant. `refused` and `wrong` count unambiguous cases too. */
  readonly landed: number;
  readonly refused: number;
  readonly wrong: number;
  /** Cases where other lines of the file match the quote as well as the meant lines. Not in the counts above. */
  readonly ambiguous: number;
  /** Ambiguous cases that were applied to other lines. */
  readonly elsewhere: number;
  readonly examples: readonly MisquoteExample[];
}

/** A case that was not applied as meant. */
export interface MisquoteExample {
  readonly outcome: 'refused' | 'wrong' | 'elsewhere';
  readonly source: string;
  /** Counts from 1. */
  readonly line: number;
  readonly edit: TextEdit;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** The cause of the refusal, or how the place was found and the difference from the meant result. */
  readonly result: string;
}

export interface MisquoteRun {
  readonly sources: readonly Source[];
  readonly seed: number;
  /** Number of unambiguous cases. May be fewer, after 1,000 tries for each. */
  readonly cases: number;
}

/** Misquotes edits of random lines in one way, and counts the outcomes. */
export function measureMisquotes(misquote: Misquote, { sources, seed, cases }: MisquoteRun): MisquoteTally {
  const counts = { landed: 0, refused: 0, wrong: 0, ambiguous: 0, elsewhere: 0 };
  const examples: MisquoteExample[] = [];
  const random = seededRandom(seed);
  for (let tries = 0; tries < cases * 1000 && counts.landed + counts.refused + counts.wrong < cases; tries++) {
    const source = sources[Math.floor(random() * sources.length)];
    assert.ok(source);
    const text = source.text.replaceAll('\r\n', '\n');
    const meant = meanEdit(text, random, misquote.minLines);
    const edit = meant && misquote.write(meant, random);
    if (!meant || !edit || edit.oldText === '' || edit.oldText === edit.newText) continue;
    if (!isMisquote(misquote, meant.oldLines, edit.oldText)) continue;
    const result = applyEdits(text, [edit]);
    const expected = expectedText(text, meant);
    const isRight = result.ok && result.text === expected;
    const note = (outcome: MisquoteExample['outcome']): void => {
      counts[outcome] += 1;
      const { oldLines, newLines, firstLine } = meant;
      examples.push({
        outcome,
        source: source.name,
        line: firstLine + 1,
        edit,
        oldLines,
        newLines,
        result: describeResult(result, expected),
      });
    };
    if (isClear(misquote, text, meant, edit)) {
      if (isRight) counts.landed += 1;
      else note(result.ok ? 'wrong' : 'refused');
    } else {
      counts.ambiguous += 1;
      if (result.ok && !isRight) note('elsewhere');
    }
  }
  return { ...counts, examples };
}

/** Whether the meant lines match the quote better than all other lines of the file. */
function isClear({ isAltering = false }: Misquote, text: string, meant: MeantEdit, edit: SloppyEdit): boolean {
  if (isAltering && text.includes(edit.saidText ?? edit.oldText)) return false;
  return isUnambiguous(meant, edit.quotedLines ?? meant.oldLines);
}

function isUnambiguous({ fileLines, firstLine, oldLines }: MeantEdit, quoted: readonly string[]): boolean {
  const budget = new StepBudget(Infinity);
  const distanceAt = (start: number, limit: number): number => {
    let distance = 0;
    for (const [index, line] of quoted.entries()) {
      const actual = (fileLines[start + index] ?? '').trim();
      if (line.trim() !== actual) distance += boundedDistance(line.trim(), actual, limit, budget);
      if (distance >= limit) return limit;
    }
    return distance;
  };
  const own = distanceAt(firstLine, 1000);
  for (let start = 0; start + oldLines.length <= fileLines.length; start++) {
    if (start !== firstLine && distanceAt(start, own + 1) <= own) return false;
  }
  return true;
}

function describeResult(result: EditResult, expected: string): string {
  if (!result.ok) return JSON.stringify(result.failure);
  return `${result.match}; from what was meant to what was made:\n${unifiedDiff(expected, result.text).text}`;
}

/** The sums of several tallies, with all their examples. */
export function addTallies(tallies: readonly MisquoteTally[]): MisquoteTally {
  const sum = (of: (tally: MisquoteTally) => number): number => tallies.reduce((total, tally) => total + of(tally), 0);
  return {
    landed: sum(({ landed }) => landed),
    refused: sum(({ refused }) => refused),
    wrong: sum(({ wrong }) => wrong),
    ambiguous: sum(({ ambiguous }) => ambiguous),
    elsewhere: sum(({ elsewhere }) => elsewhere),
    examples: tallies.flatMap(({ examples }) => examples),
  };
}

const COLUMNS = ['cases', 'landed', '', 'refused', 'wrong', 'ambiguous', 'elsewhere'];

/** A table of tallies by name. Several tallies get a line with their sum. */
export function formatTallies(tallies: ReadonlyMap<string, MisquoteTally>): string {
  const all = tallies.size > 1 ? [['all', addTallies([...tallies.values()])] as const] : [];
  const rows = [...tallies, ...all].map(([name, { landed, refused, wrong, ambiguous, elsewhere }]) => {
    const cases = landed + refused + wrong;
    const share = cases === 0 ? '-' : `${((100 * landed) / cases).toFixed(1)} %`;
    return [name, cases, landed, share, refused, wrong, ambiguous, elsewhere] as const;
  });
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return [['way', ...COLUMNS], ...rows]
    .map(([name, ...cells]) => String(name).padEnd(width) + cells.map((cell) => String(cell).padStart(11)).join(''))
    .join('\n');
}
