import assert from 'node:assert/strict';
import fc from 'fast-check';
import { build } from 'esbuild';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { killOnce, WAYS, type Death, type KillPrograms, type Way } from '../../support/kills/killedRun';

/** Moments in each way. `npm run fuzz -- --kills` tries more. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 4);
/** `npm run fuzz -- --kills` also tries each call in a window. */
const isThorough = process.env['FUZZ_RUNS'] !== undefined;
const LANES = 2;

/** SECURITY.md promises this when a process dies, not when a machine does. */
describe('an agent that is killed', () => {
  let folder: TemporaryFolder;
  let programs: KillPrograms;

  before(async function () {
    if (process.platform === 'win32') this.skip();
    folder = await createTemporaryFolder();
    const bundle = async (name: string): Promise<string> => {
      const outfile = path.join(folder.path, `${name}.cjs`);
      const entryPoints = [path.join(projectRoot, 'test/support/kills', `${name}.ts`)];
      await build({ entryPoints, outfile, bundle: true, platform: 'node', target: 'node20', logLevel: 'error' });
      return outfile;
    };
    programs = { dieAtCall: await bundle('dieAtCall'), window: await bundle('killedWindow') };
  });
  after(() => folder?.dispose());

  const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122);

  for (const way of WAYS) {
    it(`loses nothing that was shown or sent, and leaves nothing behind: ${way}`, async () => {
      const alive: Death = { atCall: 0, isTorn: false, streams: false, restores: true };
      const { callCount = 0, wasKilled } = await killOnce(way, alive, programs);
      assert.deepEqual([wasKilled, callCount > 20], [false, true]);
      const sampled = fc.sample(deathsOf(way, callCount), { numRuns: RUNS, seed });
      const deaths = [...(isThorough && way === 'window' ? atEachCall(callCount) : []), ...sampled];
      const counts = { killed: 0, shown: 0 };
      let next = 0;
      const lane = async (): Promise<void> => {
        for (let death = deaths[next++]; death; death = deaths[next++]) {
          try {
            const result = await killOnce(way, death, programs);
            counts.killed += result.wasKilled ? 1 : 0;
            counts.shown += result.shown;
          } catch (cause) {
            throw new Error(`${way}, ${JSON.stringify(death)}`, { cause });
          }
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      process.stdout.write(
        `      ${deaths.length} runs, ${counts.killed} killed, ${counts.shown} things shown, none lost\n`,
      );
    });
  }
});

/** Before any call that changes files, in the middle of a write, or at any moment. */
function deathsOf(way: Way, callCount: number): fc.Arbitrary<Death> {
  const atCall = fc.record({
    atCall: fc.integer({ min: 1, max: callCount }),
    isTorn: fc.boolean(),
    streams: fc.boolean(),
    // Counted calls are those of a run that goes back at its end.
    restores: fc.constant(true),
  });
  // A terminal hides the process.
  if (way === 'conversation') return atCall;
  const anyMoment = fc.record({
    atCall: fc.constant(0),
    isTorn: fc.constant(false),
    streams: fc.constant(true),
    afterMs: fc.integer({ min: 100, max: 6_000 }),
  });
  return fc.oneof({ weight: 3, arbitrary: atCall }, { weight: 1, arbitrary: anyMoment });
}

/** Before each call that changes files: of the session, edits, checkpoints and going back. */
function atEachCall(callCount: number): readonly Death[] {
  return Array.from({ length: callCount }, (_, index) => {
    return { atCall: index + 1, isTorn: index % 2 === 1, streams: false, restores: true };
  });
}
