import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { chooseAgent } from '../../../src/agent/configuration/chooseAgent';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import { createCheckRunner, type CheckRunner } from '../../../src/agent/exam/judge/checkRunner';
import { examineModel, type ExamOutcome, type ExamProgress } from '../../../src/agent/exam/examineModel';
import type { ExamResult } from '../../../src/agent/exam/results/examResult';
import { ExamResult as ExamResultSchema } from '../../../src/agent/exam/results/examResult';
import { gradeOf, totalsOf } from '../../../src/agent/exam/results/examGrade';
import type { ExamTask } from '../../../src/agent/exam/examTask';
import { examTasks } from '../../../src/agent/exam/tasks/examTasks';
import { openModelAccess } from '../../../src/agent/servers/access/modelAccess';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';
import { cheatingModels, cheatingTurn, tasksFor, type Cheat } from '../../support/exam/cheatingModels';
import { playModel, playTurns, type ScriptedQuality } from '../../support/exam/scriptedModels';
import { createGate, ModelServer } from '../../support/servers/modelServer';

const all = examTasks(0);
const access = openModelAccess({ certificateAuthority: () => '' });

interface Extras {
  readonly checks?: CheckRunner;
  readonly tasks?: readonly ExamTask[];
  readonly seed?: number;
  readonly earlier?: ExamResult;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ExamProgress) => void;
}

async function examine(server: ModelServer, extras: Extras = {}): Promise<ExamOutcome> {
  const { configuration } = chooseAgent({ ...defaultAgentSettings, baseUrl: server.baseUrl, model: 'm-Q4_K_M' });
  return examineModel(
    {
      configuration,
      access,
      seed: extras.seed ?? 0,
      tasks: extras.tasks,
      checks: extras.checks,
      earlier: extras.earlier,
      now: () => new Date('2026-01-31T12:00:00Z'),
    },
    { signal: extras.signal ?? new AbortController().signal, onProgress: extras.onProgress ?? (() => {}) },
  );
}

async function resultOf(quality: ScriptedQuality, tasks = all): Promise<ExamResult> {
  await using server = await ModelServer.start({ models: ['m-Q4_K_M'] });
  playModel(server, quality, tasks);
  const outcome = await examine(server, { tasks });
  assert.equal(outcome.kind, 'finished');
  return ExamResultSchema.parse(JSON.parse(JSON.stringify(outcome.result)));
}

const unsolved = ({ tasks }: ExamResult): readonly string[] =>
  tasks.filter(({ verdict }) => verdict !== 'solved').map(({ id, why }) => `${id}: ${why}`);

