import { parsePermissionRule, type SessionRules } from '../../agent/approval/rules/permissionRules';
import { RuleStore } from '../../agent/approval/rules/ruleStore';
import { AgentError } from '../../sdk/errors';
import type { ApprovalRules } from './approvalRules';

/** Throws `invalid_options` for a rule that cannot be used: a misspelled rule must not be a rule that is not there. */
export function readRules(
  { allow = [], ask = [], deny = [] }: ApprovalRules,
  { canReadCommands }: { readonly canReadCommands: boolean },
): SessionRules {
  const texts = { allow, ask, deny };
  const store = new RuleStore({ userSettings: () => texts, onInternalError: () => {} });
  if (store.problems.length > 0) throw invalid(store.problems.join(' '));
  const aboutCommand = store.list().find(({ text, effect, origin }) => {
    const parsed = parsePermissionRule(text, { effect, origin });
    return parsed.ok && parsed.rule.kind === 'command';
  });
  if (aboutCommand && !canReadCommands) {
    throw invalid(`rules: "${aboutCommand.text}" is about commands, which can be read only with \`shellGrammars\``);
  }
  const current = store.rulesFor('');
  return { current: () => current, scopes: [], allow: async () => {} };
}

function invalid(message: string): AgentError {
  return new AgentError({ code: 'invalid_options', message });
}
