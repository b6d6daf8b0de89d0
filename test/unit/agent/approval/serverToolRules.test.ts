import assert from 'node:assert/strict';
import { decidePermission, type Verdict } from '../../../../src/agent/approval/permissions';
import { parsePermissionRule, type PermissionRule } from '../../../../src/agent/approval/rules/permissionRules';
import type { RuleEffect, RuleOrigin } from '../../../../src/workspace/shell/commandRules';

function rule(text: string, effect: RuleEffect, origin: RuleOrigin = 'user'): PermissionRule {
  const parsed = parsePermissionRule(text, { effect, origin });
  return parsed.ok ? parsed.rule : assert.fail(parsed.error);
}

interface Call {
  readonly rules?: readonly PermissionRule[];
  readonly isReadOnly?: boolean;
  readonly mode?: 'plan' | 'ask' | 'acceptEdits';
  readonly toolName?: string;
  readonly isTrusted?: boolean;
}

function decide(call: Call): Verdict {
  const { rules = [], isReadOnly = false, mode = 'ask', toolName = 'mcp__docs__read', isTrusted = true } = call;
  return decidePermission({
    plan: { kind: 'mcp', server: 'docs', tool: 'read', arguments: {}, isReadOnly },
    toolName,
    mode,
    isTrusted,
    rules,
  });
}

describe('rules about tools of MCP servers', () => {
  it('allow a tool, or all of a server, from the settings', () => {
    for (const text of ['tool:mcp__docs__read', 'tool:mcp__docs__*', 'tool:mcp__docs__re*']) {
      assert.deepEqual(decide({ rules: [rule(text, 'allow')] }), { action: 'allow', origin: 'rule' }, text);
    }
    for (const text of ['tool:mcp__docs__rea', 'tool:mcp__doc__*', 'tool:mcp__docs2__*']) {
      assert.equal(decide({ rules: [rule(text, 'allow')] }).action, 'ask', text);
    }
  });

  it('lose against rules that ask or deny, plan mode and a workspace that is not trusted', () => {
    const all = rule('tool:mcp__docs__*', 'allow');
    assert.equal(decide({ rules: [all, rule('tool:mcp__docs__read', 'ask')] }).action, 'ask');
    assert.equal(decide({ rules: [all, rule('tool:mcp__*', 'deny', 'workspaceFile')] }).action, 'deny');
    assert.equal(decide({ rules: [all], mode: 'plan' }).action, 'deny');
    assert.equal(decide({ rules: [all], isTrusted: false }).action, 'deny');
  });

  it('are offered for a tool that only reads by its server, and hold as long as the server says so', () => {
    assert.deepEqual(decide({ isReadOnly: true }), {
      action: 'ask',
      origin: 'mode',
      reason: 'No rule allows this tool',
      offers: { remember: { rules: ['tool:mcp__docs__read'], scopes: ['session', 'workspace'] } },
    });
    assert.deepEqual(decide({ mode: 'acceptEdits' }), {
      action: 'ask',
      origin: 'mode',
      reason: 'No rule allows this tool',
    });
    for (const origin of ['session', 'workspace'] as const) {
      const rules = [rule('tool:mcp__docs__read', 'allow', origin)];
      assert.equal(decide({ rules, isReadOnly: true }).action, 'allow');
      assert.equal(decide({ rules, isReadOnly: false }).action, 'ask');
    }
  });
});
