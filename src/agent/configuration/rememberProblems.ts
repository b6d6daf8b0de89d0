import type { Diagnostics } from '../../workspace/ports';
import { SessionProblems } from '../../workspace/sessionProblems';

/** Older ones begin anew: programs have many sessions, with one prompt each. */
const MAX_SESSIONS = 20;

/** What each session knows about problems, from its first client on. */
export function rememberProblems(
  diagnostics: Diagnostics | undefined,
): (sessionId: string) => SessionProblems | undefined {
  const known = new Map<string, SessionProblems>();
  return (sessionId) => {
    if (!diagnostics) return undefined;
    const problems = known.get(sessionId) ?? new SessionProblems(diagnostics);
    known.delete(sessionId);
    known.set(sessionId, problems);
    const [oldest] = known.keys();
    if (known.size > MAX_SESSIONS && oldest !== undefined) known.delete(oldest);
    return problems;
  };
}
