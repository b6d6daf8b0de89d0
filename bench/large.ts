import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createNodePorts } from '../src/workspace/node/createNodePorts';
import { FileNames } from '../src/workspace/node/files/fileNames';
import { createNodeTextSearch } from '../src/workspace/node/search/nodeTextSearch';
import { createRipgrepTextSearch } from '../src/workspace/node/search/ripgrep/ripgrepTextSearch';
import { findPlaces } from '../src/workspace/paths/findPlaces';
import type { Diagnostics, FileSystem, Root, TextSearch } from '../src/workspace/ports';
import { createTools } from '../src/workspace/tools/createTools';
import { delay } from '../src/util/async/delay';
import { systemTimer } from '../src/util/timer';
import { callTool } from '../test/support/callTool';
import { installedRipgrep } from '../test/support/leaks/installedRipgrep';

const FOLDERS = 20;
const FILES_PER_FOLDER = 5_000;
const FILES_PER_SUBFOLDER = 50;
const BIG_BYTES = 50_000_000;
const ROUNDS = 3;
const MAX_MS = 300;
/** How long each call of a slow file system takes, such as one over a network. */
const SLOW_MS = 20;

/** Answers, or the first part of the answer, and how long stopping takes. */
interface Work {
  readonly run: (signal: AbortSignal) => Promise<unknown>;
  /** A person sees that it runs and can stop it, so only stopping has the limit. */
  readonly canBeStopped?: true;
  /** Waits until nothing of it goes on, which would slow down what follows. */
  readonly settle?: () => Promise<unknown>;
}

/** A workspace of 20 folders with 100,000 files and a source file of 50 MB: when answers come, in milliseconds. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const top = await fs.mkdtemp(path.join(tmpdir(), 'open-agent-bench-'));
  try {
    const roots = await writeWorkspace(top);
    print(
      `${FOLDERS * FILES_PER_FOLDER} files in ${FOLDERS} folders, and a file of 50 MB; the least of ${ROUNDS} runs; limit ${MAX_MS} ms, for stopping where an answer takes longer`,
    );
    let holds = true;
    for (const [name, work] of Object.entries(works(roots))) {
      let ms = Infinity;
      for (let round = 0; round < ROUNDS; round++) {
        ms = Math.min(ms, await timeOf(work.run));
        await work.settle?.();
      }
      const stopMs = ms > MAX_MS && work.canBeStopped ? await timeToStop(work.run, ms) : undefined;
      print(`  ${name}: ${ms.toFixed(0)}${stopMs === undefined ? '' : `, stopped in ${stopMs.toFixed(0)}`}`);
      holds &&= (stopMs ?? ms) <= MAX_MS;
    }
    return holds;
  } finally {
    await fs.rm(top, { recursive: true, force: true });
  }
}

async function timeOf(work: Work['run']): Promise<number> {
  const start = performance.now();
  await work(new AbortController().signal);
  return performance.now() - start;
}

async function timeToStop(work: Work['run'], wholeMs: number): Promise<number> {
  const controller = new AbortController();
  const running = work(controller.signal).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, wholeMs / 3));
  const start = performance.now();
  controller.abort();
  await running;
  return performance.now() - start;
}

function works(roots: readonly Root[]): Readonly<Record<string, Work>> {
  const ripgrepPath = installedRipgrep();
  const ownSearch = createNodeTextSearch();
  const withRipgrep = createRipgrepTextSearch({ findRipgrep: () => Promise.resolve(ripgrepPath), fallback: ownSearch });
  const tool = (name: string, input: Record<string, unknown>, textSearch: TextSearch = ownSearch): Work => ({
    run: (signal) => call(roots, { textSearch }, name, input, signal),
    canBeStopped: true,
  });
  const slowly = (name: string, input: Record<string, unknown>): Work => ({
    run: (signal) => call(roots, { textSearch: ownSearch, fileSystem: slowed(fileSystem) }, name, input, signal),
    canBeStopped: true,
  });
  const newNames = (): FileNames => new FileNames({ roots: () => roots, now: () => 0, setTimer: systemTimer });
  let fresh = newNames();
  const listed = newNames();
  const big = `${FOLDERS - 1}/big.ts`;
  const last = `component${FOLDERS * FILES_PER_FOLDER - 1}.ts`;
  const { fileSystem } = createNodePorts();
  return {
    'the first letters of a name after @': {
      run: () => {
        fresh = newNames();
        return fresh.search('component9', 30).next();
      },
      settle: async () => fresh.all(),
    },
    'further letters': { run: () => listed.find('component99', 30) },
    'names in an answer that are links': {
      run: () => findPlaces([`src/${last}`, last], { roots, fileSystem, listNames: () => listed.all() }),
    },
    'list_directory of all folders': tool('list_directory', { path: '.' }),
    'list_directory of one folder': tool('list_directory', { path: 'package7' }),
    'read_file with a wrong name': tool('read_file', { path: 'package7/src/componnt17.ts' }),
    'read_file at the start of 50 MB': tool('read_file', { path: `package${big}` }),
    'read_file at the end of 50 MB': tool('read_file', { path: `package${big}`, start_line: 1_200_000 }),
    'apply_edit of 50 MB': tool('apply_edit', { path: `package${big}`, edits: [{ old_text: 'a', new_text: 'b' }] }),
    'search_text without ripgrep, nothing found': tool('search_text', { pattern: 'nowhere' }),
    ...(ripgrepPath !== undefined && {
      'search_text, nothing found': tool('search_text', { pattern: 'nowhere' }, withRipgrep),
      'search_text, a match in each file': tool('search_text', { pattern: 'component' }, withRipgrep),
      'search_text in the file of 50 MB': tool(
        'search_text',
        { pattern: 'nowhere', path: `package${big}` },
        withRipgrep,
      ),
    }),
    'get_diagnostics of all folders, 5,000 files with problems': tool('get_diagnostics', { path: '.' }),
    [`${SLOW_MS} ms for each call: list_directory of all folders`]: slowly('list_directory', { path: '.' }),
    [`${SLOW_MS} ms for each call: list_directory of one folder`]: slowly('list_directory', { path: 'package7' }),
    [`${SLOW_MS} ms for each call: read_file`]: slowly('read_file', {
      path: `package7/${folderOf(7 * FILES_PER_FOLDER)}/component${7 * FILES_PER_FOLDER}.ts`,
    }),
    [`${SLOW_MS} ms for each call: read_file with a wrong name`]: slowly('read_file', {
      path: 'package7/src/componnt17.ts',
    }),
  };
}

function call(
  roots: readonly Root[],
  slow: { readonly textSearch: TextSearch; readonly fileSystem?: FileSystem },
  name: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  const ports = { ...createNodePorts(), ...slow, diagnostics: problemsOf(roots) };
  return callTool(createTools({ ports, roots: () => roots }), name, input as never, { signal });
}

/** The file system with a pause before each of its calls. */
function slowed(fileSystem: FileSystem): FileSystem {
  return new Proxy(fileSystem, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        await delay(SLOW_MS);
        return Reflect.apply(method, target, args) as unknown;
      };
    },
  });
}

