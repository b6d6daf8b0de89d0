import { messageOf } from '../../../util/errors';
import { isJsonObject } from '../../../util/json';
import { raceAbort } from '../../abort';
import type { BeforeRun, PreToolUseDecision, UserPromptSubmitDecision } from '../../hooks';
import type { Signal } from '../../platform';

/** The events whose hooks decide. */
type Decisions = {
  readonly PreToolUse: PreToolUseDecision;
  readonly UserPromptSubmit: UserPromptSubmitDecision;
};

/** Why a call or a prompt goes no further. `cause`: what a hook threw. */
export type Refusal =
  { readonly kind: 'denied'; readonly reason: string; readonly cause?: unknown } | { readonly kind: 'interrupted' };

/**
 * Asks one hook. The answer comes from the caller's code, which types may not have checked: anything but a decision about this
 * event is a refusal, and so is an exception. `undefined` is no opinion. Never throws.
 */
export async function askHook<Event extends keyof Decisions>(
  event: Event,
  hook: () => unknown,
  signal: Signal,
): Promise<{ readonly answer: Decisions[Event] | undefined } | { readonly refusal: Refusal }> {
  try {
    const raced = await raceAbort((async () => hook())(), signal);
    if (raced.isAborted) return { refusal: { kind: 'interrupted' } };
    const answer: unknown = raced.value;
    if (answer === undefined) return { answer };
    const decision = readers[event](answer);
    return decision ? { answer: decision } : { refusal: notADecision(event, answer) };
  } catch (error) {
    return { refusal: { kind: 'denied', reason: `a ${event} hook failed: ${messageOf(error)}`, cause: error } };
  }
}

/** The refusal of an answer that is no decision about this event. */
export function notADecision(event: keyof Decisions, answer: unknown): Refusal {
  return { kind: 'denied', reason: `a ${event} hook answered ${describe(answer)}, which is no decision for it` };
}

const readers: { readonly [Event in keyof Decisions]: (answer: unknown) => Decisions[Event] | undefined } = {
  PreToolUse(answer) {
    const { action, plan, beforeRun, input, reason } = fieldsOf(answer);
    switch (action) {
      case 'allow':
        if (beforeRun !== undefined && typeof beforeRun !== 'function') return undefined;
        return { action, plan, beforeRun: beforeRun as BeforeRun | undefined };
      case 'modify':
        return isJsonObject(input) ? { action, input } : undefined;
      case 'deny':
        return { action, reason: textOf(reason) };
      case 'wait':
        return { action };
      default:
        return undefined;
    }
  },
  UserPromptSubmit(answer) {
    const { action, prompt, reason } = fieldsOf(answer);
    switch (action) {
      case 'allow':
        return { action };
      case 'modifyPrompt':
        return typeof prompt === 'string' ? { action, prompt } : undefined;
      case 'deny':
        return { action, reason: textOf(reason) };
      default:
        return undefined;
    }
  },
};

function fieldsOf(answer: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(answer) ? answer : {};
}

function textOf(reason: unknown): string {
  return typeof reason === 'string' ? reason : '';
}

function describe(answer: unknown): string {
  try {
    return JSON.stringify(answer) ?? `a ${typeof answer}`;
  } catch {
    return `a ${typeof answer}`;
  }
}
