import assert from 'node:assert/strict';
import { applyEdits } from '../../src/workspace/edits/applyEdit';
import { boundedDistance, StepBudget } from '../../src/workspace/edits/rungs/boundedDistance';
import {
  expectedText,
  meanEdit,
  misquotes,
  readSources,
  seededRandom,
  type MeantEdit,
  type Misquote,
} from '../support/sloppyEdits';

const CASES_PER_WAY = 200;

interface Tally {
  landed: number;
  refused: number;
  wrong: number;
  ambiguous: number;
  readonly examples: string[];
}

const ALTERED: ReadonlySet<string> = new Set(['a blank line dropped', 'one letter wrong in a block']);

/** Whether no other lines of the file are as like the quoted ones as those that are meant. */
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

function measure(misquote: Misquote, seed: number): Tally {
  const tally: Tally = { landed: 0, refused: 0, wrong: 0, ambiguous: 0, examples: [] };
  const random = seededRandom(seed);
  const sources = readSources();
  for (let tries = 0; tries < 200_000 && tally.landed + tally.refused + tally.wrong < CASES_PER_WAY; tries++) {
    const source = sources[Math.floor(random() * sources.length)];
    assert.ok(source);
    const text = source.text.replaceAll('\r\n', '\n');
    const meant = meanEdit(text, random, misquote.minLines);
    const edit = meant && misquote.write(meant, random);
    if (
      !meant ||
      !edit ||
      edit.oldText === '' ||
      edit.oldText === edit.newText ||
      isQuotedWell(meant, edit.oldText, misquote.name)
    )
      continue;
    const quoted =
      misquote.name === 'one letter wrong in a block' ? edit.oldText.split('\n').slice(0, -1) : meant.oldLines;
    // With a line left out or a letter changed, a quote can be a true quote of other lines.
    const isTrueQuote = ALTERED.has(misquote.name) && text.includes(edit.oldText);
    const isClear = !isTrueQuote && isUnambiguous(meant, quoted);
    const result = applyEdits(text, [edit]);
    const expected = expectedText(text, meant);
    const outcome = !result.ok ? 'refused' : result.text === expected ? 'landed' : 'wrong';
    if (isClear) {
      tally[outcome] += 1;
      if (outcome !== 'landed') tally.examples.push(example(outcome, source.name, meant, edit, result));
    } else {
      tally.ambiguous += 1;
      if (outcome === 'wrong') tally.examples.push(example('elsewhere', source.name, meant, edit, result));
    }
  }
  return tally;
}

function isQuotedWell(meant: MeantEdit, oldText: string, name: string): boolean {
  const lines = meant.oldLines.join('\n');
  return name !== 'missing final newline' && (oldText === lines || oldText === `${lines}\n`);
}

function example(outcome: string, name: string, meant: MeantEdit, edit: unknown, result: unknown): string {
  const shown = result as { failure?: unknown; match?: unknown };
  return `${outcome} in ${name}:${meant.firstLine + 1} ${JSON.stringify(edit, null, 1)}\nmeant ${JSON.stringify(meant.newLines, null, 1)}\n${JSON.stringify(shown.failure ?? shown.match)}`;
}

describe('misquoted edits of real files', function () {
  this.timeout(300_000);

  it('land as meant or are refused, in every way models misquote', () => {
    const rows: string[] = [];
    const failures: string[] = [];
    let all = 0;
    for (const [index, misquote] of misquotes.entries()) {
      const { landed, refused, wrong, ambiguous, examples } = measure(misquote, 1000 + index);
      const total = landed + refused + wrong;
      all += total;
      const share = ((100 * landed) / total).toFixed(1);
      rows.push(
        `${misquote.name.padEnd(30)}${String(total).padStart(6)}${String(landed).padStart(8)}${`${share} %`.padStart(9)}${String(refused).padStart(9)}${String(wrong).padStart(7)}${String(ambiguous).padStart(11)}`,
      );
      if (wrong > 0 || landed / total < 0.9) failures.push(misquote.name, ...examples);
    }
    process.stdout.write(
      `${'way'.padEnd(30)}${'cases'.padStart(6)}${'landed'.padStart(8)}${''.padStart(9)}${'refused'.padStart(9)}${'wrong'.padStart(7)}${'ambiguous'.padStart(11)}\n${rows.join('\n')}\n`,
    );
    assert.deepEqual(failures, []);
    assert.ok(all >= 2000);
  });
});
