import assert from 'node:assert/strict';
import { applyEdits } from '../src/workspace/edits/applyEdits';
import type { TextEdit } from '../src/workspace/edits/matchEdit';

const LINES = 10_000;
const EDITS = 1_000;
const ROUNDS = 5;
/** Time of a batch of exact edits, relative to parsing the same bytes as JSON. */
const MAX_EXACT_RATIO = 120;
/** The same for a batch whose quotes are all misquoted in one way. */
const MAX_SLOPPY_RATIO = 800;
/** Milliseconds for one edit that searches the whole file for the nearest place. */
const MAX_NEAR_MS = 500;

const lines = Array.from({ length: LINES }, (_, index) =>
  index % 5 === 4
    ? ''
    : `${' '.repeat((index % 5) * 2)}const value${index} = compute("${index * 7919}", other${index % 97}); // ${index}`,
);
const text = `${lines.join('\n')}\n`;

/** Edits of three lines each, spread over the file. The middle line changes. */
function makeEdits(misquote: (line: string) => string): readonly TextEdit[] {
  return Array.from({ length: EDITS }, (_, index) => {
    const start = index * (LINES / EDITS) + 1;
    const block = lines.slice(start, start + 3);
    const changed = block.with(1, `${block[1]} changed`);
    const quote = (quoted: readonly string[]): string => `${quoted.map(misquote).join('\n')}\n`;
    return { oldText: quote(block), newText: quote(changed) };
  });
}

const WAYS: Readonly<Record<string, { readonly misquote: (line: string) => string; readonly maxRatio: number }>> = {
  exact: { misquote: (line) => line, maxRatio: MAX_EXACT_RATIO },
  'trailing spaces': { misquote: (line) => `${line}  `, maxRatio: MAX_SLOPPY_RATIO },
  'curly quotes': { misquote: (line) => line.replace(/"(\d+)"/, '“$1”'), maxRatio: MAX_SLOPPY_RATIO },
  dedented: { misquote: (line) => line.replace(/^ {2}/, ''), maxRatio: MAX_SLOPPY_RATIO },
};

/** 1,000 edits of one batch in a file of 10,000 lines; and the worst single search. */
export function run(print: (line: string) => void): Promise<boolean> {
  const expected = text.split('\n');
  for (let index = 0; index < EDITS; index++) expected[index * (LINES / EDITS) + 2] += ' changed';
  let holds = true;
  print(`${EDITS} edits in ${LINES} lines (${text.length} bytes); ratio to JSON.parse of file and edits:`);
  for (const [name, { misquote, maxRatio }] of Object.entries(WAYS)) {
    const edits = makeEdits(misquote);
    const json = JSON.stringify({ text, edits });
    const parseMs = best(() => void JSON.parse(json));
    const ms = best(() => {
      const result = applyEdits(text, edits);
      assert.ok(result.ok && result.text === expected.join('\n'), name);
    });
    print(
      `  ${name}: ${ms.toFixed(1)} ms, JSON.parse ${parseMs.toFixed(1)} ms, ratio ${(ms / parseMs).toFixed(1)} (limit ${maxRatio})`,
    );
    if (ms / parseMs > maxRatio) holds = false;
  }
  const block = lines.slice(5001, 5041);
  const near = { oldText: block.with(20, (block[20] ?? '').replace('compute', 'comptue')).join('\n'), newText: 'gone' };
  const nearMs = best(() => assert.equal(applyEdits(text, [near]).ok, true));
  print(`One near match of 40 lines: ${nearMs.toFixed(1)} ms (limit ${MAX_NEAR_MS})`);
  const absent = { oldText: block.map((line) => line.split('').toReversed().join('')).join('\n'), newText: 'x' };
  const absentMs = best(() => assert.equal(applyEdits(text, [absent]).ok, false));
  print(`One quote that is nowhere: ${absentMs.toFixed(1)} ms (limit ${MAX_NEAR_MS})`);
  return Promise.resolve(holds && nearMs <= MAX_NEAR_MS && absentMs <= MAX_NEAR_MS);
}

/** Milliseconds of the fastest round. */
function best(work: () => void): number {
  let fastest = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}
