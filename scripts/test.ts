// `npm test`: runs all checks and tests and ends with their counts. See the usage below.
import { readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endProcessGroup, startProcessGroup } from './process';
import { projectRoot } from './projectRoot';
import { stagesOf } from './test/stages';
import type { Command, Stage } from './test/stages';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface StageOutcome extends Counts {
  readonly name: string;
  readonly seconds: number;
}

const nothing: Counts = { passed: 0, failed: 0, skipped: 0 };

/** What runs now, to be ended with this process. */
let end: () => Promise<void> = () => Promise.resolve();

/** Runs a command to its end; resolves to whether it succeeded. */
async function succeeds(command: Command, env: NodeJS.ProcessEnv, limitMs: number): Promise<boolean> {
  const child = startProcessGroup(process.execPath, [command.program, ...command.args], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    output: 'inherit',
  });
  end = () => endProcessGroup(child);
  const limit = setTimeout(() => {
    console.error(`This took longer than ${limitMs / 60_000} minutes and is ended.`);
    void end();
  }, limitMs);
  const code = await new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
  });
  clearTimeout(limit);
  // Whatever a failed test has left running goes with it.
  await endProcessGroup(child);
  return code === 0;
}

async function runCommand(command: Command, limitMs: number): Promise<Counts> {
  if (!command.counts) {
    const isGood = await succeeds(command, {}, limitMs);
    return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 };
  }
  const file = path.join(os.tmpdir(), `open-agent-test-counts-${process.pid}.json`);
  rmSync(file, { force: true });
  const isGood = await succeeds(command, { OPEN_AGENT_TEST_COUNTS: file }, limitMs);
  const counts = readCounts(file);
  rmSync(file, { force: true });
  // It ended badly without a failed test, or without any test: a file that does not load, a crash, an empty folder.
  const isBroken = counts.failed === 0 && (!isGood || counts.passed === 0);
  return isBroken ? { ...counts, failed: 1 } : counts;
}

function readCounts(file: string): Counts {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts;
  } catch {
    // No counts were left: the run broke before its end, which the caller counts.
    return nothing;
  }
}

async function runStage(stage: Stage): Promise<StageOutcome> {
  console.log(`\n== ${stage.name}`);
  const started = performance.now();
  let total = nothing;
  for (const command of stage.commands) {
    const counts = await runCommand(command, stage.limitMinutes * 60_000);
    total = add(total, counts);
    if (counts.failed > 0) break;
  }
  return { name: stage.name, seconds: (performance.now() - started) / 1000, ...total };
}

function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

function describe({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function chosenStages(): readonly Stage[] {
  const { values } = parseArgs({ options: { only: { type: 'string' }, grep: { type: 'string' } } });
  const stages = stagesOf({ grep: values.grep });
  const wanted = values.only?.split(',');
  const unknown = wanted?.filter((name) => !stages.some((stage) => stage.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no stage "${unknown.join('", "')}".`);
  return stages.filter((stage) => wanted?.includes(stage.name) ?? true);
}

async function main(): Promise<void> {
  let stages: readonly Stage[];
  try {
    stages = chosenStages();
  } catch (error) {
    const names = stagesOf({ grep: undefined }).map((stage) => stage.name);
    console.error(`${(error as Error).message}\nUsage: npm test -- [--only ${names.join(',')}] [--grep TEXT]`);
    process.exit(2);
  }
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => void end().finally(() => process.exit(code)));
  }
  const outcomes: StageOutcome[] = [];
  for (const stage of stages) outcomes.push(await runStage(stage));
  const total = outcomes.reduce<Counts>(add, nothing);
  console.log('\n== summary');
  for (const outcome of outcomes) {
    console.log(`${outcome.name.padEnd(12)} ${outcome.seconds.toFixed(1).padStart(7)} s   ${describe(outcome)}`);
  }
  console.log(describe(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
}

void main();
