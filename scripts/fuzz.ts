// `npm run fuzz` tries to break promises of SECURITY.md with generated cases, for longer than CI. See the usage below.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from './projectRoot';

const usage = `Usage: npm run fuzz -- [--runs NUMBER] [--seed NUMBER] [--grep TEXT] [--path PATH] [--kills]
  --kills kills the agent at many moments instead: in a window, on the command line, as an endpoint
  --runs  cases of each property (1000; with --kills 50)
  --seed  repeats earlier cases; printed at the start (a new one each time)
  --grep  only the properties whose name contains this text
  --path  repeats one found case, with its seed: the "path" that was printed with it`;

interface Choice {
  readonly runs: number;
  readonly seed: number;
  readonly grep: string | undefined;
  readonly path: string | undefined;
  readonly kills: boolean;
}

function choose(): Choice {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string' },
      seed: { type: 'string' },
      grep: { type: 'string' },
      path: { type: 'string' },
      kills: { type: 'boolean' },
    },
  });
  const kills = values.kills ?? false;
  const runs = Number(values.runs ?? (kills ? 50 : 1000));
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a whole number above 0.');
  if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number.');
  if (values.path !== undefined && values.seed === undefined) throw new Error('--path needs the --seed of its case.');
  return { runs, seed, grep: values.grep, path: values.path, kills };
}

function main(): void {
  let choice: Choice;
  try {
    choice = choose();
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exitCode = 2;
    return;
  }
  const { runs, seed, grep, kills } = choice;
  console.log(`Seed ${seed}, ${runs} cases of each property.`);
  const mocha = path.join(projectRoot, 'node_modules/mocha/bin/mocha.js');
  const files = kills
    ? ['sessions/killedRuns.test.ts']
    : ['commands/placedCommandFuzz.test.ts', 'nothingLeaks/properties.test.ts', 'nothingLeaks/waysIn.test.ts'];
  // The command line loads its parts with import(), which the configured loader of mocha does not translate.
  const args = ['--import', 'tsx', mocha, '--timeout', '0', ...files.map((file) => `test/integration/${file}`)];
  const child = spawn(process.execPath, [...args, ...(grep === undefined ? [] : ['--grep', grep])], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_RUNS: String(runs),
      FUZZ_SEED: String(seed),
      ...(choice.path !== undefined && { FUZZ_PATH: choice.path }),
    },
  });
  child.once('close', (code) => {
    process.exitCode = code ?? 1;
    if (code === 0 || kills) return;
    console.log('\nA found case begins with "Counterexample". Repeat it with the name of its property and its "path":');
    console.log(`npm run fuzz -- --seed ${seed} --grep "NAME" --path "PATH"`);
  });
}

main();
