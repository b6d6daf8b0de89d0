import assert from 'node:assert/strict';
import { query } from '../../../../src/sdk/query';
import { tool } from '../../../../src/sdk/tool';
import { collect, scriptedClient } from '../../../support/sessions/clients';
import {
  failure,
  response,
  ScriptedProvider,
  textResponse,
  toolUse,
  type Script,
} from '../../../support/servers/scriptedProvider';

const add = tool('add', 'Add', { a: 'number' }, ({ a }) => a);
const cut = response([{ type: 'text', text: 'Once upon' }], { stopReason: 'length' });

async function blocksOf(scripts: readonly Script[], options: Parameters<typeof scriptedClient>[1] = {}) {
  const { client } = scriptedClient(scripts, { tools: [add], maxTokens: 50, ...options });
  await client.query('go');
  const blocks = await collect(client.receiveMessages());
  return { blocks, history: client.history };
}

describe('the last block of receiveMessages', () => {
  for (const autoExecuteTools of [true, false]) {
    const mode = autoExecuteTools ? 'automatic' : 'manual';

    it(`tells that an answer was cut at its length limit, in ${mode} mode`, async () => {
      const { blocks, history } = await blocksOf([cut], { autoExecuteTools });
      const message = 'The answer reached its length limit. Raise maxTokens, or continue.';
      assert.deepEqual(blocks, [
        { type: 'text', text: 'Once upon' },
        { type: 'limit', limit: 'length', message },
      ]);
      assert.equal(JSON.stringify(history).includes('"limit"'), false);
    });

    it(`tells that a filter ended an answer, in ${mode} mode`, async () => {
      const filtered = response([{ type: 'text', text: 'Once' }], { stopReason: 'content_filter' });
      const { blocks } = await blocksOf([filtered], { autoExecuteTools });
      assert.deepEqual(
        blocks.map((block) => (block.type === 'limit' ? block.limit : block.type)),
        ['text', 'content_filter'],
      );
    });

    it(`is that of the answer when nothing is missing, in ${mode} mode`, async () => {
      const { blocks } = await blocksOf([textResponse('Done.')], { autoExecuteTools });
      assert.deepEqual(blocks, [{ type: 'text', text: 'Done.' }]);
    });

    it(`tells of a call without a name before other calls, in ${mode} mode`, async () => {
      const error = { type: 'tool_use_error', error: 'The model called a tool without naming it.' } as const;
      const { blocks } = await blocksOf([response([error, toolUse('c1', 'add', { a: 1 })]), textResponse('Done.')], {
        autoExecuteTools,
      });
      assert.deepEqual(blocks[0], error);
    });
  }

  it('tells that the model still wanted tools', async () => {
    const { blocks } = await blocksOf([response([toolUse('c1', 'add', { a: 1 })])], { maxToolIterations: 1 });
    const last = blocks.at(-1);
    assert.deepEqual(
      blocks.map(({ type }) => type),
      ['tool_use', 'tool_result', 'limit'],
    );
    assert.ok(last?.type === 'limit' && last.limit === 'max_tool_iterations' && /maxToolIterations/.test(last.message));
  });

  it('does not hide an error', async () => {
    const broken = failure({ code: 'stream_broken', message: 'Cut off.' }, [{ type: 'text', text: 'One' }]);
    await assert.rejects(blocksOf([broken]), { code: 'stream_broken' });
  });

  it('is a message with a stop reason in query', async () => {
    const provider = new ScriptedProvider([cut]);
    const options = { systemPrompt: '', model: 'm', baseUrl: 'http://localhost:1', maxTokens: 50, provider };
    assert.deepEqual(await collect(query('go', options)), [
      { role: 'assistant', content: [{ type: 'text', text: 'Once upon' }] },
      { role: 'assistant', content: [], stopReason: 'length' },
    ]);
  });
});
