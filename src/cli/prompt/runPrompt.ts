import type { AgentSession } from '../../agent/session/agentSession';
import type { Prompt } from '../../agent/session/prompt';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { CompiledOutput } from '../../sdk/structuredOutput';
import { exitCodes } from '../exitCodes';
import type { LastRun } from './lastRun';
import { followLastRun } from './lastRun';
import type { TerminalApprover } from '../terminal/terminalApprover';

export interface RunPromptParts {
  readonly session: AgentSession;
  readonly show: (event: SessionEvent) => void;
  readonly approver: Pick<TerminalApprover, 'unasked'>;
  /** Of the schema that the answer has to match. */
  readonly check?: CompiledOutput['check'] | undefined;
  /** Aborted by Ctrl+C: the run is stopped, and what there is of the answer kept. */
  readonly signal: AbortSignal;
}

/** How a prompt ended. */
export interface PromptResult {
  readonly exitCode: number;
  readonly status: 'FINISHED' | 'IDLE' | 'ERROR' | 'CANCELED';
  /** The text of the last response; empty when there was none. */
  readonly answer: string;
  /** The answer as a value, where it has to match a schema and does. */
  readonly output?: unknown;
  /** Why the exit code is not 0, and the way out. Absent when it is. */
  readonly problem?: string | undefined;
  /** The session has told of the problem already. */
  readonly isTold?: boolean | undefined;
}

/** Answers one prompt. */
export async function runPrompt(
  prompt: Prompt,
  { session, show, approver, check, signal }: RunPromptParts,
): Promise<PromptResult> {
  const trace = followLastRun();
  const subscription = session.onEvent((event) => {
    trace.follow(event);
    show(event);
  });
  let stopping: Promise<void> | undefined;
  const stop = (): void => {
    stopping = session.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) {
      await session.submit(prompt);
      await session.whenIdle();
      await stopping;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    subscription.dispose();
  }
  return resultOf(trace, { isInterrupted: signal.aborted, unasked: approver.unasked, check });
}

function resultOf(
  { outcome, error, answer }: LastRun,
  how: { readonly isInterrupted: boolean; readonly unasked: number } & Pick<RunPromptParts, 'check'>,
): PromptResult {
  if (how.isInterrupted || outcome === 'interrupted') {
    return { exitCode: exitCodes.interrupted, status: 'CANCELED', answer, problem: 'Interrupted.' };
  }
  if (outcome === 'limit') {
    const problem =
      'The run came to its limit of tool calls and is not done. Raise it with --max-iterations, or go on with --autoresume.';
    return { exitCode: exitCodes.limit, status: 'IDLE', answer, problem };
  }
  if (outcome !== 'completed') {
    const exitCode = error?.code === 'invalid_output' ? exitCodes.invalidOutput : exitCodes.failed;
    return {
      exitCode,
      status: 'ERROR',
      answer,
      problem: error?.message ?? 'The run failed without saying why.',
      isTold: error !== undefined,
    };
  }
  const checked = how.check?.(answer);
  if (checked?.ok === false) {
    const problem = `The answer does not match the schema: ${checked.error}.`;
    return { exitCode: exitCodes.invalidOutput, status: 'FINISHED', answer, problem };
  }
  const output = checked ? { output: checked.value } : {};
  if (how.unasked === 0) return { exitCode: exitCodes.completed, status: 'FINISHED', answer, ...output };
  const count = how.unasked === 1 ? 'One call was' : `${how.unasked} calls were`;
  const problem = `${count} denied because nobody was there to ask. Allow what is wanted with --allow or --permission-mode, or start in a terminal.`;
  return { exitCode: exitCodes.unasked, status: 'FINISHED', answer, ...output, problem };
}
