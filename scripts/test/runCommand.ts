import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseJson } from '../../src/util/json';
import { systemTimer, type SetTimer } from '../../src/util/timer';
import { endProcessGroup, startProcessGroup } from '../process';
import { projectRoot } from '../projectRoot';
import { addCounts, noCounts, type Counts } from './counts';
import type { Command, Stage } from './stages';

/** A test or a command that failed. */
export interface Failure {
  /** The name of its stage. */
  readonly stage: string;
  readonly text: string;
}

interface Report {
  readonly counts: Counts;
  readonly failures: readonly string[];
}

/** Characters. */
const failureLength = 1500;

/**
 * Runs the commands of stages. Each part writes to its own file, so its output stays together, and a process that a test
 * left behind cannot keep a pipe open. Disposing it ends the running commands and removes the files.
 */
export class CommandRunner implements AsyncDisposable {
  readonly #mayBeEmpty: boolean;
  readonly #setTimer: SetTimer;
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'open-agent-test-'));
  readonly #running = new Set<ReturnType<typeof startProcessGroup>>();
  #commands = 0;
  #tests = noCounts;
  readonly #failures: Failure[] = [];
  #isDisposed = false;

  /** With `mayBeEmpty`, a command that reports no tests does not count as failed. */
  constructor(options: { readonly mayBeEmpty: boolean; readonly setTimer?: SetTimer | undefined }) {
    this.#mayBeEmpty = options.mayBeEmpty;
    this.#setTimer = options.setTimer ?? systemTimer;
  }

  /** The number of reported tests. Checks, such as the linter, are not among them. */
  get testCount(): number {
    return this.#tests.passed + this.#tests.failed + this.#tests.skipped;
  }

  /** What failed so far: a test with its error, or a command with the end of its output. */
  get failures(): readonly Failure[] {
    return this.#failures;
  }

  /** Runs a command to its end or to the time limit of its stage. */
  async run(stage: Stage, part: number, command: Command): Promise<Counts> {
    if (this.#isDisposed) return { ...noCounts, failed: 1 };
    this.#commands += 1;
    const file = path.join(this.#folder, `report-${this.#commands}.json`);
    const isGood = await this.#succeeds(
      stage,
      part,
      command,
      command.hasCounts ? { OPEN_AGENT_TEST_REPORT: file } : {},
    );
    const report = command.hasCounts ? readReport(file) : undefined;
    const counts = this.#judge(command, isGood, report);
    if (counts.failed > 0) this.#failures.push(...this.#describe(stage, part, report));
    return counts;
  }

  /** The output of a stage, one part after the other. */
  outputOf(stage: Stage): string {
    return stage.parts.map((_, part) => readText(this.#outputFile(stage, part))).join('');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([...this.#running].map(endProcessGroup));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #judge(command: Command, isGood: boolean, report: Report | undefined): Counts {
    if (!command.hasCounts) return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 };
    // The run broke off: a file that does not load, a crash, or a test that ended the process.
    if (report === undefined) return { ...noCounts, failed: 1 };
    this.#tests = addCounts(this.#tests, report.counts);
    const isEmpty = report.counts.passed === 0 && !this.#mayBeEmpty;
    const isBroken = report.counts.failed === 0 && (!isGood || isEmpty);
    return isBroken ? { ...report.counts, failed: 1 } : report.counts;
  }

  #describe(stage: Stage, part: number, report: Report | undefined): readonly Failure[] {
    const texts =
      report !== undefined && report.failures.length > 0
        ? report.failures.map((text) => text.slice(0, failureLength))
        : [readText(this.#outputFile(stage, part)).trimEnd().slice(-failureLength)];
    return texts.map((text) => ({ stage: stage.name, text }));
  }

  async #succeeds(stage: Stage, part: number, command: Command, env: NodeJS.ProcessEnv): Promise<boolean> {
    const output = openSync(this.#outputFile(stage, part), 'a');
    const child = startProcessGroup(process.execPath, [command.program, ...command.args], {
      cwd: projectRoot,
      env: { ...process.env, ...env },
      output,
    });
    this.#running.add(child);
    let isLate = false;
    const limit = this.#setTimer(() => {
      isLate = true;
      writeSync(output, `This took longer than ${stage.limitMinutes} minutes and was ended.\n`);
      void endProcessGroup(child);
    }, stage.limitMinutes * 60_000);
    const code = await new Promise<number | null>((resolve) => {
      child.once('exit', resolve);
      child.once('error', (error) => {
        writeSync(output, `${error.message}\n`);
        resolve(1);
      });
    });
    limit.dispose();
    // A failed test may have left processes behind.
    await endProcessGroup(child);
    this.#running.delete(child);
    closeSync(output);
    // A program can end with 0 when it gets the signal.
    return code === 0 && !isLate;
  }

  #outputFile(stage: Stage, part: number): string {
    return path.join(this.#folder, `${stage.name}-${part}.txt`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It was not written.
    return '';
  }
}

/** The report of a test run, or undefined if there is no complete one. */
function readReport(file: string): Report | undefined {
  const report = parseJson(readText(file)) as Partial<Counts & { failures: readonly string[] }> | null | undefined;
  const { passed = NaN, failed = NaN, skipped = NaN, failures = [] } = report ?? {};
  if (![passed, failed, skipped].every(Number.isInteger)) return undefined;
  return { counts: { passed, failed, skipped }, failures };
}
