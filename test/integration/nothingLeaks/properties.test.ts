import assert from 'node:assert/strict';
import { lstatSync } from 'node:fs';
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { toolCall } from '../../support/leaks/arbitraries/calls';
import {
  generatedCase,
  inWorld,
  promptCase,
  terminalCase,
  type GeneratedCase,
} from '../../support/leaks/arbitraries/cases';
import { commandCall, everyOption } from '../../support/leaks/arbitraries/commands';
import { findUnaskedPrograms } from '../../support/leaks/arbitraries/unaskedOptions';
import { fuzzRuns } from '../../support/leaks/fuzzRuns';
import { keepUnasked } from '../../support/leaks/keepUnasked';
import type { LeakCall, LeakCase } from '../../support/leaks/leakCase';
import { findBreaches, firstDifference, observe } from '../../support/leaks/runCase';
import { isOrdinaryChange } from '../../support/leaks/ordinaryChanges';
import { property } from '../../support/leaks/property';
import { run } from '../../support/leaks/seeds/seed';
import { useLeakWorld } from '../../support/leaks/useLeakWorld';

/** How many commands are joined to one, because starting each costs time. */
const AT_ONCE = 20;

describe('nothing leaks from generated calls', () => {
  const place = useLeakWorld(2, { hasHardLinks: true });

  /** Runs the case in two worlds that differ only in what must not be known. */
  async function tryOut(generated: GeneratedCase): Promise<void> {
    const { world } = place;
    const given: LeakCase = inWorld(generated, world.top);
    const observed = await observe(given, 'one', place);
    const breaches = await findBreaches(observed, 'one', world, { isOrdinaryChange: isOrdinaryChange(generated) });
    assert.deepEqual(breaches, []);
    const other = await observe(given, 'other', place);
    assert.deepEqual(other.questions, observed.questions);
    if (!hasVolatileCommand(generated)) assert.equal(firstDifference(observed, other, world), undefined);
  }

  property('of the tools for files', async () => {
    const cases = generatedCase(toolCall(), {
      ways: ['window', 'window', 'headless', 'endpoint', 'library'],
      calls: 12,
    });
    await fc.assert(fc.asyncProperty(cases, tryOut), fuzzRuns(15));
  });

  property('of commands', async () => {
    const cases = generatedCase(commandCall(findUnaskedPrograms()), {
      ways: ['window', 'headless', 'library'],
      calls: 12,
    });
    await fc.assert(fc.asyncProperty(cases, tryOut), fuzzRuns(15));
  });

  property('of calls in the sandbox', async function () {
    if ((await createConfinement().findProblem()) !== undefined) return;
    const call = fc.oneof(commandCall(findUnaskedPrograms()), toolCall());
    const cases = generatedCase(call, { ways: ['window'], calls: 8 }).map((given): GeneratedCase => ({
      ...given,
      mode: 'sandbox',
    }));
    const tryInSandbox = async (generated: GeneratedCase): Promise<void> => {
      const observed = await observe(inWorld(generated, place.world.top), 'one', place);
      const allowed = { isOrdinaryChange: isOrdinaryChange(generated) };
      assert.deepEqual(await findBreaches(observed, 'one', place.world, allowed), []);
    };
    await fc.assert(fc.asyncProperty(cases, tryInSandbox), fuzzRuns(8));
  });

  property('of commands with each option that runs unasked', async () => {
    const commands = inWorld(everyOption(findUnaskedPrograms()), place.world.top);
    const unasked = await keepUnasked(commands, place.world);
    assert.equal(unasked.length > 300, true, `only ${unasked.length} of ${commands.length} commands run unasked`);
    const calls: LeakCall[] = [];
    while (unasked.length > 0) calls.push(run(unasked.splice(0, AT_ONCE).join('; ')));
    const observed = await observe({ way: 'window', mode: 'ask', calls }, 'one', place);
    assert.deepEqual(observed.questions, []);
    assert.deepEqual(await findBreaches(observed, 'one', place.world), []);
  });

  property('of going back after edits', async () => {
    const edits = fc.record({
      calls: fc.array(toolCall(), { minLength: 1, maxLength: 8, size: 'max' }),
      swap: fc.constantFrom(...Object.keys(SWAPS)),
      which: fc.nat(),
    });
    const tryGoingBack = async ({ calls, swap, which }: GoingBack): Promise<void> => {
      const { world } = place;
      let isAccepted = (_name: string): boolean => false;
      const given: LeakCase = {
        way: 'window',
        mode: 'acceptEdits',
        calls: inWorld(calls, world.top),
        async afterwards({ session, goBack, note }) {
          const changed = (await world.changes()).map(nameIn).filter((name) => isFile(path.join(world.top, name)));
          const chosen = changed[which % Math.max(1, changed.length)];
          if (chosen === undefined) return;
          const file = path.join(world.top, chosen);
          const isSwapped = (await SWAPS[swap]?.(file)) ?? false;
          if (isSwapped) await world.accept();
          note((await goBack(session)).join('\n'));
          // Other files go back, and what the path leads to now stays.
          isAccepted = isSwapped
            ? (name) => changed.some((one) => one !== chosen && `${one}/`.startsWith(`${name}/`))
            : () => false;
        },
      };
      const observed = await observe(given, 'one', place);
      const isOrdinary = (change: string): boolean => isAccepted(nameIn(change));
      assert.deepEqual(await findBreaches(observed, 'one', world, { isOrdinaryChange: isOrdinary }), []);
    };
    await fc.assert(fc.asyncProperty(edits, tryGoingBack), fuzzRuns(15));
  });

  property('of terminals that name files', async () => {
    await fc.assert(fc.asyncProperty(terminalCase(), tryOut), fuzzRuns(10));
  });

  property('of prompts that name files', async () => {
    await fc.assert(fc.asyncProperty(promptCase(['window', 'headless', 'terminal']), tryOut), fuzzRuns(10));
  });
});

interface GoingBack {
  readonly calls: readonly LeakCall[];
  readonly swap: string;
  readonly which: number;
}

/** What happens to a file that the agent changed, before its changes are undone. `false`: nothing. */
const SWAPS: Readonly<Record<string, (file: string) => Promise<boolean>>> = {
  nothing: async () => false,
  'the file becomes a link outside': (file) => becomeLink(file, 'outside/notes.txt'),
  'the file becomes a link to .env': (file) => becomeLink(file, 'ws/.env'),
  'the file becomes a link to an ordinary file': (file) => becomeLink(file, 'ws/table.csv'),
  'the file becomes a link to nothing': (file) => becomeLink(file, 'ws/.git/hooks/pre-push'),
  'its folder becomes a link': (file) => becomeLink(path.dirname(file), 'outside'),
};

/** The path of a change: `created ws/a.txt`. */
function nameIn(change: string): string {
  return change.slice(change.indexOf(' ') + 1);
}

function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** `target` is a path in the world. */
async function becomeLink(file: string, target: string): Promise<boolean> {
  const top = file.slice(0, file.lastIndexOf('/ws'));
  if (file === path.join(top, 'ws')) return false;
  await rm(file, { recursive: true });
  await symlink(path.join(top, target), file);
  return true;
}

/** Programs whose output depends on the time, on the disk or on other processes. */
function hasVolatileCommand({ calls }: GeneratedCase): boolean {
  return calls.some(({ arguments: given }) => /\b(?:df|date|stat|find|ls|du)\b/.test(JSON.stringify(given)));
}
