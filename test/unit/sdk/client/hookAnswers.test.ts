import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PreToolUseDecision, PreToolUseHook, UserPromptSubmitHook } from '../../../../src/sdk/hooks';
import { tool } from '../../../../src/sdk/tool';
import { collect, record, scriptedClient } from '../../../support/sessions/clients';
import { response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

const circular: Record<string, unknown> = {};
circular['self'] = circular;

/** Answers that JavaScript callers give, none of which is a decision. */
const samples: readonly unknown[] = [
  false,
  true,
  null,
  0,
  1,
  Number.NaN,
  10n,
  '',
  'allow',
  'deny',
  Symbol('allow'),
  [],
  ['allow'],
  {},
  circular,
  () => ({ action: 'allow' }),
  { action: 'Allow' },
  { action: 'approve' },
  { action: ['allow'] },
  { decision: 'allow' },
  { behavior: 'allow' },
  { permissionDecision: 'allow' },
  { action: 'allow', beforeRun: 'later' },
  { action: 'modify' },
  { action: 'modify', input: 'x' },
  { action: 'modify', input: null },
];

/** Anything that has no known action. */
const anything = fc
  .oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
    fc.constantFrom(...samples),
  )
  .filter((value) => value !== undefined && !['allow', 'modify'].includes(actionOf(value)));

function actionOf(value: unknown): string {
  const action = (value as { action?: unknown } | null)?.action;
  return typeof action === 'string' ? action : '';
}

async function outcomeOf(hook: PreToolUseHook): Promise<{ readonly outcome: unknown; readonly hasRun: boolean }> {
  let hasRun = false;
  const write = tool('write', 'Write', { path: 'string' }, () => {
    hasRun = true;
    return 'written';
  });
  const { client } = scriptedClient([response([toolUse('c1', 'write', { path: 'a' })]), textResponse('ok')], {
    tools: [write],
    hooks: { PreToolUse: [hook] },
  });
  const { events } = await record(client.run('go'));
  return { outcome: events.find((event) => event.type === 'tool_execution_end')?.outcome, hasRun };
}

describe('the answers of hooks', () => {
  for (const answer of samples) {
    it(`a PreToolUse hook that answers ${nameOf(answer)} denies`, async () => {
      assert.deepEqual(await outcomeOf(() => answer as PreToolUseDecision), { outcome: 'denied', hasRun: false });
      assert.deepEqual(await outcomeOf(async () => answer as PreToolUseDecision), { outcome: 'denied', hasRun: false });
    });
  }

  it('a PreToolUse hook denies with any answer that is no decision', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (answer) => {
        assert.deepEqual(await outcomeOf(() => answer as PreToolUseDecision), { outcome: 'denied', hasRun: false });
      }),
      { numRuns: 30 },
    );
  });

  it('a UserPromptSubmit hook denies with any answer that is no decision, and nothing is sent', async () => {
    const wrong = fc.oneof(
      anything.filter((answer) => actionOf(answer) !== 'modifyPrompt'),
      fc.constantFrom(
        { action: 'modifyPrompt' },
        { action: 'modifyPrompt', prompt: 1 },
        { action: 'modify', input: {} },
      ),
    );
    await fc.assert(
      fc.asyncProperty(wrong, async (answer) => {
        const hook = (() => answer) as unknown as UserPromptSubmitHook;
        const { client, provider } = scriptedClient([], { hooks: { UserPromptSubmit: [hook] } });
        const { result } = await record(client.run('go'));
        assert.match(result.error?.message ?? '', /^The prompt was denied and not sent/);
        assert.deepEqual([client.history, provider.requests], [[], []]);
      }),
      { numRuns: 30 },
    );
  });

  it('in manual mode the call is not given to the caller to run', async () => {
    for (const answer of samples) {
      const { client } = scriptedClient([response([toolUse('c1', 'write', { path: 'a' })])], {
        tools: [tool('write', 'Write', { path: 'string' }, () => 'written')],
        approvalHook: () => answer as PreToolUseDecision,
        autoExecuteTools: false,
      });
      await client.query('go');
      const blocks = await collect(client.receiveMessages());
      assert.deepEqual(
        blocks.map(({ type }) => type),
        ['tool_use_error'],
        nameOf(answer),
      );
    }
  });

  it('a hook without an opinion leaves the call to the others', async () => {
    assert.deepEqual(await outcomeOf(() => undefined), { outcome: 'succeeded', hasRun: true });
  });

  it('a denial without a reason is still a denial', async () => {
    for (const reason of [undefined, null, 5, {}]) {
      const answer = { action: 'deny', reason } as unknown as PreToolUseDecision;
      assert.deepEqual(await outcomeOf(() => answer), { outcome: 'denied', hasRun: false });
    }
  });
});

function nameOf(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return `a ${typeof value}`;
  return value === circular ? 'a circular object' : (JSON.stringify(value) ?? String(value));
}
