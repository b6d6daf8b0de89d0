import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { commandEnvironment } from '../../../src/workspace/node/commands/commandEnvironment';
import { createNodeFileSystem } from '../../../src/workspace/node/files/nodeFileSystem';
import { createNodeTextSearch } from '../../../src/workspace/node/search/nodeTextSearch';
import { createRipgrepTextSearch } from '../../../src/workspace/node/search/ripgrep/ripgrepTextSearch';
import { isReadingProtected } from '../../../src/workspace/paths/protectedPaths';
import { assessCommand } from '../../../src/workspace/shell/assessCommand';
import type { CommandWorld } from '../../../src/workspace/shell/commandAssessment';
import { createSearchTextTool } from '../../../src/workspace/tools/reading/searchText';
import { isReadingFirst } from '../../../src/sdk/tool';
import type { TextSearch } from '../../../src/workspace/ports';
import { commandPlan, commandWorld } from '../../support/commands/commandWorld';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';
import { protectedTree, writeTree, type WrittenTree } from '../../support/files/protectedTrees';
import { fuzzRuns } from '../../support/leaks/fuzzRuns';
import { installedRipgrep } from '../../support/leaks/installedRipgrep';

/** Cases of each property in CI. */
const RUNS = 5;

const ripgrep = installedRipgrep();

/** Commands that read folders, for each folder and file of a tree. Those that ask are not run. */
const COMMANDS_OF_FOLDERS = [
  'rg MARK FOLDER',
  'rg -n MARK FOLDER',
  'rg -c MARK FOLDER',
  "rg -g '*.txt' MARK FOLDER",
  "rg -g '*.{env,json,key}' -g '!a*' MARK FOLDER",
  'grep -r MARK FOLDER',
  'grep -rn MARK FOLDER',
  'grep -R MARK FOLDER',
  'grep -rh --include=*.txt MARK FOLDER',
  "grep -rn --exclude-dir=.git --exclude-dir node_modules MARK 'FOLDER'",
  'grep MARK FOLDER',
  'git grep MARK',
  'git grep -n MARK -- FOLDER',
  'git diff FOLDER',
  'diff -r FOLDER src',
  'diff FOLDER src',
  'ls -R FOLDER',
  'ls -la FOLDER',
  'find FOLDER -type f',
  'tree -a FOLDER',
  'du -a FOLDER',
  'wc FOLDER',
  'cat FOLDER',
  'sort FOLDER',
];
const COMMANDS_OF_FILES = ['cat FILE', 'rg MARK FILE', 'grep MARK FILE', 'head -n 5 FILE', 'tail FILE', 'wc FILE'];
const COMMANDS = [
  'rg MARK',
  'rg -i mark',
  "rg -g '*.txt' MARK",
  "rg -g '**/*.env' MARK",
  "rg -g '*.pem' MARK",
  "rg -g '!*.txt' MARK",
  'grep -r MARK',
  'grep -rn MARK .',
  'git status',
  'git ls-files',
  'find .',
  'ls -a',
];

