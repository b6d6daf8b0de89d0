import type { AgentSession } from '../../agent/session/agentSession';
import type { ServedSessions } from '../../agent/session/servedSessions';
import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import { AgentError } from '../../sdk/errors';
import type { AgentEvent, RunOutcome } from '../../sdk/events';
import { AsyncQueue } from '../../util/asyncQueue';
import type { AgentRuns } from './agentRuns';
import { tidySessions } from './tidySessions';

export interface SessionRunsParts {
  readonly registry: Pick<SessionRegistry, 'createFrom' | 'leave' | 'list' | 'delete'>;
  readonly served: Pick<ServedSessions, 'begin'>;
  readonly isTrusted: () => boolean;
  /** Whether somebody looks at the session: then it stays open. */
  readonly isOnScreen: (sessionId: string) => boolean;
  readonly onInternalError: (error: unknown) => void;
  /** How many sessions of programs are kept; older ones go to the trash. */
  readonly keep?: number | undefined;
}

const KEPT_SESSIONS = 100;
/** How many runs there may be until the sessions are looked through again. */
const TIDY_EVERY = 25;

/** Of no use to a caller, and large. */
const leftOut: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'tool_execution_progress',
  'assistant_message',
  'block_end',
]);

/**
 * Runs that are sessions among the others: on file, to be looked at while they go, their questions answered by the person.
 * What is said in one afterwards is the person's own: the caller's wishes hold for its run alone.
 */
export function createSessionRuns({ registry, served, isTrusted, ...parts }: SessionRunsParts): AgentRuns {
  const { isOnScreen, onInternalError, keep = KEPT_SESSIONS } = parts;
  let runCount = 0;
  const release = async (session: AgentSession): Promise<void> => {
    await session.whenIdle();
    if (!isOnScreen(session.id)) await registry.leave(session.id);
    runCount += 1;
    if (runCount % Math.min(TIDY_EVERY, keep) === 0)
      await tidySessions({ registry, isOnScreen, keep, onKept: onInternalError });
  };
  return {
    async *run({ history, prompt, wishes }, { signal }) {
      if (!isTrusted()) {
        throw new AgentError({ code: 'invalid_state', message: 'The workspace is not trusted any more.' });
      }
      const session = await registry.createFrom(history, 'endpoint');
      const events = new AsyncQueue<AgentEvent>();
      const serving = served.begin(session.id, wishes);
      let isOver = false;
      const end = (event: AgentEvent): void => {
        if (isOver) return;
        isOver = true;
        // Whatever comes next in this session, the caller has no say in.
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
        if (!signal.aborted) await session.submit({ text: prompt });
        else end({ type: 'run_end', outcome: 'interrupted' });
        if (signal.aborted) stop();
        yield* events;
      } finally {
        signal.removeEventListener('abort', stop);
        subscription.dispose();
        // Left early, or the prompt was not taken.
        if (!isOver) await session.stop();
        end({ type: 'run_end', outcome: 'interrupted' });
        release(session).catch(onInternalError);
      }
    },
  };
}

/** The end of the run, however it came: a run that no client could be made for has none of its own. */
function endOf(happened: SessionEvent, { view }: AgentSession): AgentEvent | undefined {
  const runEnd = (outcome: RunOutcome): AgentEvent => ({ type: 'run_end', outcome });
  if (happened.type === 'agent') return happened.event.type === 'run_end' ? happened.event : undefined;
  if (happened.type === 'failed') return { type: 'run_end', outcome: 'error', error: happened.error };
  return happened.type === 'state_changed' && view.state === 'idle' ? runEnd('interrupted') : undefined;
}
