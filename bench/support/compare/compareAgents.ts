import { access } from 'node:fs/promises';
import path from 'node:path';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import { chooseAgent } from '../../../src/agent/configuration/chooseAgent';
import type { ExamTask } from '../../../src/agent/exam/examTask';
import { createCheckRunner } from '../../../src/agent/exam/judge/checkRunner';
import { runTask } from '../../../src/agent/exam/runTask';
import { openModelAccess } from '../../../src/agent/servers/access/modelAccess';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { startCountingProxy } from './countingProxy';
import { otherAgents } from './otherAgents';
import { runOtherAgent } from './runOtherAgent';

export interface CompareParts {
  /** Names of agents; `open-agent` is this one. */
  readonly agents: readonly string[];
  /** The folder in which npm has installed the others. */
  readonly installed: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly tasks: readonly ExamTask[];
  readonly seed: number;
  readonly onFolder?: ((folder: string) => void) | undefined;
  readonly print: (line: string) => void;
}

/** The sums of one agent. */
export interface Compared {
  readonly agent: string;
  readonly solved: number;
  readonly tasks: number;
  readonly steps: number;
  /** Tokens of prompts that the server did not have in its cache. */
  readonly tokensRead: number;
  readonly tokensWritten: number;
  readonly seconds: number;
}

/**
 * Gives the same tasks to several agents on the same server, one after another. All requests go through one proxy, so that tokens are
 * counted in the same way. Rejects when an agent is not installed or cannot be confined.
 */
export async function compareAgents(parts: CompareParts): Promise<readonly Compared[]> {
  const { agents, tasks, installed, model, seed, print, onFolder = () => {} } = parts;
  const { signal } = new AbortController();
  const checks = await createCheckRunner();
  const confinement = createConfinement();
  const problem = await confinement.findProblem();
  const others = agents.filter((name) => name !== 'open-agent');
  if (others.length > 0 && problem !== undefined) throw new Error(`Other agents run only confined. ${problem}`);
  for (const name of others) {
    const agent = otherAgents[name];
    if (!agent)
      throw new Error(`There is no agent ${name}. There are: open-agent, ${Object.keys(otherAgents).join(', ')}.`);
    const program = path.join(installed, 'node_modules', '.bin', agent.program);
    await access(program).catch(() => {
      throw new Error(`${name} is not there. Install it: npm install --prefix ${installed} ${agent.package}`);
    });
  }
  await using proxy = await startCountingProxy(parts.baseUrl, parts.apiKey);
  const access_ = openModelAccess({ certificateAuthority: () => '' });
  const { configuration } = chooseAgent({ ...defaultAgentSettings, baseUrl: proxy.baseUrl, model });
  const compared: Compared[] = [];
  for (const name of agents) {
    const sums = { solved: 0, steps: 0, tokensRead: 0, tokensWritten: 0 };
    const startMs = performance.now();
    for (const task of tasks) {
      const agent = otherAgents[name];
      let why: string | undefined;
      let facts: { readonly steps: number; readonly tokensRead: number; readonly tokensWritten: number };
      if (agent) {
        const run = await runOtherAgent(agent, task, {
          installed,
          model,
          proxy,
          checks,
          confinement,
          onFolder,
          signal,
        });
        facts = run.facts;
        why = run.verdict.isSolved
          ? undefined
          : `${run.verdict.why} ${run.facts.ended === 'error' ? run.output.slice(-300) : ''}`;
      } else {
        onFolder('');
        const wire = proxy.begin();
        const result = await runTask(task, { configuration, access: access_, checks, seed }, signal);
        facts = wire.end('answered', undefined);
        why = result.verdict === 'solved' ? undefined : (result.why ?? result.verdict);
      }
      if (why === undefined) sums.solved += 1;
      sums.steps += facts.steps;
      sums.tokensRead += facts.tokensRead;
      sums.tokensWritten += facts.tokensWritten;
      print(
        `  ${name.padEnd(10)} ${why === undefined ? 'solved' : 'failed'}  ${task.id}${why === undefined ? '' : `: ${why}`}`,
      );
    }
    compared.push({
      agent: name,
      tasks: tasks.length,
      seconds: Math.round((performance.now() - startMs) / 1_000),
      ...sums,
    });
  }
  return compared;
}

/** A table for people. */
export function comparedLines(compared: readonly Compared[]): readonly string[] {
  return [
    'agent       solved  steps  tokens read anew  tokens written  seconds',
    ...compared.map(({ agent, solved, tasks, steps, tokensRead, tokensWritten, seconds }) =>
      [
        ...[agent.padEnd(10), `${solved}/${tasks}`.padStart(6), `${steps}`.padStart(5), `${tokensRead}`.padStart(16)],
        ...[`${tokensWritten}`.padStart(14), `${seconds}`.padStart(7)],
      ].join('  '),
    ),
  ];
}
