import assert from 'node:assert/strict';
import { AgentError } from '../../../../src/sdk/errors';
import { parseAgentOptions } from '../../../../src/sdk/configuration/options';

const required = { systemPrompt: 's', model: 'm', baseUrl: 'http://localhost:8080' };

describe('parseAgentOptions', () => {
  it('fills in the documented defaults', () => {
    assert.deepEqual(parseAgentOptions(required), {
      ...required,
      tools: [],
      autoExecuteTools: false,
      maxToolIterations: 5,
      maxRetries: 2,
      maxOutputCorrections: 2,
      maxRepeatedCalls: 5,
      maxTokens: 4096,
      temperature: 0.7,
      timeoutMs: 60_000,
      hooks: {},
      history: [],
      replayReasoning: 'auto',
      toolChoice: 'auto',
      allowLenientToolJson: true,
    });
  });

  it('keeps null, which is not sent', () => {
    const options = parseAgentOptions({ ...required, maxTokens: null, temperature: null, timeoutMs: null });
    assert.deepEqual([options.maxTokens, options.temperature, options.timeoutMs], [null, null, null]);
  });

  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ['a missing model', { systemPrompt: 's', baseUrl: 'http://a' }, /model: expected string/],
    ['a limit below one', { ...required, maxToolIterations: 0 }, /maxToolIterations: /],
    ['a tool that is none', { ...required, tools: [{ name: 'x' }] }, /tools\.0: expected a tool made by tool\(\)/],
    ['a hook that is no function', { ...required, hooks: { PreToolUse: [1] } }, /hooks\.PreToolUse\.0: expected a f/],
    ['an output schema that is none', { ...required, outputSchema: 'yes' }, /outputSchema: expected a zod type/],
    [
      'a body that takes what is ours',
      { ...required, extraBody: { messages: [] } },
      /extraBody: may not hold model, m/,
    ],
    ['a message without text', { ...required, history: [{ role: 'user' }] }, /history\.0: expected a message/],
    [
      'a result of no call',
      {
        ...required,
        history: [
          { role: 'user', content: 'a' },
          { role: 'tool', content: 'b' },
        ],
      },
      /history\.1: expected a message/,
    ],
    ['an option that does not exist', { ...required, maxTurn: 1 }, /unknown field maxTurn/],
    ['a URL that is none', { ...required, baseUrl: 'ftp://host' }, /ftp:\/\/host/],
    ['no object at all', undefined, /Agent options: /],
  ];
  it('accepts the history of another client', () => {
    const history = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'x', input: {} }], stopReason: 'tool_use' },
      { role: 'tool', content: { type: 'tool_result', toolUseId: 'c1', content: '', isError: false } },
    ];
    assert.deepEqual(parseAgentOptions({ ...required, history }).history, history);
  });

  it('names every wrong field at once', () => {
    assert.throws(
      () => parseAgentOptions({ ...required, temperature: 'hot', maxTurns: 0, timeoutMs: -1 }),
      /temperature: .*; .*maxTurns: |maxTurns: .*temperature: /,
    );
  });

  for (const [what, options, message] of wrong) {
    it(`names ${what}`, () => {
      assert.throws(
        () => parseAgentOptions(options),
        (error) => error instanceof AgentError && error.code === 'invalid_options' && message.test(error.message),
      );
    });
  }
});
