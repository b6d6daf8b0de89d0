import assert from 'node:assert/strict';
import type { ModelResponse } from '../../../../src/sdk/model/modelProvider';
import { aggregateBytes, recording } from './streamFixtures';

const text = '# Title\n\nHere is `code` and a 😀 and "quotes".\n\n```ts\nconst a: number = 1;\n```\n';
const thought = { type: 'thinking', text: 'I should read it.\n' };

/** What each recording says, besides ids and counts. */
const expected: Readonly<Record<string, Pick<ModelResponse, 'stopReason'> & { content: unknown }>> = {
  'qwen2.5-text.sse': { content: [{ type: 'text', text }], stopReason: 'stop' },
  'qwen2.5-tool-call.sse': {
    content: [
      { type: 'text', text: 'Let me look at the file first.\n' },
      { type: 'tool_use', id: 'ZcKGGz0Uuq13pIVgDEjp1XYhtT8xagFd', name: 'read_file', input: { path: 'src/main.ts' } },
    ],
    stopReason: 'tool_use',
  },
  'qwen2.5-two-tool-calls.sse': {
    content: [
      { type: 'tool_use', id: 'yyRDLAWP6opaO9zYnyZcBlP35ycUCm2Y', name: 'read_file', input: { path: 'a.ts' } },
      {
        type: 'tool_use',
        id: 'bKGCBqnJIpUUnpz7hwY5Xjyam181wA3r',
        name: 'run_command',
        input: { command: 'npm test -- --grep "é 😀"' },
      },
    ],
    stopReason: 'tool_use',
  },
  'qwen3-thinking-text.sse': {
    content: [
      { type: 'thinking', text: 'Short thought.\n' },
      { type: 'text', text: 'The answer is 42.' },
    ],
    stopReason: 'stop',
  },
  'qwen3-thinking-then-tool.sse': {
    content: [
      thought,
      { type: 'tool_use', id: 'EW9ItXspXueN2C7CuwK8ViSimvzvrVTk', name: 'read_file', input: { path: 'src/main.ts' } },
    ],
    stopReason: 'tool_use',
  },
  'llama3.1-tool.sse': {
    content: [
      { type: 'tool_use', id: '3Tfzasbv8M1zvRsFQKGSIn3DTiFnWhQe', name: 'read_file', input: { path: 'src/main.ts' } },
    ],
    stopReason: 'tool_use',
  },
  'tool-call-as-text-wrong-template.sse': {
    content: [
      { type: 'text', text: 'Sure.\n' },
      { type: 'tool_use', id: 'id1', name: 'read_file', input: { path: 'src/main.ts' } },
    ],
    stopReason: 'tool_use',
  },
};

describe('recorded streams', () => {
  for (const [name, { content, stopReason }] of Object.entries(expected)) {
    const bytes = recording(name);

    it(`${name} comes out as what was said`, () => {
      const { response, malformed } = aggregateBytes([bytes]);
      assert.deepEqual(response.content, content);
      assert.equal(response.stopReason, stopReason);
      assert.deepEqual(malformed, []);
    });

    it(`${name} is the same whatever its packets are`, () => {
      const whole = aggregateBytes([bytes]);
      const single = aggregateBytes(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)));
      assert.deepEqual(single, whole);
      // Two packets, cut at every place of the beginning and the end, and at a sample of the rest.
      for (let cut = 1; cut < bytes.length; cut += cut < 1_200 || cut > bytes.length - 400 ? 1 : 37) {
        assert.deepEqual(aggregateBytes([bytes.subarray(0, cut), bytes.subarray(cut)]), whole, `cut at ${cut}`);
      }
    });

    it(`${name} reads the same with CRLF line ends`, () => {
      const crlf = Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n'));
      assert.deepEqual(aggregateBytes([crlf]), aggregateBytes([bytes]));
    });
  }

  it('yields prompt progress, and the usage of the last chunk', () => {
    const { events, response } = aggregateBytes([recording('text-with-progress-and-timings.sse')]);
    assert.deepEqual(
      events.filter((event) => event.type === 'prompt_progress'),
      [
        { type: 'prompt_progress', progress: { total: 930, processed: 24, cached: 24, elapsedMs: 0 } },
        { type: 'prompt_progress', progress: { total: 930, processed: 930, cached: 24, elapsedMs: 11 } },
      ],
    );
    assert.deepEqual(response.usage, {
      promptTokens: 930,
      completionTokens: 5,
      cachedTokens: 24,
      readPerSecond: 74623.17766246603,
      writtenPerSecond: 359.38903863432165,
    });
  });

  it('marks text that reached the end of the context', () => {
    const { response } = aggregateBytes([recording('text-cut-by-context.sse')]);
    assert.equal(response.stopReason, 'length');
    assert.deepEqual(
      response.content.map((block) => block.type),
      ['text'],
    );
  });

  it('never runs a call of a stream that is cut, at any byte', () => {
    const bytes = recording('qwen2.5-two-tool-calls.sse');
    const end = bytes.indexOf('"finish_reason":"tool_calls"');
    for (let cut = 0; cut < end; cut += 101) {
      const { response } = aggregateBytes([bytes.subarray(0, cut)]);
      assert.equal(response.stopReason, 'incomplete');
      assert.deepEqual(
        response.content.filter((block) => block.type === 'tool_use'),
        [],
        `cut at ${cut}`,
      );
    }
  });
});
