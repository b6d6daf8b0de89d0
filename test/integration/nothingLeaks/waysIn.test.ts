import assert from 'node:assert/strict';
import { lstatSync } from 'node:fs';
import { realpath, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { createCheckRunner } from '../../../src/agent/exam/judge/checkRunner';
import { parsePermissionRule } from '../../../src/agent/approval/rules/permissionRules';
import { toolCall } from '../../support/leaks/arbitraries/calls';
import { generatedCase, inWorld, type GeneratedCase } from '../../support/leaks/arbitraries/cases';
import { commandCall } from '../../support/leaks/arbitraries/commands';
import { importedSession } from '../../support/leaks/arbitraries/importedSession';
import { hostileServer, SERVER, startOf } from '../../support/leaks/arbitraries/mcpServer';
import { mountedCase } from '../../support/leaks/arbitraries/mounts';
import { pathText } from '../../support/leaks/arbitraries/paths';
import {
  configurationCall,
  configuredFolders,
  type ConfiguredFolders,
} from '../../support/leaks/arbitraries/configurationFiles';
import { customCall, customFiles, placeCustomFiles } from '../../support/leaks/arbitraries/customFiles';
import { findUnaskedPrograms } from '../../support/leaks/arbitraries/unaskedOptions';
import { LISTED, markedFiles } from '../../support/leaks/files';
import { importAll } from '../../support/leaks/importAll';
import { fuzzRuns } from '../../support/leaks/fuzzRuns';
import type { LeakCall, LeakCase, LeakWindow, Question } from '../../support/leaks/leakCase';
import { isOrdinaryChange } from '../../support/leaks/ordinaryChanges';
import { property } from '../../support/leaks/property';
import { findBreaches, firstDifference, observe } from '../../support/leaks/runCase';
import { edit, read, run, search, write } from '../../support/leaks/seeds/seed';
import { useLeakWorld } from '../../support/leaks/useLeakWorld';
import { canMount } from '../../support/leaks/ways/mounted';

/** What reaches the agent beside the model's calls. */
describe('nothing leaks through generated', () => {
  const place = useLeakWorld(3, { hasHardLinks: true });

  /** Runs the case in two worlds that differ only in what must not be known. */
  async function tryOut(given: LeakCase): Promise<void> {
    const observed = await observe(given, 'one', place);
    const allowed = { isOrdinaryChange: isOrdinaryChange(given) };
    assert.deepEqual(await findBreaches(observed, 'one', place.world, allowed), []);
    const other = await observe(given, 'other', place);
    assert.equal(firstDifference(observed, other, place.world), undefined);
  }

  property('instructions, skills and prompt files', async () => {
    const calls = fc.oneof(customCall(), toolCall());
    const cases = fc.tuple(
      generatedCase(calls, { ways: ['window', 'window', 'headless', 'terminal', 'endpoint'], calls: 4 }),
      customFiles(),
      fc.constantFrom(undefined, '/p', '/p a=@.env', '/review @.env', '/explain'),
    );
    const tryFiles = async ([given, files, prompt]: readonly [GeneratedCase, CustomFiles, string | undefined]) => {
      const placed = inWorld(files, place.world.top);
      await tryOut({
        ...inWorld(given, place.world.top),
        ...(prompt !== undefined && { prompt }),
        arrange: (world) => placeCustomFiles(placed, world),
        // The instructions of folders in which the agent has worked come with the next message.
        afterwards: ({ session, submit }) => submit(session, 'Please go on.'),
      });
    };
    await fc.assert(fc.asyncProperty(cases, tryFiles), fuzzRuns(20));
  });

  property('configuration files of several folders', async () => {
    const calls = fc.oneof(configurationCall(), configurationCall(), toolCall());
    const cases = fc.tuple(generatedCase(calls, { ways: ['window'], calls: 8 }), configuredFolders());
    const tryFiles = async ([generated, configured]: readonly [GeneratedCase, ConfiguredFolders]): Promise<void> => {
      const { folders, files } = inWorld(configured, place.world.top);
      await tryOut({
        ...inWorld(generated, place.world.top),
        folders,
        arrange: (world) => placeCustomFiles(files, world),
        async afterwards(window) {
          await importAll(folders, window);
          await window.submit(window.session, 'Please go on.');
        },
      });
    };
    await fc.assert(fc.asyncProperty(cases, tryFiles), fuzzRuns(12));
  });

  property('exams', async function () {
    const calls = fc.array(fc.oneof(toolCall(), commandCall(findUnaskedPrograms())), { maxLength: 6 });
    const tryExam = async (generated: readonly LeakCall[]): Promise<void> => {
      const { world } = place;
      const thief = { name: 'write_file', arguments: { path: 'code.mjs', content: thiefOf(world.top) } };
      const check = { name: 'run_terminal_command', arguments: { command: 'node check.mjs' } };
      const given: LeakCase = {
        ...{ way: 'exam', mode: 'acceptEdits', calls: [] },
        turns: [{ toolCalls: [thief] }, { toolCalls: [check, ...inWorld(generated, world.top)] }],
      };
      const observed = await observe(given, 'one', place);
      assert.deepEqual(await findBreaches(observed, 'one', world), []);
      // The program of the model really ran.
      if ((await createCheckRunner()).confinement !== 'none')
        assert.match(observed.sent.join('\n'), /tried everything/);
    };
    await fc.assert(fc.asyncProperty(calls, tryExam), fuzzRuns(4));
  });

  property('imported sessions', async () => {
    const tryImport = async (entries: readonly object[]): Promise<void> => {
      const text = inWorld(entries, place.world.top).map((entry) => `${JSON.stringify(entry)}\n`);
      await tryOut({
        way: 'window',
        mode: 'acceptEdits',
        calls: [],
        afterwards: (window) => useImported(new TextEncoder().encode(text.join('')), window),
      });
    };
    await fc.assert(fc.asyncProperty(importedSession(), tryImport), fuzzRuns(8));
  });

  property('MCP servers', async () => {
    const ofServer = fc
      .tuple(fc.constantFrom('look', 'read_file', 'apply_edit'), pathText())
      .map(([name, path]): LeakCall => ({ name: `mcp__${SERVER}__${name}`, arguments: { path } }));
    const cases = fc.tuple(
      generatedCase(fc.oneof(ofServer, toolCall()), { ways: ['window'], calls: 5 }),
      hostileServer(),
      fc.boolean(),
    );
    const tryServer = async ([given, server, isAllowed]: readonly [GeneratedCase, Server, boolean]): Promise<void> => {
      const config = startOf(inWorld(server, place.world.top));
      await tryOut({
        ...inWorld(given, place.world.top),
        mcpServers: () => [config],
        allows: ({ tool }) => isAllowed && tool.startsWith('mcp__'),
        afterwards: ({ session, submit }) => submit(session, 'Please go on.'),
      });
    };
    await fc.assert(fc.asyncProperty(cases, tryServer), fuzzRuns(8));
  });

  property('rules that deny while a question is open', async () => {
    const calls = fc.oneof(toolCall(), commandCall(findUnaskedPrograms()));
    const cases = fc.tuple(generatedCase(calls, { ways: ['window'], calls: 6 }), fc.boolean());
    const tryRules = async ([generated, isNarrow]: readonly [GeneratedCase, boolean]): Promise<void> => {
      const given: LeakCase = {
        ...inWorld(generated, place.world.top),
        // The person denies the call by a rule, and then clicks yes.
        allows: (question, rules) => {
          rules.deny = [...rules.deny, ruleAgainst(question, isNarrow)];
          return true;
        },
      };
      const observed = await observe(given, 'one', place);
      const allowed = { isOrdinaryChange: isOrdinaryChange(given) };
      assert.deepEqual(await findBreaches(observed, 'one', place.world, allowed), []);
    };
    await fc.assert(fc.asyncProperty(cases, tryRules), fuzzRuns(8));
  });

  property('folders and files that become links while a question is open', async () => {
    const file = fc.constantFrom(...Object.keys(QUESTIONED));
    const call = file.chain((name) => fc.constantFrom(...callsAbout(name)));
    const cases = fc.record({
      calls: fc.array(call, { minLength: 1, maxLength: 5 }),
      swaps: fc.array(fc.tuple(fc.constantFrom(...SWAPPED), fc.constantFrom(...LINKED)), {
        minLength: 1,
        maxLength: 3,
      }),
      mode: fc.constantFrom('ask' as const, 'acceptEdits' as const),
    });
    const trySwaps = async ({ calls, swaps, mode }: Swapping): Promise<void> => {
      const { world } = place;
      const left = [...swaps];
      const given: LeakCase = {
        ...{ way: 'window', mode, calls },
        async allows({ tool, about }) {
          // What a person lets a command read is their decision, and so is an edit of another file than the call named.
          const isItself = async (): Promise<boolean> => {
            const asked = path.resolve(world.workspace, about);
            const folder = await realpath(path.dirname(asked)).catch(() => '');
            const isLink = lstatSync(asked, { throwIfNoEntry: false })?.isSymbolicLink() === true;
            return folder === path.dirname(asked) && !isLink && asked.startsWith(`${world.workspace}/`);
          };
          const isAllowed = isEdit(tool) ? await isItself() : about.startsWith('evil');
          const [name, target] = left.shift() ?? [];
          if (name === undefined || target === undefined) return isAllowed;
          const file = path.join(world.workspace, name);
          // It may be below a folder that is a link by now.
          if (!(await realpath(path.dirname(file))).startsWith(world.workspace)) return isAllowed;
          await rm(file, { recursive: true, force: true });
          await symlink(path.join(world.top, target), file);
          swapped.push(`ws/${name}`);
          return isAllowed;
        },
      };
      const swapped: string[] = [];
      const observed = await observe(given, 'one', place);
      const isSwapped = (change: string): boolean =>
        swapped.some((name) => `${change.slice(change.indexOf(' ') + 1)}/`.startsWith(`${name}/`));
      const isOrdinary = isOrdinaryChange({ mode: 'acceptEdits' });
      const breaches = await findBreaches(observed, 'one', world, {
        isOrdinaryChange: (change) => isSwapped(change) || isOrdinary(change),
        // It may run in the folder that the person saw.
        programs: new RegExp(`^evil .*in ${world.workspace}(?:/(?:src|sub)(?:/\\w+)*)?$`),
      });
      assert.deepEqual(breaches, []);
    };
    await fc.assert(fc.asyncProperty(cases, trySwaps), fuzzRuns(10));
  });

  property('searches for names', async () => {
    const part = fc.tuple(pathText(), fc.nat(12), fc.nat(12)).map(([path, from, to]) => path.slice(from, from + to));
    const trySearch = async (typed: readonly string[]): Promise<void> => {
      const words = inWorld(typed, place.world.top);
      const afterwards = async ({ suggest, note }: LeakWindow): Promise<void> => {
        note((await Promise.all(words.map(suggest))).map((found) => found.join(' ')).join('\n'));
      };
      await tryOut({ way: 'window', mode: 'ask', calls: [], afterwards });
    };
    const typed = fc.array(fc.oneof(pathText(), part), { minLength: 10, maxLength: 30, size: 'max' });
    await fc.assert(fc.asyncProperty(typed, trySearch), fuzzRuns(3));
  });

  property('mounts', async function () {
    if (!canMount()) this.skip();
    const tryMounts = async ({ files, ...given }: Mounted): Promise<void> => {
      const observed = await observe(inWorld(given, place.world.top), 'one', place);
      assert.deepEqual(await findBreaches(observed, 'one', place.world, { files }), []);
    };
    await fc.assert(fc.asyncProperty(mountedCase(), tryMounts), fuzzRuns(3));
  });
});

/** Ordinary files, with words in them. */
const QUESTIONED: Readonly<Record<string, string>> = {
  'a.txt': 'two',
  'src/main.ts': 'answer',
  'src/deep/er/x.ts': 'x',
  'sub/inner/readme.txt': 'inner',
  'table.csv': 'b,2',
};
const SWAPPED = [
  'a.txt',
  'src/main.ts',
  'src',
  'src/deep',
  'src/deep/er',
  'sub',
  'sub/inner',
  'table.csv',
  'src/new.txt',
];
const LINKED = [
  'outside',
  'home/.ssh',
  'ws/.git',
  'ws/.env',
  'outside/notes.txt',
  'home/notes.txt',
  'ws',
  'outside/new',
];

/** Calls that ask, about this file or in its folder, and calls that run unasked. */
function callsAbout(file: string): readonly LeakCall[] {
  const folder = path.dirname(file);
  const programs = ['evil', 'evil $(ls)', 'cat * && evil', 'cat $(ls)', 'cat *', 'grep -r TOKEN .'];
  return [
    ...[edit(file, QUESTIONED[file] ?? ''), edit(file, 'TOKEN='), write(path.join(folder, 'new.txt'), 'y')],
    ...[write(file, 'whole'), read(file), search('TOKEN', { path: folder })],
    ...programs.map((command) => run(command, { cwd: folder })),
  ];
}

interface Swapping {
  readonly calls: readonly LeakCall[];
  readonly swaps: readonly (readonly [name: string, target: string])[];
  readonly mode: LeakCase['mode'];
}

type Server = Parameters<typeof startOf>[0];
type CustomFiles = Parameters<typeof placeCustomFiles>[0];
type Mounted = ReturnType<typeof mountedCase> extends fc.Arbitrary<infer T> ? T : never;

/** A program that reads, writes and starts what it can, and prints what it has read. */
function thiefOf(top: string): string {
  // A name that no listing may show is not given away here.
  const marked = markedFiles.map(({ path: file }) => file).filter((file) => !file.includes(LISTED));
  const files = [...marked.map((file) => path.join(top, file)), '/proc/self/environ', '/proc/1/environ'];
  return `import * as fs from 'node:fs';
    import path from 'node:path';
    const attempt = (work) => { try { return work(); } catch (error) { return ''; } };
    for (const file of ${JSON.stringify(files)}) console.log(attempt(() => fs.readFileSync(file, 'latin1')));
    console.log(JSON.stringify(process.env));
    for (const folder of [${JSON.stringify(top)}, ${JSON.stringify(path.join(top, 'home/.ssh'))}])
      console.log(attempt(() => fs.readdirSync(folder).join()));
    for (const folder of ['ws', 'home', 'outside', 'bin'])
      attempt(() => fs.writeFileSync(path.join(${JSON.stringify(top)}, folder, 'made'), 'x'));
    const { spawnSync } = attempt(() => process.getBuiltinModule('node:child_process'));
    attempt(() => spawnSync(${JSON.stringify(path.join(top, 'bin/evil'))}));
    console.log('tried everything');
    export const answer = 42;`;
}

/** Opens an imported session, does all that a person can do with it, and goes on in it. */
async function useImported(bytes: Uint8Array, { registry, goBack, submit, note }: LeakWindow): Promise<void> {
  const id = await registry.import(bytes).catch((error: unknown) => void note(String(error)));
  if (id === undefined) return;
  const session = await registry.open(id);
  await session.whenIdle();
  assert.deepEqual(await goBack(session), []);
  await submit(session, 'Please go on.');
  note(await registry.export(id, 'jsonl'));
  note(await registry.export(id, 'markdown'));
  note(JSON.stringify(await registry.list('TOKEN')));
}

/** The text of a rule that denies what the question is about. `isNarrow`: that call only, where a rule can say so. */
function ruleAgainst({ tool, about }: Question, isNarrow: boolean): string {
  // Outside the workspace, the display path is the whole path.
  const rule = tool === 'run_terminal_command' ? about : `edit:/${about.replace(/^\//, '')}`;
  const canBeSaid =
    isNarrow &&
    (tool === 'run_terminal_command' || (isEdit(tool) && /^[\w./-]+$/.test(about))) &&
    parsePermissionRule(rule, { effect: 'deny', origin: 'user' }).ok;
  return canBeSaid ? rule : `tool:${tool}`;
}

function isEdit(tool: string): boolean {
  return tool === 'apply_edit' || tool === 'write_file';
}
