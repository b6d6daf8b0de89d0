import assert from 'node:assert/strict';
import { estimateTokens } from '../../../../src/sdk/context/tokenCount';
import { MAX_RESULT_TOKENS } from '../../../../src/sdk/run/toolCalls/boundedResult';
import { tool } from '../../../../src/sdk/tool';
import { collect, scriptedClient } from '../../../support/sessions/clients';
import { response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

const long = 'x'.repeat(5_000_000);

describe('Client with tools that say too much', () => {
  const cases = {
    'a result': tool('say', 'Say', {}, () => long),
    'an object': tool('say', 'Say', {}, () => ({ text: long })),
    'an error': tool('say', 'Say', {}, () => {
      throw new Error(long);
    }),
    'an error before the question': tool(
      'say',
      'Say',
      {},
      {
        prepare: () => ({ ok: false, error: long }),
        run: () => '',
      },
    ),
  };
  for (const [what, say] of Object.entries(cases)) {
    it(`sends ${what} of 5 MB with its middle cut out`, async () => {
      const { client, provider } = scriptedClient([response([toolUse('c1', 'say')]), textResponse('Done')], {
        tools: [say],
      });
      await client.query('Say it');
      await collect(client.receiveMessages());
      const sent = JSON.stringify(provider.requests[1]?.messages);
      assert.ok(estimateTokens(sent) < MAX_RESULT_TOKENS + 200, `${sent.length} characters`);
      assert.match(sent, /characters were left out here/);
    });
  }
});
