import { defaultAgentSettings } from '../src/agent/configuration/agentSettings';
import { chooseAgent } from '../src/agent/configuration/chooseAgent';
import { examineModel } from '../src/agent/exam/examineModel';
import { gradeOf, totalsOf } from '../src/agent/exam/results/examGrade';
import { examReport, taskLine } from '../src/agent/exam/results/examReport';
import type { ExamResult } from '../src/agent/exam/results/examResult';
import { examTasks } from '../src/agent/exam/tasks/examTasks';
import { openModelAccess } from '../src/agent/servers/access/modelAccess';
import { connectToServer } from '../src/agent/servers/connectToServer';
import { gradeWord, type ExamGrade } from '../src/agent/view/server/examGrade';
import { playModel, type ScriptedQuality } from '../test/support/exam/scriptedModels';
import { ModelServer } from '../test/support/servers/modelServer';

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
 */
export async function run(print: (line: string) => void, flags: readonly string[]): Promise<boolean> {
  const valueOf = (name: string): string | undefined =>
    flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
  const seed = Number(valueOf('seed') ?? 0);
  const baseUrl = valueOf('base-url');
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
  return isAsBuilt;
}

interface Subject {
  readonly baseUrl: string;
  readonly model: string;
  readonly seed: number;
  /** Gets a line for each task. Absent: nothing is told. */
  readonly print?: ((line: string) => void) | undefined;
}

async function examine({ baseUrl, model, seed, print }: Subject): Promise<ExamResult> {
  const access = openModelAccess({ certificateAuthority: () => '' });
  const key = process.env['OPEN_AGENT_API_KEY'];
  if (key !== undefined) await access.keys.set(baseUrl, key);
  const { signal } = new AbortController();
  const found = await connectToServer({ baseUrl, model }, { ...access, signal });
  if (!found.ok) throw new Error(found.error.message);
  const { configuration } = chooseAgent({ ...defaultAgentSettings, ...found.connection });
  const tasks = examTasks(seed);
  const outcome = await examineModel(
    { configuration, access, seed, now: () => new Date() },
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
