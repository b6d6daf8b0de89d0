import assert from 'node:assert/strict';
import { aggregateChunks, type AggregateOptions } from '../../../../src/sdk/convert/aggregateChunks';
import type { ModelEvent, ModelResponse } from '../../../../src/sdk/model/modelProvider';
import { tool } from '../../../../src/sdk/tool';

const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: 'chatcmpl-1',
  model: 'tiny',
  choices: [{ index: 0, delta, finish_reason }],
});

const add = tool('add', 'Add', { a: 'number' }, ({ a }) => a);
const callDelta = (text: string): object => ({
  tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'add', arguments: text } }],
});

async function read(
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  options?: AggregateOptions,
): Promise<{ readonly types: readonly string[]; readonly response: ModelResponse }> {
  const events: ModelEvent[] = [];
  const stream = aggregateChunks(chunks, options);
  let next = await stream.next();
  for (; !next.done; next = await stream.next()) events.push(next.value);
  return { types: events.map(({ type }) => type), response: next.value };
}

describe('aggregateChunks', () => {
  it('yields the pieces of a response and returns it', async () => {
    const { types, response } = await read([
      chunk({ role: 'assistant', content: 'Let me ' }),
      chunk({ content: 'add.' }),
      chunk(callDelta('{"a":1}')),
      chunk({}, 'tool_calls'),
    ]);
    assert.deepEqual(types, ['text_delta', 'text_delta', 'block_end', 'tool_use_start', 'tool_use_delta', 'block_end']);
    assert.deepEqual(response, {
      responseId: 'chatcmpl-1',
      model: 'tiny',
      content: [
        { type: 'text', text: 'Let me add.' },
        { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1 } },
      ],
      stopReason: 'tool_use',
    });
  });

  it('reads a call that is written as text only where there are tools', async () => {
    const text = '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>';
    const chunks = [chunk({ content: text }), chunk({}, 'stop')];
    assert.deepEqual((await read(chunks)).response.content, [{ type: 'text', text }]);
    const [block] = (await read(chunks, { tools: [add] })).response.content;
    assert.deepEqual(block?.type === 'tool_use' && [block.name, block.input], ['add', { a: 1 }]);
  });

  it('takes a whole completion', async () => {
    const completion = { id: '1', model: 'tiny', choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }] };
    assert.deepEqual((await read([completion])).response.content, [{ type: 'text', text: 'Hi.' }]);
  });

  it('keeps the text of a stream that breaks off, but none of its calls', async () => {
    const { response } = await read([chunk({ content: 'Let me' }), chunk(callDelta('{"a":1}'))]);
    assert.equal(response.stopReason, 'incomplete');
    assert.deepEqual(
      response.content.map(({ type }) => type),
      ['text', 'tool_use_error'],
    );
  });

  it('passes on what its source throws, and ignores what is no chunk', async () => {
    async function* broken(): AsyncGenerator<unknown> {
      yield* [chunk({ content: 'Hi' }), 7, null];
      await Promise.resolve();
      throw new Error('The cable is out.');
    }
    await assert.rejects(read(broken()), /The cable is out/);
    assert.deepEqual((await read([7, chunk({ content: 'Hi' }, 'stop'), null])).response.stopReason, 'stop');
  });
});