describe('programs and tools that read folders', () => {
  it('show nothing of protected files unasked', async function () {
    this.timeout(600_000);
    const counts = { allowed: 0, asking: 0, showing: 0 };
    await fc.assert(
      fc.asyncProperty(protectedTree, fc.boolean(), async (entries, isRepository) => {
        await using folder = await createTemporaryFolder();
        const tree = await writeTree(folder.path, entries, { isRepository });
        for (const command of commandsFor(tree)) {
          const world: CommandWorld = { ...commandWorld(tree.top, environment()), isProtected: isReadingProtected };
          const assessment = await assessCommand(commandPlan(command, tree.top), [], world);
          if (assessment.action !== 'allow') {
            counts.asking += 1;
            continue;
          }
          counts.allowed += 1;
          const output = await run(command, tree, assessment.environment);
          if (output.includes('MARK')) counts.showing += 1;
          assert.deepEqual(leaksIn(output, tree), [], `${command} in ${JSON.stringify(entries)}`);
        }
      }),
      fuzzRuns(RUNS),
    );
    assert.ok(counts.allowed > 0 && counts.asking > 0 && counts.showing > 0, JSON.stringify(counts));
    console.log(`      ${JSON.stringify(counts)}`);
  });

  for (const [name, textSearch] of Object.entries(searches())) {
    it(`show nothing of protected files by search_text, ${name}`, async function () {
      this.timeout(600_000);
      await fc.assert(
        fc.asyncProperty(protectedTree, fc.boolean(), async (entries, isRepository) => {
          await using folder = await createTemporaryFolder();
          const tree = await writeTree(folder.path, entries, { isRepository });
          for (const input of [{}, ...tree.folders.slice(0, 4).map((each) => ({ path: each }))]) {
            const output = await search(textSearch, tree.top, { pattern: 'MARK', ...input });
            assert.deepEqual(leaksIn(output, tree), [], `${JSON.stringify(input)} in ${JSON.stringify(entries)}`);
          }
        }),
        fuzzRuns(RUNS),
      );
    });
  }
});

function commandsFor({ folders, ordinaryFiles }: WrittenTree): readonly string[] {
  const some = folders
    .slice(0, 1)
    .flatMap((folder) => COMMANDS_OF_FOLDERS.map((each) => each.replace('FOLDER', quote(folder))));
  const files = ordinaryFiles
    .slice(-1)
    .flatMap((file) => COMMANDS_OF_FILES.map((each) => each.replace('FILE', quote(file))));
  return [...COMMANDS, ...some, ...files];
}

function quote(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `"${file}"`;
}

function environment(): NodeJS.ProcessEnv {
  const folders = ripgrep === undefined ? [] : [path.dirname(ripgrep)];
  return { ...process.env, PATH: [...folders, process.env['PATH']].join(path.delimiter) };
}

/** Gives a command that reads a named pipe an empty one, so it goes on with the files behind it. */
async function run(
  command: string,
  { top, pipes }: WrittenTree,
  added: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn('bash', ['--noprofile', '--norc', '-c', command], {
    cwd: top,
    env: { ...commandEnvironment(environment()), ...added },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const feeding = setInterval(() => pipes.forEach(endReaders), 20);
  try {
    await once(child, 'close');
  } finally {
    clearInterval(feeding);
  }
  return output;
}

/** Ends the waiting of programs that read a named pipe. */
function endReaders(pipe: string): void {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (error) {
    // No program reads it.
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
  }
}

function leaksIn(output: string, { secretMarks }: WrittenTree): readonly string[] {
  return secretMarks.filter((mark) => output.includes(mark));
}

function searches(): Readonly<Record<string, TextSearch>> {
  const onNode = createNodeTextSearch();
  return {
    'by walking': onNode,
    ...(ripgrep !== undefined && {
      'with ripgrep': createRipgrepTextSearch({ findRipgrep: () => Promise.resolve(ripgrep), fallback: onNode }),
    }),
  };
}

async function search(textSearch: TextSearch, top: string, input: { pattern: string; path?: string }): Promise<string> {
  const fileSystem = createNodeFileSystem();
  const access = {
    ports: { fileSystem, textSearch, commandRunner: undefined as never },
    roots: () => [{ name: 'tree', path: top }],
    commandOptions: () => ({ inTerminal: false }),
  };
  const tool = createSearchTextTool(access);
  const context = { signal: new AbortController().signal, toolUseId: '', progress: () => {} };
  const prepared = await tool.prepare(input, context);
  if (!prepared.ok || isReadingFirst(prepared)) return '';
  const { target } = prepared.plan as { readonly target: Parameters<typeof isReadingProtected>[0] };
  if (isReadingProtected(target)) return '';
  return JSON.stringify(await tool.run(prepared.plan, context));
}
