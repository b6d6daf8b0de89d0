import type { AgentSession } from '../../agent/session/agentSession';
import type { Prompt } from '../../agent/session/prompt';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { AgentErrorInfo } from '../../sdk/errors';
import type { CompiledOutput } from '../../sdk/schema/structuredOutput';
import { exitCodes } from '../exitCodes';
import type { LastRun } from './lastRun';
import { followLastRun } from './lastRun';
import { unsavedProblem } from '../session/unsaved';
import type { TerminalApprover } from '../terminal/terminalApprover';

export interface RunPromptParts {
  readonly session: AgentSession;
  /** The folder of the session's file. */
  readonly directory: string;
  readonly show: (event: SessionEvent) => void;
  readonly approver: Pick<TerminalApprover, 'unasked'>;
  /** Asks for the key that the server wants; true: there is one now. Absent: nobody can be asked. */
  readonly askForKey?: (() => Promise<boolean>) | undefined;
  /** Checks the answer against the output schema. */
  readonly check?: CompiledOutput['check'] | undefined;
  /** Aborting stops the run and keeps the partial answer. */
  readonly signal: AbortSignal;
}

/** How a prompt ended. */
export interface PromptResult {
  readonly exitCode: number;
  readonly status: 'FINISHED' | 'IDLE' | 'ERROR' | 'CANCELED';
  /** The text of the last response; empty when there was none. */
  readonly answer: string;
  /** The answer as a value. Only when it matches the output schema. */
  readonly output?: unknown;
  /** Explains an exit code other than 0, and what to do. Absent for 0. */
  readonly problem?: string | undefined;
  /** The session has already reported the problem. */
  readonly isTold?: boolean | undefined;
}

/** Runs one prompt to its end. */
export async function runPrompt(
  prompt: Prompt,
  { session, directory, show, approver, askForKey, check, signal }: RunPromptParts,
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
      while (trace.error?.code === 'unauthorized' && !signal.aborted && (await askForKey?.())) {
        await session.retry();
        await session.whenIdle();
      }
      await stopping;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    subscription.dispose();
  }
  const result = resultOf(trace, { isInterrupted: signal.aborted, unasked: approver.unasked, check });
  return session.writeError ? unsaved(result, unsavedProblem(session.writeError, directory)) : result;
}

/** A script that continues a session must know that it is not on file, however the run ended. */
function unsaved(result: PromptResult, problem: string): PromptResult {
  const other = result.isTold || result.problem === undefined ? '' : `${result.problem} `;
  return { ...result, exitCode: exitCodes.unsaved, problem: other + problem, isTold: false };
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
      'The run reached its limit of tool calls before it was done. Raise the limit with --max-iterations, or continue with --autoresume.';
    return { exitCode: exitCodes.limit, status: 'IDLE', answer, problem };
  }
  if (outcome !== 'completed') {
    return {
      exitCode: exitCodeOf(error),
      status: 'ERROR',
      answer,
      problem: error?.message ?? 'The run failed without an error message.',
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
  const problem = `${count} denied because nobody could be asked. Allow such calls with --allow or --permission-mode, or start in a terminal.`;
  return { exitCode: exitCodes.unasked, status: 'FINISHED', answer, ...output, problem };
}

function exitCodeOf(error: AgentErrorInfo | undefined): number {
  switch (error?.code) {
    case 'invalid_output':
      return exitCodes.invalidOutput;
    // Such as an agent of the settings file that names a tool there is not.
    case 'invalid_options':
      return exitCodes.wrongUsage;
    default:
      return exitCodes.failed;
  }
}
