import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildSync } from 'esbuild';
import { projectRoot } from '../scripts/projectRoot';
import { applyEdits } from '../src/workspace/edits/applyEdits';
import { createWorkerPlanner } from '../src/workspace/node/edits/workerPlanner';
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
/** Milliseconds in which nothing else runs while edits of a file of 5 MB are planned. */
const MAX_BLOCK_MS = 50;

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

/** 1,000 edits of one batch in a file of 10,000 lines; the worst single search; and how long a file of 5 MB blocks. */
export async function run(print: (line: string) => void): Promise<boolean> {
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
  const blockMs = await longestBlock();
  print(`Planning in a file of 5 MB: blocks for ${blockMs.toFixed(1)} ms at most (limit ${MAX_BLOCK_MS})`);
  return holds && nearMs <= MAX_NEAR_MS && absentMs <= MAX_NEAR_MS && blockMs <= MAX_BLOCK_MS;
}

/** How long nothing else runs while edits of a file of 5 MB are planned, found or not. The best of several rounds. */
async function longestBlock(): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'open-agent-bench-'));
  const worker = path.join(folder, 'editWorker.js');
  const entry = path.join(projectRoot, 'src/workspace/node/edits/editWorker.ts');
  buildSync({ entryPoints: [entry], outfile: worker, bundle: true, platform: 'node' });
  const plan = createWorkerPlanner(worker);
  const long = text.repeat(Math.ceil(5_000_000 / text.length));
  const block = lines.slice(5001, 5041);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    delay.reset();
    delay.enable();
    for (const oldText of [
      `${block.join('\n')}\nnothing like it`,
      block.map((line) => line.split('').toReversed().join('')).join('\n'),
    ]) {
      assert.equal((await plan(long, [{ oldText, newText: 'x' }])).ok, false);
    }
    delay.disable();
    best = Math.min(best, delay.max / 1e6);
  }
  await rm(folder, { recursive: true });
  return best;
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
