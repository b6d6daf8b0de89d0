import assert from 'node:assert/strict';
import path from 'node:path';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { projectRoot } from '../../../scripts/projectRoot';
import { installedRipgrep } from '../../support/leaks/installedRipgrep';
import { findBreaches, firstDifference, observe } from '../../support/leaks/runCase';
import { codeNavigationSeeds } from '../../support/leaks/seeds/codeNavigation';
import { commandSeeds } from '../../support/leaks/seeds/commands';
import { confinedSeeds } from '../../support/leaks/seeds/confined';
import {
  customFileSeeds,
  folderSeeds,
  hardLinkedCustomFiles,
  importedFileSeeds,
} from '../../support/leaks/seeds/customFiles';
import { goingBackSeeds, importSeeds, swappedSessions } from '../../support/leaks/seeds/goingBack';
import { hardLinkSeeds } from '../../support/leaks/seeds/hardLinks';
import { nameSeeds } from '../../support/leaks/seeds/names';
import { lateRuleSeeds, mcpSeeds, suggestionSeed } from '../../support/leaks/seeds/otherPrograms';
import { preparingSeeds } from '../../support/leaks/seeds/preparing';
import { sandboxSeeds } from '../../support/leaks/seeds/sandbox';
import type { Seed } from '../../support/leaks/seeds/seed';
import { streamSeeds } from '../../support/leaks/seeds/streams';
import { hardLinkedRules, mountSeeds, wayInSeeds } from '../../support/leaks/seeds/waysIn';
import { canMount } from '../../support/leaks/ways/mounted';
import { useLeakWorld, type LeakPlace } from '../../support/leaks/useLeakWorld';
import type { WorldOptions } from '../../support/leaks/world';

const GROUPS: Readonly<Record<string, readonly [seeds: readonly Seed[], options?: Omit<WorldOptions, 'seed'>]>> = {
  'before the right to read is decided': [preparingSeeds],
  'through commands': [commandSeeds],
  'through names': [nameSeeds],
  'through language servers': [codeNavigationSeeds],
  'through damaged streams': [streamSeeds],
  'through other ways in': [wayInSeeds],
  'through skills, prompt files, images and notebooks': [customFileSeeds],
  'through opened folders': [folderSeeds],
  'through mounts': [mountSeeds],
  'while going back': [goingBackSeeds],
  'through imported sessions': [[...importSeeds, swappedSessions]],
  'through MCP servers': [mcpSeeds],
  'after a late rule': [lateRuleSeeds],
  'through suggestions': [[suggestionSeed]],
  'through hard links': [
    [...hardLinkSeeds, hardLinkedRules, ...hardLinkedCustomFiles, ...importedFileSeeds],
    { hasHardLinks: true },
  ],
  // A confined command does not see the folder for temporary files.
  'through confined commands': [confinedSeeds, { folder: path.join(projectRoot, '.vscode-test/leaks') }],
  'in the sandbox': [sandboxSeeds, { hasHardLinks: true }],
};

describe('nothing leaks in attacks that once worked', () => {
  for (const [group, [seeds, options]] of Object.entries(GROUPS)) {
    describe(group, () => {
      const place = useLeakWorld(1, options);
      for (const seed of seeds) {
        it(seed.name, async function () {
          if (seed.needsRipgrep === true && installedRipgrep() === undefined) this.skip();
          if (seeds === sandboxSeeds && (await createConfinement().findProblem()) !== undefined) this.skip();
          if (seeds === mountSeeds && !canMount()) this.skip();
          await tryOut(seed, place);
        });
      }
    });
  }
});

async function tryOut(seed: Seed, place: LeakPlace): Promise<void> {
  const { given, allowed, secrets = () => [], isSameInBothWorlds = false } = seed;
  const { world } = place;
  const { calls, prompt, afterwards } = given(world);
  const observed = await observe(given(world), 'one', place);
  assert.deepEqual(await findBreaches(observed, 'one', world, allowed), []);
  if (seed.asksNothing === true) assert.deepEqual(observed.questions, []);
  const everything = observed.sent.join('\n') + observed.log;
  assert.deepEqual(
    secrets().filter((secret) => everything.includes(secret)),
    [],
  );
  // A prompt that names a secret is not sent. Every call of another one has its result.
  const hasStarted = observed.sent.some((request) => request.startsWith('/v1/chat/completions'));
  assert.equal(hasStarted || prompt !== undefined, true, observed.log);
  if (seed.mustBeAsked) assert.equal(observed.questions.some(seed.mustBeAsked), true, observed.log);
  if (seed.mustRun !== undefined) assert.equal((await world.canary()).includes(seed.mustRun), true);
  if (prompt === undefined && afterwards === undefined && calls.length > 0)
    assert.equal(resultsIn(observed.sent.at(-1) ?? ''), calls.length);
  if (!isSameInBothWorlds) return;
  const other = await observe(given(world), 'other', place);
  assert.equal(firstDifference(observed, other, world), undefined);
}

function resultsIn(request: string): number {
  return request.split('"role":"tool"').length - 1;
}
