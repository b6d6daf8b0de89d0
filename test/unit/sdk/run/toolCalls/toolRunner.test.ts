import assert from 'node:assert/strict';
import { toolStopped } from '../../../../../src/sdk/abort';
import { tool, type Tool, type ToolOutput } from '../../../../../src/sdk/tool';
import { createToolRegistry } from '../../../../../src/sdk/run/toolCalls/toolRegistry';
import { executeCall, prepareCall, type ToolRunnerParts } from '../../../../../src/sdk/run/toolCalls/toolRunner';
import { toolUse } from '../../../../support/servers/scriptedProvider';
import { systemTimer } from '../../../../../src/util/timer';

const partsWith = (...tools: Tool[]): ToolRunnerParts => ({
  registry: createToolRegistry(tools),
  preToolUse: [],
  postToolUse: [],
  stopGraceMs: 0,
  setTimer: systemTimer,
});

describe('executeCall', () => {
  it('does not wait for a tool that ignores its stop', async () => {
    const controller = new AbortController();
    const parts = partsWith(
      tool('deaf', 'Ignore', {}, async () => {
        controller.abort(toolStopped());
        await new Promise(() => {});
      }),
    );
    const call = toolUse('c1', 'deaf');
    const { signal } = controller;
    const ready = await prepareCall(parts, call, signal);
    assert.ok(ready.ok);
    const runSignal = new AbortController().signal;
    const options = { signal, runSignal, progress: () => {}, toContent: ({ content }: ToolOutput) => content };
    assert.deepEqual(await executeCall(parts, call, ready, options), {
      outcome: 'interrupted',
      result: {
        type: 'tool_result',
        toolUseId: 'c1',
        toolName: 'deaf',
        content: 'The user stopped this tool call. It may have taken effect in part.',
        isError: true,
      },
      hookFailures: [],
    });
  });
});

describe('prepareCall', () => {
  const cases: readonly (readonly [string, Partial<Tool>, string])[] = [
    ['whose validation throws', { validate: () => assert.fail('odd') }, 'odd failed: odd'],
    ['whose preparation rejects', { prepare: () => Promise.reject(new Error('no disk')) }, 'odd failed: no disk'],
  ];
  for (const [what, broken, error] of cases) {
    it(`never throws: a tool ${what} is refused`, async () => {
      const odd: Tool = { ...tool('odd', 'Odd', {}, () => 'x'), ...broken };
      const refused = await prepareCall(partsWith(odd), toolUse('c1', 'odd'), new AbortController().signal);
      assert.deepEqual(refused, { ok: false, input: {}, outcome: 'failed', error });
    });
  }

  it('does not wait for a preparation after an abort', async () => {
    const controller = new AbortController();
    const slow = tool(
      'slow',
      'Slow',
      {},
      {
        prepare: () => {
          controller.abort(toolStopped());
          return new Promise<{ readonly ok: true; readonly plan: string }>(() => {});
        },
        run: () => 'never',
      },
    );
    assert.deepEqual(await prepareCall(partsWith(slow), toolUse('c1', 'slow'), controller.signal), {
      ok: false,
      input: {},
      outcome: 'interrupted',
      error: 'The user stopped this tool call. The call was not executed and nothing was changed.',
    });
  });
});
