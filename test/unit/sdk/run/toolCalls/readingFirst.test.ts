import assert from 'node:assert/strict';
import type { PreToolUseDecision, PreToolUseEvent } from '../../../../../src/sdk/hooks';
import { prepareCall } from '../../../../../src/sdk/run/toolCalls/toolRunner';
import { createToolRegistry } from '../../../../../src/sdk/run/toolCalls/toolRegistry';
import { tool } from '../../../../../src/sdk/tool';
import { systemTimer } from '../../../../../src/util/timer';

type Hook = (event: PreToolUseEvent) => PreToolUseDecision | undefined;

/** Prepares a call of a tool that asks to read its path, unless the path is open to all. Logs each step. */
async function prepare(path: string, ...hooks: readonly Hook[]) {
  const log: string[] = [];
  const edit = tool(
    'edit',
    'Edit',
    { path: 'string' },
    {
      prepare({ path: file }) {
        const plan = () => {
          log.push(`open ${file}`);
          if (file === 'broken') throw new Error('the disk is gone');
          return file === 'missing'
            ? ({ ok: false, error: 'No such text.' } as const)
            : ({ ok: true, plan: file } as const);
        };
        if (file === 'open') return plan();
        return { ok: true, reading: `read ${file}`, planAfterReading: async () => plan() };
      },
      run: (plan) => `edited ${plan}`,
    },
  );
  const parts = {
    registry: createToolRegistry([edit]),
    preToolUse: hooks.map((hook, index) => (event: PreToolUseEvent) => {
      log.push(`hook ${index + 1}: ${String(event.plan)}${event.isReading ? ', only to read' : ''}`);
      return hook(event);
    }),
    postToolUse: [],
    stopGraceMs: 0,
    setTimer: systemTimer,
  };
  const call = { type: 'tool_use', id: 'c', name: 'edit', input: { path } } as const;
  const prepared = await prepareCall(parts, call, new AbortController().signal);
  assert.ok(prepared.ok || 'error' in prepared);
  return { log, outcome: prepared.ok ? prepared.plan : `${prepared.outcome}: ${prepared.error}`, tool: edit };
}

const allow: Hook = () => ({ action: 'allow' });
const ignore: Hook = () => undefined;

describe('a tool that asks to read first', () => {
  it('opens nothing before every hook allowed the reading, and asks all of them about the plan', async () => {
    const { log, outcome } = await prepare('a', allow, ignore);
    assert.deepEqual(log, [
      'hook 1: read a, only to read',
      'hook 2: read a, only to read',
      'open a',
      'hook 1: a',
      'hook 2: a',
    ]);
    assert.equal(outcome, 'a');
  });

  it('opens nothing after a denial of the reading', async () => {
    const { log, outcome } = await prepare('missing', allow, () => ({ action: 'deny', reason: 'no' }));
    assert.deepEqual(log, ['hook 1: read missing, only to read', 'hook 2: read missing, only to read']);
    assert.equal(outcome, 'denied: The call was denied. Nothing was changed. Reason: no');
  });

  it('can fail after the reading, with a reason for the model', async () => {
    assert.equal((await prepare('missing', allow)).outcome, 'failed: No such text.');
    assert.equal((await prepare('broken', allow)).outcome, 'failed: edit failed: the disk is gone');
  });

  it('can be refused when its plan is known', async () => {
    const { outcome } = await prepare('a', ({ isReading }) =>
      isReading ? { action: 'allow' } : { action: 'deny', reason: 'not this' },
    );
    assert.equal(outcome, 'denied: The call was denied. Nothing was changed. Reason: not this');
  });

  it('does not read anything else than the hooks were asked about', async () => {
    const { log, outcome } = await prepare('a', () => ({ action: 'allow', plan: 'read b' }));
    assert.deepEqual(log, ['hook 1: read a, only to read']);
    assert.match(String(outcome), /^denied: .*a PreToolUse hook changed what the tool reads/);
  });

  it('is asked about anew when a hook changes its input, by the hooks after that one', async () => {
    const once = (path: string, when: (event: PreToolUseEvent) => boolean): Hook => {
      let isDone = false;
      return (event) => {
        if (isDone || !when(event)) return undefined;
        isDone = true;
        return { action: 'modify', input: { path } };
      };
    };
    const whileReading = await prepare(
      'a',
      once('b', () => true),
      allow,
    );
    assert.deepEqual(whileReading.log, [
      'hook 1: read a, only to read',
      'hook 2: read b, only to read',
      'open b',
      'hook 2: b',
    ]);
    const withPlan = await prepare(
      'a',
      ignore,
      once('b', ({ isReading }) => !isReading),
      allow,
    );
    assert.deepEqual(withPlan.log.slice(3), [
      'open a',
      'hook 1: a',
      'hook 2: a',
      'hook 3: read b, only to read',
      'open b',
      'hook 3: b',
    ]);
    assert.equal(
      (
        await prepare(
          'a',
          once('open', () => true),
          allow,
        )
      ).outcome,
      'open',
    );
  });

  it('runs all steps for a caller who has decided already', async () => {
    const { tool: edit } = await prepare('open', allow);
    assert.equal(await edit.execute({ path: 'a' }), 'edited a');
    await assert.rejects(edit.execute({ path: 'missing' }), /No such text/);
  });
});
