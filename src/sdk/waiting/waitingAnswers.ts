import * as z from 'zod';
import { once } from '../../util/lazy';
import { describeIssues } from '../../util/zodIssues';
import { AgentError } from '../errors';
import type { WaitingCall } from './waitingCall';
import type { WaitingRun } from './waitingRun';

/** The answer to a call that waits. `allow` holds only for the call with the same hash, so only for what was seen. */
export type WaitingAnswer =
  | { readonly action: 'allow'; readonly toolUseId: string; readonly planHash: string }
  | { readonly action: 'deny'; readonly toolUseId: string; readonly reason?: string | undefined };

/** Made on first use, because most programs answer no saved run. */
const answersSchema = once(() =>
  z.array(
    z.discriminatedUnion('action', [
      z.strictObject({ action: z.literal('allow'), toolUseId: z.string(), planHash: z.string() }),
      z.strictObject({ action: z.literal('deny'), toolUseId: z.string(), reason: z.string().optional() }),
    ]),
  ),
);

/** The answers to the calls of one response. */
export class WaitingAnswers {
  readonly #answers: ReadonlyMap<string, WaitingAnswer>;

  /** Throws `invalid_options` for anything but answers, for a call that does not wait, and for two answers to one call. */
  constructor(answers: unknown, { calls }: WaitingRun) {
    const parsed = answersSchema().safeParse(answers);
    if (!parsed.success) throw unusable(describeIssues(parsed.error));
    const known = new Map<string, WaitingAnswer>();
    for (const answer of parsed.data) {
      const { toolUseId } = answer;
      if (!calls.some((call) => call.toolUseId === toolUseId)) throw unusable(`no call "${toolUseId}" waits`);
      if (known.has(toolUseId)) throw unusable(`there are two for the call "${toolUseId}"`);
      known.set(toolUseId, answer);
    }
    this.#answers = known;
  }

  /** Whether a person allowed exactly this call. */
  allows({ toolUseId, planHash }: WaitingCall): boolean {
    const answer = this.#answers.get(toolUseId);
    return answer?.action === 'allow' && answer.planHash === planHash;
  }

  /** Why a person denied the call, possibly empty; `undefined` when nobody did. */
  denialOf(toolUseId: string): string | undefined {
    const answer = this.#answers.get(toolUseId);
    return answer?.action === 'deny' ? (answer.reason ?? '') : undefined;
  }
}

function unusable(why: string): AgentError {
  return new AgentError({ code: 'invalid_options', message: `resumeRun: the answers cannot be used: ${why}.` });
}
