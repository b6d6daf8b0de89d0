import type { AgentSession } from '../../agent/session/agentSession';
import type { ServedSessions } from '../../agent/session/servedSessions';
import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import { writeFailure } from '../../agent/view/notices/notices';
import { imagesOfContent, textOfContent } from '../../sdk/images/imagePart';
import { AgentError } from '../../sdk/errors';
import type { AgentEvent, RunOutcome } from '../../sdk/events';
import { AsyncQueue } from '../../util/async/asyncQueue';
import { asError } from '../../util/errors';
import type { AgentRuns } from './agentRuns';
import { tidySessions } from './tidySessions';

export interface SessionRunsParts {
  readonly registry: Pick<SessionRegistry, 'createFrom' | 'leave' | 'list' | 'delete'>;
  readonly served: Pick<ServedSessions, 'begin'>;
  readonly isTrusted: () => boolean;
  /** Returns whether a screen shows the session. Such a session stays open. */
  readonly isOnScreen: (sessionId: string) => boolean;
  readonly onInternalError: (error: unknown) => void;
  /** Called after a run whose session could not be written to its file. It stays in memory, and is tried again. */
  readonly onUnsaved: (error: Error) => void;
  /** How many sessions of programs are kept. Older ones go to the trash. */
  readonly keep?: number | undefined;
}

const KEPT_SESSIONS = 100;
/** The most runs between two clean-ups. */
const TIDY_EVERY = 25;

/** Large events that callers do not need. */
const leftOut: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'tool_execution_progress',
  'assistant_message',
  'block_end',
]);

/**
 * Runs as sessions: they are on file, can be watched, and the person answers their questions. The caller's wishes hold for
 * its own run only, not for later prompts in the session.
 */
export function createSessionRuns({ registry, served, isTrusted, ...parts }: SessionRunsParts): AgentRuns {
  const { isOnScreen, onInternalError, onUnsaved, keep = KEPT_SESSIONS } = parts;
  let runCount = 0;
  const release = async (session: AgentSession): Promise<void> => {
    await session.whenIdle();
    if (session.writeError) onUnsaved(session.writeError);
    if (!isOnScreen(session.id)) await registry.leave(session.id);
    runCount += 1;
    if (runCount % Math.min(TIDY_EVERY, keep) === 0)
      await tidySessions({ registry, isOnScreen, keep, onKept: onInternalError });
  };
  return {
    async *run({ history, prompt, wishes }, { signal }) {
      if (!isTrusted()) {
        throw new AgentError({ code: 'invalid_state', message: 'The workspace is no longer trusted.' });
      }
      const session = await registry.createFrom(history, 'endpoint').catch((cause: unknown) => {
        throw cannotSave(asError(cause));
      });
      const events = new AsyncQueue<AgentEvent>();
      const serving = served.begin(session.id, wishes);
      let isOver = false;
      const end = (event: AgentEvent): void => {
        if (isOver) return;
        isOver = true;
        // The caller's wishes do not hold for later prompts.
        serving.dispose();
        session.reconfigure();
        events.push(event);
        events.close();
      };
      const subscription = session.onEvent((happened) => {
        const ended = endOf(happened, session);
        if (ended) end(ended);
        else if (happened.type === 'agent' && !leftOut.has(happened.event.type)) events.push(happened.event);
      });
      const stop = (): void => void session.stop().catch(onInternalError);
      signal.addEventListener('abort', stop, { once: true });
      try {
        if (!signal.aborted) await session.submit({ text: textOfContent(prompt), images: imagesOfContent(prompt) });
        else end({ type: 'run_end', outcome: 'interrupted' });
        if (signal.aborted) stop();
        yield* events;
      } finally {
        signal.removeEventListener('abort', stop);
        subscription.dispose();
        // The reader left early, or the prompt was not accepted.
        if (!isOver) await session.stop();
        end({ type: 'run_end', outcome: 'interrupted' });
        release(session).catch(onInternalError);
      }
    },
  };
}

/** A run whose session has no file would be lost with the process. */
function cannotSave(cause: Error): AgentError {
  const message = `The session of this request could not be saved, so nothing was sent to the model: ${writeFailure(cause)}.`;
  return new AgentError({ code: 'invalid_state', message }, { cause });
}

/** The event that ends the run. A run without a client has no `run_end` of its own. */
function endOf(happened: SessionEvent, { view }: AgentSession): AgentEvent | undefined {
  const runEnd = (outcome: RunOutcome): AgentEvent => ({ type: 'run_end', outcome });
  if (happened.type === 'agent') return happened.event.type === 'run_end' ? happened.event : undefined;
  if (happened.type === 'failed') return { type: 'run_end', outcome: 'error', error: happened.error };
  return happened.type === 'state_changed' && view.state === 'idle' ? runEnd('interrupted') : undefined;
}
