import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { buildInto } from '../../support/localModel/buildInto';
import {
  answeringSteps,
  changingSteps,
  endingSteps,
  ModelWorld,
  quietSteps,
  type Step,
} from '../../support/localModel/modelWorld';

describe('a model on this machine that does not run', function () {
  this.timeout(600_000);
  let programs: TemporaryFolder;
  let keeperFile: string;

  before(async () => {
    programs = await createTemporaryFolder();
    keeperFile = await buildInto(programs.path, 'src/localModel/run/keeperProcess.ts');
  });
  after(() => programs.dispose());

  async function take(steps: readonly Step[]): Promise<void> {
    await using world = await ModelWorld.open(keeperFile);
    for (const one of steps) await world.take(one);
  }

  for (const end of endingSteps) {
    it(`answers in an old session, a new one and elsewhere after: ${end}`, async () => {
      await using world = await ModelWorld.open(keeperFile);
      for (const answer of answeringSteps) {
        for (const one of ['old session', end, 'list', 'glance', answer, 'old session'] as const) await world.take(one);
      }
    });
  }

  it('ends an answer that it was stopped in, and stays stopped until the next message', async () => {
    await using world = await ModelWorld.open(keeperFile, 'hold once');
    const { session } = await world.beginAnswer();
    await world.window.local.stop();
    await session.whenIdle();
    const last = session.view.items.at(-1);
    assert.equal(
      last?.kind === 'notice' && last.notice.message,
      'The model on this machine was stopped. Your next message starts it.',
    );
    assert.equal((await world.starts()).length, 1);
    await session.submit({ text: 'Again' });
    await session.whenIdle();
    assert.equal((await world.starts()).length, 2);
    assert.equal(session.view.items.at(-1)?.kind, 'text');
  });

  it('answers again by itself when it has crashed in mid-answer and was started again', async () => {
    await using world = await ModelWorld.open(keeperFile, 'hold once');
    const { session, pid } = await world.beginAnswer();
    process.kill(pid, 'SIGKILL');
    await session.whenIdle();
    const last = session.view.items.at(-1);
    assert.equal(last?.kind === 'text' && last.text, 'Hello from first');
    assert.equal((await world.starts()).length, 2);
  });

  it('stays stopped when the window is opened again, until somebody asks', () =>
    take(['old session', 'stop', 'reload for long', 'show', 'list', 'glance', 'look', 'old session']));

  it('starts when the chat is opened first, unless it was stopped', () =>
    take(['show', 'stop', 'hide', 'show', 'reload', 'show', 'single answer', 'reload for long', 'show']));

  it('is started by what needs an answer, and by nothing else, in any order', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<Step>(...quietSteps) },
      { weight: 2, arbitrary: fc.constantFrom<Step>(...endingSteps) },
      { weight: 3, arbitrary: fc.constantFrom<Step>(...answeringSteps) },
      { weight: 1, arbitrary: fc.constantFrom<Step>(...changingSteps) },
    );
    const given = process.env['FUZZ_RUNS'];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), take),
      given === undefined ? { numRuns: 6, seed: 18 } : { numRuns: Number(given) },
    );
  });
});
