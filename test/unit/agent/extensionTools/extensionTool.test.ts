import assert from 'node:assert/strict';
import { createExtensionTool, type ExtensionToolParts } from '../../../../src/agent/extensionTools/extensionTool';
import type { ToolContext } from '../../../../src/sdk/tool';
import { callTool } from '../../../support/callTool';

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };

function make(parts: Partial<ExtensionToolParts>) {
  return createExtensionTool({
    name: 'ext__shout',
    extension: 'acme.tools',
    toolName: 'shout',
    description: 'Shouts',
    inputSchema,
    call: () => 'done',
    ended: new AbortController().signal,
    ...parts,
  });
}

const call = (parts: Partial<ExtensionToolParts>, options = {}) =>
  callTool([make(parts)], 'ext__shout', { text: 'a' }, options);

describe('a tool of another extension', () => {
  it('plans a call that names its provider, and runs nothing before', async () => {
    const seen: unknown[] = [];
    const result = await call(
      { call: (input) => seen.push(input) && 'A!' },
      {
        approve(plan: unknown) {
          assert.deepEqual(seen, []);
          assert.deepEqual(plan, {
            kind: 'extension',
            extension: 'acme.tools',
            tool: 'shout',
            arguments: { text: 'a' },
          });
          return plan;
        },
      },
    );
    assert.deepEqual([result, seen], [{ content: 'A!', isError: false }, [{ text: 'a' }]]);
    assert.deepEqual([make({}).server, make({ extension: null }).server], ['acme.tools', 'vscode']);
  });

  it('gives it a copy of what was approved', async () => {
    const plan = { kind: 'extension', extension: 'acme.tools', tool: 'shout', arguments: { text: 'a' } };
    await make({ call: (input) => Object.assign(input, { text: 'changed' }) && '' }).run(plan, {
      signal: new AbortController().signal,
      toolUseId: 't',
      progress: () => {},
    });
    assert.deepEqual(plan.arguments, { text: 'a' });
  });

  it('takes its word on arguments, and a copy of what it makes of them', () => {
    const made = { text: 'b' };
    const tool = make({ validate: () => ({ ok: true, input: made }) });
    const checked = tool.validate({ text: 'a' });
    made.text = 'later';
    assert.deepEqual(checked, { ok: true, input: { text: 'b' } });
    const refusing = make({ validate: () => ({ ok: false, error: 'x'.repeat(5_000) }) });
    assert.deepEqual(refusing.validate({}), { ok: false, error: `${'x'.repeat(2_000)}… [3000 more characters]` });
    assert.throws(() => make({ validate: () => undefined }).validate({}), /could not be checked/);
  });

  const answers: readonly [string, unknown, unknown][] = [
    ['text', 'a', { content: 'a' }],
    ['an output', { content: 'a', isError: true, display: { html: '<b>' } }, { content: 'a', isError: true }],
    ['data', { content: { a: [1] } }, { content: { a: [1] }, isError: false }],
    ['nothing', undefined, { content: "The tool's result is not valid.", isError: true }],
    ['a number as content', { content: 1 }, { content: "The tool's result is not valid.", isError: true }],
    ['much text', 'x'.repeat(30_000), { content: `${'x'.repeat(24_000)}… [6000 more characters]` }],
    [
      'much data',
      { content: ['x'.repeat(30_000)] },
      { content: `["${'x'.repeat(23_998)}… [6004 more characters]`, isError: false },
    ],
    [
      'deep data',
      { content: JSON.parse('['.repeat(500) + ']'.repeat(500)) as unknown },
      { content: '['.repeat(500) + ']'.repeat(500), isError: false },
    ],
  ];
  for (const [what, value, expected] of answers) {
    it(`makes a bounded result of ${what}`, async () => {
      const { isError = false, ...rest } = expected as { isError?: boolean };
      assert.deepEqual(await call({ call: () => value }), { ...rest, isError });
    });
  }

  it('makes a result of what it throws', async () => {
    const thrown = new Error('y'.repeat(3_000));
    const expected = { content: `${'y'.repeat(2_000)}… [1000 more characters]`, isError: true };
    assert.deepEqual(await call({ call: () => Promise.reject(thrown) }), expected);
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const result = await call({ call: () => ({ content: cyclic }) });
    assert.match(JSON.stringify(result), /circular/i);
  });

  it('bounds what it shows while it runs', async () => {
    const shown: string[] = [];
    const loud = (_input: unknown, { progress }: ToolContext) => {
      progress('z'.repeat(30_000));
      return '';
    };
    await call({ call: loud }, { onProgress: (output: string) => shown.push(output) });
    assert.deepEqual(shown, [`${'z'.repeat(24_000)}… [6000 more characters]`]);
  });

  it('waits five minutes, and no longer than the person wants', async () => {
    const signals: AbortSignal[] = [];
    const hangs = (_input: unknown, { signal }: ToolContext) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const content = 'The tool shout of the extension acme.tools did not answer within 5 minutes. ';
    const unknown = 'The call may have had effects.';
    const limits: number[] = [];
    const abortAfter = (ms: number): AbortSignal => {
      limits.push(ms);
      return AbortSignal.abort();
    };
    assert.deepEqual(await call({ call: hangs, abortAfter }), { content: content + unknown, isError: true });
    assert.deepEqual(limits, [5 * 60 * 1_000]);
    const stop = new AbortController();
    const stopped = call({ call: hangs }, { signal: stop.signal });
    setImmediate(() => stop.abort());
    assert.deepEqual(await stopped, { content: `The call was stopped. ${unknown}`, isError: true });
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
  });

  it('is stopped when it is taken back, and refused from then on', async () => {
    const end = new AbortController();
    const running = call({ call: () => new Promise(() => {}), ended: end.signal });
    setImmediate(() => end.abort());
    const named = 'The tool shout of the extension acme.tools';
    assert.deepEqual(await running, {
      content: `${named} was removed while it ran. The call may have had effects.`,
      isError: true,
    });
    const later = await call({ call: () => assert.fail('it is gone'), ended: end.signal });
    assert.deepEqual(later, { content: `${named} is not there any more. Nothing was done.`, isError: true });
  });
});
