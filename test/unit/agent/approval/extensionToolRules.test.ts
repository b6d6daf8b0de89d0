import assert from 'node:assert/strict';
import { decidePermission, type Verdict } from '../../../../src/agent/approval/permissions';
import { type PermissionMode } from '../../../../src/agent/view/permissionModes';
import { parsePermissionRule, type PermissionRule } from '../../../../src/agent/approval/rules/permissionRules';
import type { ExtensionPlan } from '../../../../src/agent/extensionTools/extensionPlan';
import type { RuleEffect, RuleOrigin } from '../../../../src/workspace/shell/commandRules';

const plan: ExtensionPlan = { kind: 'extension', extension: 'acme.tools', tool: 'add', arguments: { a: 1 } };

function rule(text: string, effect: RuleEffect, origin: RuleOrigin = 'user'): PermissionRule {
  const parsed = parsePermissionRule(text, { effect, origin });
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error);
  return parsed.rule;
}

const decide = (rules: readonly PermissionRule[], mode: PermissionMode = 'ask', isTrusted = true): Verdict =>
  decidePermission({ toolName: 'ext__add', plan, mode, isTrusted, rules });

describe('rules about tools of other extensions', () => {
  it('are needed for a call to run without a question, and none is offered on the card', () => {
    assert.deepEqual(decide([]), { action: 'ask', origin: 'mode', reason: 'No rule allows this tool' });
    assert.deepEqual(decide([rule('tool:ext__add', 'allow')]), { action: 'allow', origin: 'rule' });
    assert.deepEqual(decide([rule('tool:ext__addition', 'allow')]).action, 'ask');
  });

  it('allow only from the person’s own settings, in a trusted workspace, and not in plan mode', () => {
    const allow = rule('tool:ext__add', 'allow');
    assert.equal(decide([rule('tool:ext__add', 'allow', 'session')]).action, 'ask');
    assert.equal(decide([rule('tool:ext__add', 'allow', 'workspace')]).action, 'ask');
    assert.deepEqual([decide([allow], 'plan').action, decide([allow], 'ask', false).action], ['deny', 'deny']);
  });

  it('forbid and ask, even where another rule allows', () => {
    const allow = rule('tool:ext__add', 'allow');
    assert.equal(decide([allow, rule('tool:ext__*', 'deny', 'workspaceFile')]).action, 'deny');
    assert.equal(decide([allow, rule('tool:ext__add', 'ask', 'workspaceFile')]).action, 'ask');
  });
});
