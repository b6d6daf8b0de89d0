import type { ModelAccess } from '../agent/servers/access/modelAccess';
import { doctorAccess, runDoctor } from '../agent/servers/doctor/doctor';
import { discoverServer } from '../agent/servers/probe/discovery';
import {
  findingsOf,
  findingText,
  isUsable,
  reportHead,
  summaryOf,
  type DoctorReport,
} from '../agent/view/server/doctorReport';
import { createDraftRecords } from '../workspace/node/files/draftRecords';
import { openCliModelAccess } from './agent/cliModelAccess';
import { createQuirkFile } from './agent/quirkFile';
import { dataFolderIn } from './arguments/dataFolder';
import type { DoctorArguments } from './arguments/resolveArguments';
import type { CliProcess } from './cliProcess';
import { exitCodes } from './exitCodes';
import { safeTerminalText } from './terminal/safeTerminalText';

/** Checks the server and model that a run would use. Prints each finding at once. Returns the exit code. */
export async function checkServer(given: DoctorArguments, cli: CliProcess): Promise<number> {
  const { stdout, stderr, signal } = cli;
  if (given.warning !== undefined) stderr.write(`Warning: ${given.warning}\n`);
  const data = dataFolderIn(cli.homeDirectory);
  const quirks = createQuirkFile(data.quirkFile, createDraftRecords(data.drafts));
  const access = await openCliModelAccess(given, cli, quirks);
  let printed = 0;
  let doing = '';
  const onProgress = (report: DoctorReport): void => {
    const findings = findingsOf(report);
    if (printed === 0 && findings.length > 0) stdout.write(`${safeTerminalText(reportHead(report))}\n\n`);
    for (const finding of findings.slice(printed))
      stdout.write(`${safeTerminalText(findingText(finding, 'terminal'))}\n`);
    printed = findings.length;
    const current = report.checks.find(({ status }) => status === 'running');
    if (current && current.title !== doing) stderr.write(`${current.title} …\n`);
    doing = current?.title ?? doing;
  };
  const { report } = await runDoctor(
    {
      ...(await doctorAccess(access, given.baseUrl || (await findServer(given.model, access, signal)))),
      model: given.model,
      settings: { contextWindow: null, maxTokens: null },
    },
    { signal, onProgress },
  );
  stdout.write(`\n${summaryOf(report)}\n`);
  if (signal.aborted) return exitCodes.interrupted;
  return isUsable(report) ? exitCodes.completed : exitCodes.failed;
}

/** The address of a server on this machine, even one that wants a key or is loading; empty: there is none. */
async function findServer(model: string, { keys, fetch }: ModelAccess, signal: AbortSignal): Promise<string> {
  try {
    return (await discoverServer(() => model, { keys, fetch, signal }))?.baseUrl ?? '';
  } catch (error) {
    if (signal.aborted) return '';
    throw error;
  }
}
