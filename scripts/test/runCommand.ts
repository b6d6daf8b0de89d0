import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemTimer, type SetTimer } from '../../src/util/timer';
import { endProcessGroup, startProcessGroup } from '../process';
import { projectRoot } from '../projectRoot';
import { addCounts, noCounts, type Counts } from './counts';
import { readReport, readText, type Report } from './report';
import { filesToTryAgain, mergeReports, withFiles } from './secondTry';
import type { Command, Stage } from './stages';

/** A test or a command that failed. */
export interface Failure {
  /** The name of its stage. */
  readonly stage: string;
  readonly text: string;
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
  readonly #secondTries: Failure[] = [];
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

  /** What failed at the first try and passed at the second. */
  get secondTries(): readonly Failure[] {
    return this.#secondTries;
  }

  /** Runs a command to its end or to the time limit of its stage. Test files may get a second try, which then counts. */
  async run(stage: Stage, part: number, command: Command): Promise<Counts> {
    if (this.#isDisposed) return { ...noCounts, failed: 1 };
    let { isGood, report } = await this.#runOnce(stage, part, command);
    const again = filesToTryAgain(command, report);
    if (report !== undefined && again.length > 0) {
      const second = await this.#runOnce(stage, part, withFiles(command, again));
      if (second.isGood) this.#secondTries.push(...this.#describe(stage, part, report));
      isGood = second.isGood;
      report = second.report && mergeReports(report, again, second.report);
    }
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

  async #runOnce(
    stage: Stage,
    part: number,
    command: Command,
  ): Promise<{ readonly isGood: boolean; readonly report: Report | undefined }> {
    this.#commands += 1;
    const file = path.join(this.#folder, `report-${this.#commands}.json`);
    const env = command.hasCounts ? { OPEN_AGENT_TEST_REPORT: file } : {};
    const isGood = await this.#succeeds(stage, part, command, env);
    return { isGood, report: command.hasCounts ? readReport(file) : undefined };
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
