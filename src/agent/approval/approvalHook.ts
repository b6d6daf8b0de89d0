import type { PreToolUseHook } from '../../sdk/hooks';
import { asApprovablePlan } from './approvablePlan';
import { decideAgain, decideCall, type DecisionParts } from './decideCall';
import { stoppedDenial, unapprovableDenial, untrustedDenial } from './denials';

/**
 * The hook that decides whether a tool call runs: `decidePermission` decides, or has a person asked. A plan of an unknown
 * shape is denied, because nobody could be shown it. Every failure denies.
 */
export function createApprovalHook(parts: DecisionParts): PreToolUseHook {
  return async (event) => {
    const { toolName, signal } = event;
    if (signal.aborted) return { action: 'deny', reason: stoppedDenial };
    const plan = asApprovablePlan(event.plan);
    if (!plan) {
      return { action: 'deny', reason: parts.isTrusted() ? unapprovableDenial(toolName) : untrustedDenial };
    }
    const decision = await decideCall(event, plan, parts);
    if (decision.action === 'deny') return decision;
    const { shown, plan: narrowed } = decision;
    return {
      action: 'allow',
      ...(narrowed && { plan: narrowed }),
      beforeRun: async () => decideAgain(event, { allowed: narrowed ?? plan, original: plan }, parts, shown),
    };
  };
}
