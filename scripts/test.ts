// `npm test` runs all checks and tests, several stages at once, and prints their counts. See the usage below.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { chooseStages } from './test/chooseStages';
import { describeCounts, noCounts } from './test/counts';
import { CommandRunner } from './test/runCommand';
import { Schedule, type Lanes } from './test/schedule';
import { stagesOf, type Stage } from './test/stages';
import { summarize } from './test/summary';

const progressMs = 60_000;

interface Choice {
  readonly stages: readonly Stage[];
  readonly grep: string | undefined;
  readonly lanes: Lanes;
}

function choose(): Choice {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, grep: { type: 'string' }, lanes: { type: 'string' } },
  });
  const stages = stagesOf({ grep: values.grep });
  const wanted = values.only?.split(',') ?? stages.map(({ name }) => name);
  // Tests often wait for processes, so one lane more than the number of processors keeps them busy.
  const lanes = values.lanes === undefined ? os.availableParallelism() + 1 : Number(values.lanes);
  if (!Number.isInteger(lanes) || lanes < 1) throw new Error(`"${values.lanes}" is no number of lanes.`);
  return {
    stages: chooseStages(stages, wanted),
    grep: values.grep,
    lanes: { all: lanes, windows: Math.max(1, lanes - 1) },
  };
}

async function main(): Promise<void> {
  let choice: Choice;
  try {
    choice = choose();
  } catch (error) {
    const names = stagesOf({ grep: undefined }).map((stage) => stage.name);
    console.error((error as Error).message);
    console.error(`Usage: npm test -- [--only ${names.join(',')}] [--grep TEXT] [--lanes NUMBER]`);
    process.exit(2);
  }

  await using runner = new CommandRunner({ mayBeEmpty: choice.grep !== undefined });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => void runner[Symbol.asyncDispose]().finally(() => process.exit(code)));
  }

  const schedule = new Schedule(choice.stages, {
    lanes: choice.lanes,
    run: (stage, part, command) => runner.run(stage, part, command),
    onEnd: (stage, { seconds, missing }) => {
      console.log(`\n== ${stage.name} (${seconds.toFixed(1)} s)`);
      if (missing === undefined) process.stdout.write(runner.outputOf(stage));
      else console.log(`Not run, because "${missing}" failed.`);
    },
  });
  const started = performance.now();
  const minutes = (): string => ((performance.now() - started) / 60_000).toFixed(1);
  const progress = setInterval(() => {
    console.log(`-- ${minutes()} minutes; running: ${schedule.describeRunning()}`);
  }, progressMs);
  const outcomes = await schedule.run().finally(() => clearInterval(progress));

  const { lines, isGood } = summarize(outcomes, {
    grep: choice.grep,
    testCount: runner.testCount,
    failures: runner.failures,
    secondTries: runner.secondTries,
  });
  console.log(`\n== summary (${minutes()} minutes)\n${lines.join('\n')}`);
  process.exitCode = isGood ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  console.log(describeCounts({ ...noCounts, failed: 1 }));
  process.exitCode = 1;
});
