import type { AgentSession } from '../agent/agentSession';
import type { SessionRenderer } from './renderSession';
import type { TerminalApprover } from './terminalApprover';

export const exitCodes = { completed: 0, failed: 1, wrongUsage: 2, denied: 3, interrupted: 130 } as const;

export interface RunPromptParts {
  readonly session: AgentSession;
  readonly renderer: SessionRenderer;
  readonly approver: TerminalApprover;
  /** Aborted by Ctrl+C: the run is stopped, and what there is of the answer kept. */
  readonly signal: AbortSignal;
}

/** Answers one prompt and gives the exit code. */
export async function runPrompt(
  text: string,
  { session, renderer, approver, signal }: RunPromptParts,
): Promise<number> {
  const subscription = session.onEvent(renderer.show);
  let stopping: Promise<void> | undefined;
  const stop = (): void => {
    stopping = session.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) return exitCodes.interrupted;
    await session.submit({ text });
    await session.whenIdle();
    await stopping;
  } finally {
    signal.removeEventListener('abort', stop);
    subscription.dispose();
  }
  if (signal.aborted || renderer.outcome === 'interrupted') return exitCodes.interrupted;
  if (renderer.outcome !== 'completed') return exitCodes.failed;
  return approver.unasked > 0 ? exitCodes.denied : exitCodes.completed;
}
