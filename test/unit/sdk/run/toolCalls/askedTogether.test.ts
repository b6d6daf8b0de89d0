import assert from 'node:assert/strict';
import type { PreToolUseDecision } from '../../../../../src/sdk/hooks';
import { tool } from '../../../../../src/sdk/tool';
import { record, scriptedClient } from '../../../../support/sessions/clients';
import { response, textResponse, toolUse } from '../../../../support/servers/scriptedProvider';

/**
 * Runs the calls of one response. Each of `rounds` is answered, in its order, as soon as all of it has been asked about;
 * what a path ends in says how.
 */
async function callTogether(paths: readonly string[], rounds: readonly (readonly string[])[]) {
  const log: string[] = [];
  const waiting = new Map<string, (decision: PreToolUseDecision) => void>();
  const open = [...rounds];
  const answer = (): void => {
    const round = open[0];
    if (!round?.every((path) => waiting.has(path))) return;
    open.shift();
    assert.deepEqual([...waiting.keys()].toSorted(), round.toSorted());
    for (const path of round) {
      log.push(`answer ${path}`);
      waiting.get(path)?.(path.endsWith('!') ? { action: 'deny', reason: 'no' } : { action: 'allow' });
      waiting.delete(path);
    }
  };
  const write = tool(
    'write',
    'Write',
    { path: 'string' },
    {
      prepare: ({ path }) => {
        log.push(`prepare ${path}`);
        return path === 'missing' ? { ok: false, error: 'There is no such file.' } : { ok: true, plan: path };
      },
      run: (plan) => {
        log.push(`run ${plan}`);
        return `wrote ${plan}`;
      },
    },
    { touches: (path: string) => whatIn(path) },
  );
  const plain = tool('read', 'Read', { path: 'string' }, ({ path }) => {
    log.push(`read ${path}`);
    return 'read';
  });
  const calls = paths.map((path, index) => toolUse(`c${index}`, path.startsWith('=') ? 'read' : 'write', { path }));
  const { client } = scriptedClient([response(calls), textResponse('ok')], {
    tools: [write, plain],
    approvalHook: ({ plan, toolName }) => {
      if (toolName === 'read') return undefined;
      log.push(`ask ${String(plan)}`);
      return new Promise((resolve) => {
        waiting.set(String(plan), resolve);
        queueMicrotask(answer);
      });
    },
  });
  const { events } = await record(client.run('go'));
  assert.deepEqual(open, []);
  const results = events.flatMap((event) => (event.type === 'tool_execution_end' ? [event.outcome] : []));
  return { log, results };
}

/** `a:2` touches the same as `a`, `?a` does not say what. */
function whatIn(path: string): string | undefined {
  if (path.startsWith('*')) throw new Error('This plan is not known.');
  return path.startsWith('?') ? undefined : path.replace(/\W.*/, '');
}

describe('calls of one response that touch different things', () => {
  it('wait for answers together, and run in their order whichever is answered first', async () => {
    const { log, results } = await callTogether(['a', 'b!', 'c'], [['c', 'b!', 'a']]);
    assert.deepEqual(log, [
      'prepare a',
      'prepare b!',
      'prepare c',
      'ask a',
      'ask b!',
      'ask c',
      'answer c',
      'answer b!',
      'answer a',
      'run a',
      'run c',
    ]);
    assert.deepEqual(results, ['succeeded', 'denied', 'succeeded']);
  });

  it('are planned after the one before where they touch the same', async () => {
    const { log } = await callTogether(
      ['a', 'b', 'a:2', 'c'],
      [
        ['a', 'b'],
        ['a:2', 'c'],
      ],
    );
    assert.deepEqual(log.slice(log.indexOf('answer b') + 1), [
      'run a',
      'run b',
      'prepare a:2',
      'prepare c',
      'ask a:2',
      'ask c',
      'answer a:2',
      'answer c',
      'run a:2',
      'run c',
    ]);
  });

  it('wait for other calls between them, and for one that cannot be planned yet', async () => {
    const other = await callTogether(['a', '=x', 'b'], [['a'], ['b']]);
    assert.deepEqual(other.log.indexOf('prepare b') > other.log.indexOf('read =x'), true);
    const unnamed = await callTogether(['a', '?b', 'c'], [['a'], ['?b'], ['c']]);
    assert.deepEqual(unnamed.results, ['succeeded', 'succeeded', 'succeeded']);
    const unknown = await callTogether(['a', '*b', 'c'], [['a'], ['*b'], ['c']]);
    assert.deepEqual(unknown.results, ['succeeded', 'succeeded', 'succeeded']);
    const unplanned = await callTogether(['a', 'missing', 'b'], [['a'], ['b']]);
    assert.deepEqual(unplanned.results, ['succeeded', 'failed', 'succeeded']);
  });

  it('are decided once more right before each runs', async () => {
    const log: string[] = [];
    const write = tool(
      'write',
      'Write',
      { path: 'string' },
      {
        prepare: ({ path }) => ({ ok: true, plan: path }),
        run: (plan) => void log.push(`run ${plan}`),
      },
      { touches: (path: string) => path },
    );
    const checks: Record<string, PreToolUseDecision> = {
      a: { action: 'allow' },
      b: { action: 'deny', reason: 'a rule forbids it' },
      c: { action: 'allow', plan: 'c, less' },
      d: { action: 'modify', input: {} },
    };
    const calls = Object.keys(checks).map((path) => toolUse(path, 'write', { path }));
    const { client } = scriptedClient([response(calls), textResponse('ok')], {
      tools: [write],
      approvalHook: ({ plan }) => {
        const path = String(plan);
        log.push(`ask ${path}`);
        const beforeRun = (): PreToolUseDecision => {
          log.push(`check ${path}`);
          return checks[path] ?? assert.fail(path);
        };
        return { action: 'allow', beforeRun };
      },
    });
    const { events } = await record(client.run('go'));
    const asked = ['ask a', 'ask b', 'ask c', 'ask d'];
    assert.deepEqual(log, [...asked, 'check a', 'run a', 'check b', 'check c', 'run c, less', 'check d']);
    const results = events.flatMap((event) => (event.type === 'tool_execution_end' ? [event.outcome] : []));
    assert.deepEqual(results, ['succeeded', 'denied', 'succeeded', 'denied']);
  });
});
