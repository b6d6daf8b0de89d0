import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createNodeTextSearch } from '../src/workspace/node/search/nodeTextSearch';
import { createRipgrepTextSearch } from '../src/workspace/node/search/ripgrep/ripgrepTextSearch';
import type { TextSearch } from '../src/workspace/ports';
import { installedRipgrep } from '../test/support/leaks/installedRipgrep';

const FOLDERS = 200;
const FILES_PER_FOLDER = 50;
const ROUNDS = 15;
const MAX_RATIO = 1.5;

/** The milliseconds of whole searches, beside ripgrep on the same files. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const ripgrepPath = installedRipgrep();
  if (ripgrepPath === undefined) {
    print('There is no ripgrep here. `npm start` installs a VS Code server, which has one.');
    return false;
  }
  const folder = await fs.mkdtemp(path.join(tmpdir(), 'open-agent-bench-'));
  try {
    await writeFiles(folder);
    const own = createNodeTextSearch();
    const withRipgrep = createRipgrepTextSearch({ findRipgrep: () => Promise.resolve(ripgrepPath), fallback: own });
    print(
      `${FOLDERS * FILES_PER_FOLDER} files; the best of ${ROUNDS} alternating rounds, in ms, and as a ratio to ripgrep:`,
    );
    let holds = true;
    for (const [name, { pattern, isRegex }] of Object.entries(PATTERNS)) {
      const best = { ripgrep: Infinity, agent: Infinity, node: Infinity };
      for (let round = 0; round < ROUNDS; round++) {
        best.ripgrep = Math.min(best.ripgrep, await timeOf(() => runProgram(ripgrepPath, folder, pattern, isRegex)));
        best.agent = Math.min(best.agent, await timeOf(() => search(withRipgrep, folder, pattern, isRegex)));
        if (round < 3) best.node = Math.min(best.node, await timeOf(() => search(own, folder, pattern, isRegex)));
      }
      const ratio = best.agent / best.ripgrep;
      print(
        `  ${name.padEnd(26)} ripgrep ${best.ripgrep.toFixed(0)}, with ripgrep ${best.agent.toFixed(0)} (${ratio.toFixed(2)}), without ${best.node.toFixed(0)} (${(best.node / best.ripgrep).toFixed(1)})`,
      );
      holds &&= ratio <= MAX_RATIO;
    }
    print(`Limit with ripgrep: ${MAX_RATIO}`);
    return holds;
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

const PATTERNS: Readonly<Record<string, { readonly pattern: string; readonly isRegex: boolean }>> = {
  'text, a few matches': { pattern: 'needle', isRegex: false },
  'text, no match': { pattern: 'nowhere to be found', isRegex: false },
  'expression, a few matches': { pattern: String.raw`\bneedle\w*\([^)]*\)`, isRegex: true },
  'expression, no match': { pattern: String.raw`\bnowhere\w*\([^)]*\)`, isRegex: true },
  'expression, every file': { pattern: String.raw`function \w+`, isRegex: true },
};

async function writeFiles(folder: string): Promise<void> {
  for (let index = 0; index < FOLDERS; index++) {
    const below = path.join(folder, `package${index % 10}`, `module${index}`);
    await fs.mkdir(below, { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      const body = Array.from(
        { length: 80 },
        (_, line) => `export function compute${line}(value: number): number { return value * ${index + file + line}; }`,
      );
      if (index % 40 === 0 && file === 0) body.push('needleOfThisFile(1, 2);');
      await fs.writeFile(path.join(below, `file${file}.ts`), `${body.join('\n')}\n`);
    }
  }
}

async function search(engine: TextSearch, folder: string, pattern: string, isRegex: boolean): Promise<void> {
  const query = { pattern, isRegex, isCaseSensitive: false, path: folder, maxMatches: 100 };
  await engine.search(query, { signal: new AbortController().signal });
}

/** As a person would run it, in all its threads. Its output is read and dropped. */
async function runProgram(program: string, folder: string, pattern: string, isRegex: boolean): Promise<void> {
  const args = ['--no-config', '--line-number', '--ignore-case', '--hidden', isRegex ? '-e' : '-Fe', pattern, '.'];
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  await once(child, 'close');
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
