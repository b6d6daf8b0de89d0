import assert from 'node:assert/strict';
import { tool } from '../../../../src/sdk/tool';
import { collect, scriptedClient } from '../../../support/sessions/clients';
import { response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

describe('Client with allowedTools and disallowedTools', () => {
  it('keeps an excluded tool out of every request and refuses its calls without asking hooks', async () => {
    const ran: string[] = [];
    const read = tool('read', 'Read', {}, () => void ran.push('read'));
    const write = tool('write', 'Write', {}, () => void ran.push('write'));
    const asked: string[] = [];
    const { client, provider } = scriptedClient(
      [response([toolUse('c1', 'write'), toolUse('c2', 'read')]), textResponse('Done')],
      {
        tools: [read, write],
        disallowedTools: ['write'],
        hooks: { PreToolUse: [({ toolName }) => void asked.push(toolName)] },
      },
    );
    await client.query('Write');
    const blocks = await collect(client.receiveMessages());

    assert.deepEqual(ran, ['read']);
    assert.deepEqual(asked, ['read']);
    assert.deepEqual(
      provider.requests.map(({ tools }) => tools.map(({ name }) => name)),
      [['read'], ['read']],
    );
    assert.deepEqual(
      blocks.find((block) => block.type === 'tool_use_error'),
      {
        type: 'tool_use_error',
        error: 'The tool write may not be used here. Nothing was executed. The tools are: read.',
        toolUseId: 'c1',
        toolName: 'write',
        rawData: '{}',
      },
    );
  });
});
