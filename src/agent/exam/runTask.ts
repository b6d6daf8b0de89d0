import type { AgentConfiguration } from '../configuration/chooseAgent';
import { AgentError, type AgentErrorCode } from '../../sdk/errors';
import type { AgentEvent } from '../../sdk/events';
import { workspaceToolNames } from '../../workspace/tools/workspaceToolNames';
import { messageOf } from '../../util/errors';
import { createExamAgent, type ExamAgentParts } from './examAgent';
import type { ExamTask } from './examTask';
import type { TaskResult } from './results/examResult';
import { judgeTask } from './judge/judgeTask';
import { FactGatherer, type RunFacts } from './judge/runFacts';
import { createTaskFolder } from './judge/taskFolder';

/** The limits of every task. */
export const taskLimits = { steps: 14, tokens: 6_000 } as const;

export type TaskParts = Pick<ExamAgentParts, 'configuration' | 'access' | 'checks' | 'seed'>;

/**
 * Gives one task to the agent, in a folder that is deleted afterwards, and judges it. Rejects only when `signal` is aborted or
 * the folder cannot be made.
 */
export async function runTask(task: ExamTask, parts: TaskParts, signal: AbortSignal): Promise<TaskResult> {
  const { checks } = parts;
  if (task.judgedBy === 'check' && checks.confinement === 'none') return notRun(task);
  await using folder = await createTaskFolder(task.files);
  const startMs = performance.now();
  const facts = await runAgent(
    task,
    { ...parts, folder, maxSteps: taskLimits.steps, maxTokens: taskLimits.tokens },
    signal,
  );
  const seconds = Math.round((performance.now() - startMs) / 100) / 10;
  signal.throwIfAborted();
  const verdict = await judgeTask(task, facts, { folder, checks, signal });
  signal.throwIfAborted();
  const { steps, calls, wrongCalls, tokensRead, tokensWritten, context, thought, error } = facts;
  return {
    id: task.id,
    verdict: verdict.isSolved ? 'solved' : facts.ended === 'error' ? 'error' : 'failed',
    ...(!verdict.isSolved && { why: error === undefined ? verdict.why : withoutAddress(error, parts.configuration) }),
    steps,
    calls,
    wrongCalls,
    tokensRead,
    tokensWritten,
    context,
    seconds,
    thought,
  };
}

/** Errors name the server. A result can be given away, so it names none. */
export function withoutAddress(error: string, { baseUrl }: Pick<AgentConfiguration, 'baseUrl'>): string {
  const { host, hostname } = URL.canParse(baseUrl) ? new URL(baseUrl) : { host: '', hostname: '' };
  const names = [host, hostname].filter((name) => name !== '');
  const cleaned = names.reduce(
    (text, name) => text.replaceAll(name, 'the server'),
    error.replaceAll(/[a-z][a-z\d+.-]{0,20}:\/\/[^\s"'<>]+/gi, 'the server'),
  );
  return cleaned
    .replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b|\[?::1\]?:\d{1,5}/g, 'the server')
    .slice(0, MAX_WHY);
}

const MAX_WHY = 1_000;

async function runAgent(task: ExamTask, parts: ExamAgentParts, signal: AbortSignal): Promise<RunFacts> {
  let client;
  try {
    client = await createExamAgent(parts);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return new FactGatherer([]).end('error', error.message);
  }
  const gatherer = new FactGatherer(workspaceToolNames);
  const tooLong = new AbortController();
  try {
    let ended: RunFacts['ended'] = 'stopped';
    let problem: string | undefined;
    for await (const event of client.run(task.prompt, { signal: AbortSignal.any([signal, tooLong.signal]) })) {
      gatherer.add(event);
      if (gatherer.written > parts.maxTokens) tooLong.abort();
      if (event.type !== 'run_end') continue;
      ended = endOf(event, tooLong.signal.aborted);
      problem = event.error?.message;
    }
    return gatherer.end(ended, ended === 'error' ? (problem ?? 'The run failed.') : undefined);
  } catch (error) {
    if (signal.aborted) throw error;
    return gatherer.end('error', messageOf(error));
  } finally {
    await client.close();
  }
}

function endOf({ outcome, error }: Extract<AgentEvent, { type: 'run_end' }>, isTooLong: boolean): RunFacts['ended'] {
  if (isTooLong) return 'tokens';
  switch (outcome) {
    case 'completed':
      return 'answered';
    case 'limit':
      return 'steps';
    case 'interrupted':
    case 'waiting':
      return 'stopped';
    case 'error':
      return (error && faults[error.code]) ?? 'error';
  }
}

/** The errors for which the model is to blame, or its context window. */
const faults: { readonly [code in AgentErrorCode]?: RunFacts['ended'] } = {
  loop_detected: 'loop',
  no_answer: 'silence',
  context_overflow: 'overflow',
};

function notRun({ id }: ExamTask): TaskResult {
  const nothing = { steps: 0, calls: 0, wrongCalls: {}, tokensRead: 0, tokensWritten: 0, context: 0, seconds: 0 };
  return { id, verdict: 'not_run', why: 'Programs cannot be confined on this machine.', ...nothing, thought: false };
}
