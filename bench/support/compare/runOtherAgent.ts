import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ExamTask } from '../../../src/agent/exam/examTask';
import { taskLimits } from '../../../src/agent/exam/runTask';
import type { CheckRunner } from '../../../src/agent/exam/judge/checkRunner';
import { judgeTask, type Verdict } from '../../../src/agent/exam/judge/judgeTask';
import type { RunFacts } from '../../../src/agent/exam/judge/runFacts';
import { createTaskFolder, writeFiles } from '../../../src/agent/exam/judge/taskFolder';
import { createNodeCommandRunner } from '../../../src/workspace/node/commands/nodeCommandRunner';
import type { NodeConfinement } from '../../../src/workspace/node/confinement/confinement';
import type { CountingProxy } from './countingProxy';
import type { OtherAgent } from './otherAgents';

export interface OtherRun {
  readonly verdict: Verdict;
  readonly facts: RunFacts;
  /** The end of what the agent printed. */
  readonly output: string;
}

export interface OtherRunParts {
  /** The folder whose `node_modules` has the agents. */
  readonly installed: string;
  readonly model: string;
  readonly proxy: CountingProxy;
  readonly checks: CheckRunner;
  /** Keeps the agent and its commands from writing anywhere but in the task's folder and a home of its own. */
  readonly confinement: NodeConfinement;
  /** Called with the folder before the agent starts. */
  readonly onFolder: (folder: string) => void;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 300_000;

/** Has another agent do a task in a throwaway folder, without questions, and judges it as the exam does. */
export async function runOtherAgent(agent: OtherAgent, task: ExamTask, parts: OtherRunParts): Promise<OtherRun> {
  const { proxy, model, installed, confinement, checks, signal, onFolder } = parts;
  await using folder = await createTaskFolder(task.files);
  const home = path.join(folder.beside, 'home');
  const asked = { baseUrl: proxy.baseUrl, model, prompt: task.prompt, home };
  await mkdir(path.join(home, 'tmp'), { recursive: true });
  await writeFiles(home, agent.files(asked));
  onFolder(folder.path);
  const facts = proxy.begin();
  const program = path.join(installed, 'node_modules', '.bin', agent.program);
  const outcome = await createNodeCommandRunner({ confinement }).run(
    {
      command: `${[program, ...agent.args(asked)].map(quoted).join(' ')} </dev/null`,
      cwd: folder.path,
      timeoutMs: TIMEOUT_MS,
      environment: {
        ...{ HOME: home, TMPDIR: path.join(home, 'tmp'), XDG_CONFIG_HOME: path.join(home, '.config') },
        ...{ XDG_DATA_HOME: path.join(home, '.local/share'), XDG_CACHE_HOME: path.join(home, '.cache') },
        ...{ XDG_STATE_HOME: path.join(home, '.local/state'), CI: '1', NO_COLOR: '1' },
        ...agent.env(asked),
      },
      confinement: { allowsNetwork: true, writable: [folder.path, home] },
    },
    { signal, onOutput: () => {} },
  );
  await removeOwnFiles(folder.path, task);
  const ended = facts.steps > taskLimits.steps + 1 ? 'steps' : outcome.ended === 'exited' ? 'answered' : 'stopped';
  const known = facts.end(outcome.exitCode === 0 ? ended : 'error', task.reads);
  const verdict = await judgeTask(task, known, { folder, checks, signal });
  return { verdict, facts: known, output: outcome.output.slice(-2_000) };
}

/** Agents keep settings of their own in hidden folders beside the files of the task. They are no work. */
async function removeOwnFiles(folder: string, { files }: ExamTask): Promise<void> {
  const own = new Set(Object.keys(files).map((name) => name.split('/')[0]));
  for (const name of await readdir(folder)) {
    const isHidden = name.startsWith('.') && !own.has(name);
    if (isHidden) await rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
