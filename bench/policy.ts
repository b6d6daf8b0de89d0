import { bundledGrammars } from '../src/workspace/shell/parse/bundledGrammars';
import { judgeCommand } from '../src/workspace/shell/judgeCommand';
import { parseRule, type CommandRule } from '../src/workspace/shell/commandRules';
import { parseCommand } from '../src/workspace/shell/parse/parseCommand';
import { generateCommand } from '../test/support/commands/commandGenerator';
import { seededRandom } from '../test/support/seededRandom';

const LIMIT_MS = 2;
const COMMANDS = 5_000;
const RULES = 100;

/** Measures the decision about a command by its words, once the grammar is loaded. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const random = seededRandom(1);
  const commands = Array.from({ length: COMMANDS }, () => generateCommand(random));
  const rules = Array.from({ length: RULES }, (_, index) => allow(`npm run task-${index} *`));
  const grammars = bundledGrammars();

  const loading = await timed(() => grammars.load('bash'));
  const times: number[] = [];
  for (const command of commands) {
    times.push(
      await timed(async () => judgeCommand(await parseCommand(command, 'bash', grammars), { shell: 'bash', rules })),
    );
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? Infinity;
  const late = times[Math.floor(times.length * 0.99)] ?? Infinity;
  const unit = await measureUnit();
  print(`Loading the bash grammar, once: ${loading.toFixed(0)} ms.`);
  print(
    `Deciding about a command with ${RULES} rules, ${COMMANDS} commands: ${median.toFixed(3)} ms at the median ` +
      `(limit ${LIMIT_MS} ms), ${late.toFixed(3)} ms at the 99th percentile.`,
  );
  print(`On this machine that is ${(median / unit).toFixed(1)} times reading 10 kB of JSON (${unit.toFixed(3)} ms).`);
  return median < LIMIT_MS;
}

function allow(text: string): CommandRule {
  const parsed = parseRule(text, { effect: 'allow', origin: 'user' });
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.rule;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median time to parse 10 kB of JSON, as the unit of work on this machine. */
async function measureUnit(): Promise<number> {
  const text = JSON.stringify(Array.from({ length: 200 }, (_, index) => ({ id: index, text: 'x'.repeat(30) })));
  const times: number[] = [];
  for (let round = 0; round < 500; round += 1) times.push(await timed(() => Promise.resolve(JSON.parse(text))));
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? Infinity;
}