describe('the exam of a model', () => {
  it('has at least 24 tasks in six languages', () => {
    assert.ok(all.length >= 24);
    assert.deepEqual(
      [...new Set(all.map(({ language }) => language))].filter((language) => language !== 'text').sort(),
      ['Go', 'Java', 'JavaScript', 'Python', 'Rust', 'TypeScript'],
    );
  });

  it('finds that a perfect model does the work', async () => {
    const result = await resultOf('perfect');
    assert.deepEqual(unsolved(result), []);
    assert.equal(gradeOf(result, all), 'does_the_work');
    assert.equal(result.quantisation, 'Q4_K_M');
    assert.equal(result.isComplete, true);
    assert.deepEqual(totalsOf(result).wrongCalls, {});
  });

  it('solves with sloppy quotes what the agent understands of them', async () => {
    const result = await resultOf('sloppy');
    assert.deepEqual(unsolved(result), []);
  });

  it('finds that a model with invented quotes in larger tasks does small edits', async () => {
    const result = await resultOf('limited');
    assert.equal(gradeOf(result, all), 'small_edits');
    const { solved, wrongCalls } = totalsOf(result);
    assert.ok(solved > 10 && solved < 21, `${solved}`);
    assert.ok((wrongCalls.edit ?? 0) > 5);
    assert.deepEqual(
      result.trials.map(({ manner, solved: again }) => ({ temperature: manner.temperature, again })),
      [{ temperature: 0.2, again: 0 }],
    );
  });

  it('solves nothing with calls in words, and counts them', async () => {
    const result = await resultOf('prose');
    assert.deepEqual(
      result.tasks.filter(({ verdict }) => verdict === 'solved'),
      [],
    );
    assert.equal(gradeOf(result, all), 'chat_only');
    assert.equal(totalsOf(result).wrongCalls.prose, all.length);
  });

  it('tries tools as text after calls in words', async () => {
    const { trials } = await resultOf('prose');
    assert.deepEqual(
      trials.map(({ manner, tasks, solved }) => ({ toolCalls: manner.toolCalls, tasks, solved })),
      [{ toolCalls: 'text', tasks: 4, solved: 0 }],
    );
  });

  it('gives no task to a model that does not stop', async () => {
    const result = await resultOf('forgetful');
    assert.deepEqual(
      result.tasks.filter(({ verdict }) => verdict === 'solved'),
      [],
    );
    assert.ok(
      result.tasks.every(({ why = '' }) => why.startsWith('It did not stop')),
      unsolved(result).join('\n'),
    );
  });

  it('believes no words', async () => {
    const result = await resultOf('lying');
    assert.deepEqual(
      result.tasks.filter(({ verdict }) => verdict === 'solved'),
      [],
    );
    assert.equal(gradeOf(result, all), 'chat_only');
  });

  it('is not fooled by weakened tests and programs that end early', async () => {
    const result = await resultOf('cheating');
    assert.deepEqual(
      result.tasks.filter(({ verdict }) => verdict === 'solved'),
      [],
    );
  });

  for (const cheat of Object.keys(cheatingModels) as Cheat[]) {
    it(`is not fooled by a model that is ${cheat.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`, async () => {
      await using server = await ModelServer.start({ models: ['m-Q4_K_M'] });
      const tasks = tasksFor(cheat, all);
      playTurns(server, cheatingTurn(cheat), tasks);
      const checks = await createCheckRunner({ timeoutMs: 2_000 });
      const { kind, result } = await examine(server, { tasks, checks });
      assert.equal(kind, 'finished');
      assert.deepEqual(
        result.tasks.map(({ id, verdict }) => `${id} ${verdict}`),
        tasks.map(({ id }) => `${id} failed`),
      );
    });
  }

  it('draws a held-out set from each seed, which a perfect model solves too', async () => {
    const tasks = examTasks(7);
    assert.notDeepEqual(tasks, all);
    assert.deepEqual(unsolved(await resultOf('perfect', tasks)), []);
  });

  it('leaves no folder behind and sends the seed', async () => {
    // A folder of its own, because other tests make folders at the same time.
    await using folder = await createTemporaryFolder();
    const { TMPDIR } = process.env;
    process.env['TMPDIR'] = folder.path;
    await using server = await ModelServer.start();
    const tasks = all.slice(0, 2);
    playModel(server, 'perfect', tasks);
    try {
      await examine(server, { tasks, seed: 3 });
      assert.deepEqual(readdirSync(folder.path), []);
    } finally {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
    }
    assert.ok(server.completions.length > 2);
    assert.ok(server.completions.every(({ body }) => body['seed'] === 3));
  });

  it('stops at once, and goes on where it stopped', async () => {
    await using server = await ModelServer.start();
    const tasks = all.slice(0, 3);
    const gate = createGate();
    const stopping = new AbortController();
    playModel(server, 'perfect', tasks);
    const onProgress = ({ done }: ExamProgress): void => {
      if (done !== 1) return;
      server.dropTurns();
      server.script({ text: ['Let me ', gate, 'see.'] });
      void gate.reached.then(() => stopping.abort());
    };
    const outcome = await examine(server, { tasks, signal: stopping.signal, onProgress });
    assert.equal(outcome.kind, 'stopped');
    assert.deepEqual(
      outcome.result.tasks.map(({ id }) => id),
      [tasks[0]!.id],
    );
    assert.equal(await server.completions.at(-1)!.closed, 'broken');

    playModel(server, 'perfect', tasks);
    const asked = server.completions.length;
    const next = await examine(server, { tasks, earlier: outcome.result });
    assert.equal(next.kind, 'finished');
    assert.deepEqual(
      next.result.tasks.map(({ id, verdict }) => `${id} ${verdict}`),
      tasks.map(({ id }) => `${id} solved`),
    );
    const prompts = server.completions.slice(asked).map(({ text }) => text);
    assert.ok(prompts.every((text) => !text.includes(JSON.stringify(tasks[0]!.prompt).slice(1, -1))));
  });

  it('ends when the server fails, and keeps what was done', async () => {
    await using server = await ModelServer.start();
    const tasks = all.slice(0, 4);
    playModel(server, 'perfect', tasks);
    const onProgress = ({ done }: ExamProgress): void => {
      if (done === 1) server.setRoute('/v1/chat/completions', { status: 401, body: { error: { message: 'No key' } } });
    };
    const outcome = await examine(server, { tasks, onProgress });
    assert.equal(outcome.kind, 'failed');
    assert.deepEqual(
      outcome.result.tasks.map(({ verdict }) => verdict),
      ['solved'],
    );
  });

  it('is the same exam when it is repeated', async () => {
    const [one, other] = [await resultOf('sloppy', all.slice(0, 4)), await resultOf('sloppy', all.slice(0, 4))];
    const still = ({ tasks }: ExamResult) => tasks.map((task) => ({ ...task, seconds: 0 }));
    assert.deepEqual(still(one), still(other));
  });
});
