import { discoverServers } from '../agent/servers/probe/discovery';
import { runDoctor } from '../agent/servers/doctor/doctor';
import { KeyStore, memorySecrets } from '../agent/servers/keys';
import { LearnedQuirks } from '../agent/servers/learnedQuirks';
import { SlotQueue } from '../agent/servers/model/slotQueue';
import { findingsOf, findingText, reportHead, summaryOf, type DoctorReport } from '../agent/view/doctorReport';
import { fetchFor } from './agent/agentContext';
import type { DoctorArguments } from './arguments/arguments';
import type { CliProcess } from './cliProcess';
import { exitCodes } from './exitCodes';
import { terminalText } from './terminal/terminalText';

interface DoctorParts {
  readonly fetch: typeof fetch;
  /** Where the report goes. */
  readonly print: (text: string) => void;
  /** Where it says what it is doing. */
  readonly log: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Checks the server that a run would use, and gives the exit code. */
export function checkServer(given: DoctorArguments, cli: CliProcess): Promise<number> {
  const { stdout, stderr, signal } = cli;
  const log = (text: string): void => void stderr.write(text);
  if (given.warning !== undefined) log(`Warning: ${given.warning}\n`);
  return doctor(given, { fetch: fetchFor(given, cli), print: (text) => void stdout.write(text), log, signal });
}

/** Checks the server and the model, printing each finding as it is made, and gives the exit code. */
async function doctor(given: DoctorArguments, { fetch, print, log, signal }: DoctorParts): Promise<number> {
  const baseUrl = given.baseUrl === '' ? await findServer(fetch, signal) : given.baseUrl;
  const keys = new KeyStore({ secrets: memorySecrets() });
  if (given.key) {
    const kept = await keys.set(given.key.baseUrl, given.key.value);
    if (!kept.ok) log(`Warning: The API key is not used: ${kept.error}\n`);
  }
  let printed = 0;
  let doing = '';
  const onProgress = (report: DoctorReport): void => {
    const findings = findingsOf(report);
    if (printed === 0 && findings.length > 0) print(`${terminalText(reportHead(report))}\n\n`);
    for (const finding of findings.slice(printed)) print(`${terminalText(findingText(finding, 'terminal'))}\n`);
    printed = findings.length;
    const current = report.checks.find(({ status }) => status === 'running');
    if (current && current.title !== doing) log(`${current.title} …\n`);
    doing = current?.title ?? doing;
  };
  const { report } = await runDoctor(
    {
      baseUrl,
      model: given.model,
      apiKey: await keys.get(baseUrl),
      fetch,
      slots: new SlotQueue(),
      quirks: new LearnedQuirks({ now: Date.now }).memoryFor(baseUrl),
      settings: { contextWindow: null, maxTokens: null },
      now: () => performance.now(),
    },
    { signal, onProgress },
  );
  print(`\n${summaryOf(report)}\n`);
  if (signal.aborted) return exitCodes.interrupted;
  const hasProblem = findingsOf(report).some(({ status }) => status === 'problem');
  return hasProblem ? exitCodes.failed : exitCodes.completed;
}

/** The first server on a usual port of this machine, also one that wants a key or is loading; empty without any. */
async function findServer(fetch: DoctorParts['fetch'], signal: AbortSignal): Promise<string> {
  try {
    const [server] = await discoverServers({ fetch, signal });
    return server?.baseUrl ?? '';
  } catch (error) {
    if (signal.aborted) return '';
    throw error;
  }
}
