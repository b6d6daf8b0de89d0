import path from 'node:path';
import { defaultAgentSettings } from '../src/agent/configuration/agentSettings';
import { chooseAgent } from '../src/agent/configuration/chooseAgent';
import { examineModel } from '../src/agent/exam/examineModel';
import { gradeOf, totalsOf } from '../src/agent/exam/results/examGrade';
import { examReport, taskLine } from '../src/agent/exam/results/examReport';
import type { ExamResult } from '../src/agent/exam/results/examResult';
import type { ExamTask } from '../src/agent/exam/examTask';
import { examTasks } from '../src/agent/exam/tasks/examTasks';
import { openModelAccess } from '../src/agent/servers/access/modelAccess';
import { connectToServer } from '../src/agent/servers/connectToServer';
import { gradeWord, type ExamGrade } from '../src/agent/view/server/examGrade';
import { playForAnyAgent } from '../test/support/exam/anyAgentModel';
import { cheatingModels, cheatingTurn, tasksFor, type Cheat } from '../test/support/exam/cheatingModels';
import { playModel, playTurns, type ScriptedQuality } from '../test/support/exam/scriptedModels';
import { ModelServer } from '../test/support/servers/modelServer';
import { compareAgents, comparedLines } from './support/compare/compareAgents';

/** The grades that the scripted models are built to get, best first. */
const built: readonly (readonly [ScriptedQuality, ExamGrade])[] = [
  ['perfect', 'does_the_work'],
  ['sloppy', 'does_the_work'],
  ['limited', 'small_edits'],
  ['prose', 'chat_only'],
  ['forgetful', 'chat_only'],
  ['lying', 'chat_only'],
  ['cheating', 'chat_only'],
];

/**
 * The tasks of the exam as a measure. With `--base-url=URL` (and `--model=ID`, `--seed=N`) a real model is examined. Otherwise
 * scripted models of known quality are: this measures the judge, not a model. `OPEN_AGENT_API_KEY` is the server's key.
 * `--compare=open-agent,opencode,…` compares agents (see `otherAgents`) that npm has installed in `--agents=FOLDER`.
 */
export async function run(print: (line: string) => void, flags: readonly string[]): Promise<boolean> {
  const valueOf = (name: string): string | undefined =>
    flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
  const seed = Number(valueOf('seed') ?? 0);
  const baseUrl = valueOf('base-url');
  const agents = valueOf('compare')?.split(',');
  if (agents) return compare(agents, { valueOf, baseUrl, seed, print });
  if (baseUrl !== undefined) {
    const result = await examine({ baseUrl, model: valueOf('model') ?? '', seed, print });
    print(examReport(result));
    return true;
  }
  print('model      grade          solved  steps  tokens read  tokens written  wrong calls');
  const tasks = examTasks(seed);
  let isAsBuilt = true;
  for (const [quality, grade] of built) {
    await using server = await ModelServer.start();
    playModel(server, quality, tasks);
    const result = await examine({ baseUrl: server.baseUrl, model: 'test-model', seed });
    const { solved, judged, steps, tokensRead, tokensWritten, wrongCalls } = totalsOf(result);
    const found = gradeOf(result, tasks);
    isAsBuilt &&= found === grade && (grade !== 'chat_only' || solved === 0);
    const wrong = Object.values(wrongCalls).reduce((sum, count) => sum + count, 0);
    const cells = [`${solved}/${judged}`.padStart(6), `${steps}`.padStart(5), `${tokensRead}`.padStart(11)];
    const word = found ? gradeWord(found) : 'none';
    print([quality.padEnd(9), word.padEnd(13), ...cells, `${tokensWritten}`.padStart(14), wrong].join('  '));
  }
  for (const cheat of Object.keys(cheatingModels) as Cheat[]) {
    await using server = await ModelServer.start();
    const chosen = tasksFor(cheat, tasks);
    playTurns(server, cheatingTurn(cheat), chosen);
    const { solved, judged } = totalsOf(
      await examine({ baseUrl: server.baseUrl, model: 'test-model', seed, tasks: chosen }),
    );
    isAsBuilt &&= solved === 0 && judged === chosen.length;
    print(`cheat ${cheat.padEnd(18)}  ${`${solved}/${judged}`.padStart(6)}`);
  }
  return isAsBuilt;
}

interface CompareFlags {
  readonly valueOf: (name: string) => string | undefined;
  readonly baseUrl: string | undefined;
  readonly seed: number;
  readonly print: (line: string) => void;
}

/** Without `--base-url`, scripted models play for each agent: this shows that the comparison works, and not who wins. */
async function compare(agents: readonly string[], { valueOf, baseUrl, seed, print }: CompareFlags): Promise<boolean> {
  const wanted = valueOf('tasks')?.split(',');
  const all = examTasks(seed);
  const unknown = wanted?.filter((id) => !all.some((task) => task.id === id)) ?? [];
  if (unknown.length > 0) {
    throw new Error(`There is no task ${unknown.join(', ')}. The tasks are: ${all.map(({ id }) => id).join(', ')}.`);
  }
  const tasks = all.filter(({ id }) => wanted === undefined || wanted.includes(id));
  const parts = { agents, tasks, seed, print, installed: path.resolve(valueOf('agents') ?? '.test-agents') };
  if (baseUrl !== undefined) {
    const model = valueOf('model') ?? '';
    const apiKey = process.env['OPEN_AGENT_API_KEY'];
    for (const line of comparedLines(await compareAgents({ ...parts, baseUrl, model, apiKey }))) print(line);
    return true;
  }
  let isAsBuilt = true;
  for (const quality of ['perfect', 'nothing'] as const) {
    await using server = await ModelServer.start();
    let folder = '';
    print(`A scripted model that does ${quality === 'perfect' ? 'every task' : 'nothing'}:`);
    playForAnyAgent(server, quality, tasks, () => folder);
    const onFolder = (now: string): void => void (folder = now);
    const compared = await compareAgents({ ...parts, baseUrl: server.baseUrl, model: 'test-model', onFolder });
    for (const line of comparedLines(compared)) print(line);
    isAsBuilt &&= compared.every(({ solved }) => solved === (quality === 'perfect' ? tasks.length : 0));
  }
  print('Scripted models show that the comparison works, and not which agent is better.');
  return isAsBuilt;
}

interface Subject {
  readonly baseUrl: string;
  readonly model: string;
  readonly seed: number;
  /** Default: those of the seed. */
  readonly tasks?: readonly ExamTask[] | undefined;
  /** Gets a line for each task. Absent: nothing is told. */
  readonly print?: ((line: string) => void) | undefined;
}

async function examine({ baseUrl, model, seed, tasks = examTasks(seed), print }: Subject): Promise<ExamResult> {
  const access = openModelAccess({ certificateAuthority: () => '' });
  const key = process.env['OPEN_AGENT_API_KEY'];
  if (key !== undefined) await access.keys.set(baseUrl, key);
  const { signal } = new AbortController();
  const found = await connectToServer({ baseUrl, model }, { ...access, signal });
  if (!found.ok) throw new Error(found.error.message);
  const { configuration } = chooseAgent({ ...defaultAgentSettings, ...found.connection });
  const outcome = await examineModel(
    { configuration, access, seed, tasks, now: () => new Date() },
    {
      signal,
      onProgress: ({ latest }) => {
        if (!latest) return;
        print?.(
          taskLine(
            latest,
            tasks.find(({ id }) => id === latest.id),
          ),
        );
      },
    },
  );
  if (outcome.kind === 'failed') throw new Error(outcome.message);
  return outcome.result;
}