function problemsOf(roots: readonly Root[]): Diagnostics {
  const problem = { line: 1, severity: 'error', message: 'Cannot find name', source: 'ts' } as const;
  const known = new Map(
    roots.flatMap((root, index) =>
      Array.from({ length: 250 }, (_, at) => {
        const number = index * FILES_PER_FOLDER + at;
        return [path.join(root.path, folderOf(number), `component${number}.ts`), [problem]] as const;
      }),
    ),
  );
  return {
    known: () => known,
    read: () => Promise.resolve([]),
    load: () => Promise.resolve(),
    watch: () => Promise.resolve({ before: [], after: () => Promise.resolve([]), dispose: () => {} }),
  };
}

function folderOf(number: number): string {
  return path.join('src', `module${Math.floor(number / FILES_PER_SUBFOLDER)}`);
}

async function writeWorkspace(top: string): Promise<readonly Root[]> {
  const roots = Array.from({ length: FOLDERS }, (_, index) => ({
    name: `package${index}`,
    path: path.join(top, `package${index}`),
  }));
  for (const [index, root] of roots.entries()) {
    for (let at = 0; at < FILES_PER_FOLDER; at += FILES_PER_SUBFOLDER) {
      const start = index * FILES_PER_FOLDER + at;
      const below = path.join(root.path, folderOf(start));
      await fs.mkdir(below, { recursive: true });
      const numbers = Array.from({ length: FILES_PER_SUBFOLDER }, (_, offset) => start + offset);
      await Promise.all(
        numbers.map((number) =>
          fs.writeFile(path.join(below, `component${number}.ts`), `export const component = ${number};\n`),
        ),
      );
    }
    await fs.writeFile(path.join(root.path, '.gitignore'), 'dist/\n*.log\n/coverage\n');
  }
  const line = 'export const value = 1; // a line of it\n';
  await fs.writeFile(path.join(top, `package${FOLDERS - 1}`, 'big.ts'), line.repeat(BIG_BYTES / line.length));
  return roots;
}
