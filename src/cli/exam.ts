import { examineModel } from '../agent/exam/examineModel';
import { examReport, taskLine } from '../agent/exam/results/examReport';
import type { ExamResult } from '../agent/exam/results/examResult';
import { ExamStore } from '../agent/exam/results/examStore';
import { examTasks } from '../agent/exam/tasks/examTasks';
import { lookAtServer } from '../agent/servers/connectToServer';
import { chooseModel } from '../agent/servers/model/chooseModel';
import { createDraftRecords } from '../workspace/node/files/draftRecords';
import { configurationOf } from './agent/agentConfiguration';
import { openCliModelAccess } from './agent/cliModelAccess';
import { createQuirkFile } from './agent/quirkFile';
import type { CliSettings } from './arguments/cliSettings';
import { dataFolderIn } from './arguments/dataFolder';
import type { ExamArguments } from './arguments/resolveArguments';
import type { CliProcess } from './cliProcess';
import { exitCodes } from './exitCodes';
import { safeTerminalText } from './terminal/safeTerminalText';

/** Examines one model, or all models of the server. Prints each task at once. Returns the exit code. */
export async function examineModels(given: ExamArguments, settings: CliSettings, cli: CliProcess): Promise<number> {
  const { stdout, signal } = cli;
  const log = (text: string): void => void cli.stderr.write(`${safeTerminalText(text)}\n`);
  if (given.warning !== undefined) log(`Warning: ${given.warning}`);
  const data = dataFolderIn(cli.homeDirectory);
  const quirks = createQuirkFile(data.quirkFile, createDraftRecords(data.drafts));
  // A model that the person stops during the exam stays stopped.
  const { ownServer: _ownServer, ...access } = await openCliModelAccess(given, cli, quirks);
  const configuration = configurationOf(given, settings);
  let probe;
  try {
    probe = await lookAtServer(configuration, { ...access, signal });
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted;
    throw error;
  }
  if (!probe.ok) {
    log(`Error: ${probe.error.message}`);
    return exitCodes.failed;
  }
  const { baseUrl, name: server } = probe;
  const chosen = chooseModel(probe, configuration.model);
  if (!given.isForAll && !chosen.ok) {
    log(`Error: ${chosen.error.message}`);
    return exitCodes.failed;
  }
  const models = given.isForAll ? probe.models.map(({ id }) => id) : chosen.ok ? [chosen.model] : [];
  const store = new ExamStore(data.exams);
  const results: ExamResult[] = [];
  let exitCode: number = exitCodes.completed;
  log('The agent works in throwaway folders. It runs small programs that the model may have changed.');
  for (const model of models) {
    if (signal.aborted) break;
    log(`Examining ${model} at ${baseUrl} …`);
    const { seed } = given;
    const earlier = given.isFresh ? undefined : await store.find(baseUrl, { model, seed });
    const tasks = examTasks(seed);
    const outcome = await examineModel(
      { configuration: { ...configuration, baseUrl, model }, access, server, seed, earlier, now: () => new Date() },
      {
        signal,
        async onProgress({ done, all, latest, result }) {
          if (!latest) return;
          log(
            `[${done}/${all}] ${taskLine(
              latest,
              tasks.find(({ id }) => id === latest.id),
            )}`,
          );
          await store.save(baseUrl, result);
        },
      },
    );
    await store.save(baseUrl, outcome.result);
    results.push(outcome.result);
    if (outcome.kind === 'failed') {
      log(`Error: ${outcome.message}`);
      exitCode = exitCodes.failed;
    }
    if (!given.isJson) stdout.write(`${safeTerminalText(examReport(outcome.result))}\n`);
  }
  if (given.isJson) stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  if (!signal.aborted) return exitCode;
  log('Stopped. The same command goes on from here.');
  return exitCodes.interrupted;
}
