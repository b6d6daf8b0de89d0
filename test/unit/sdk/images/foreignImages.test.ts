import assert from 'node:assert/strict';
import { Client } from '../../../../src/sdk/client';
import { toOpenAIMessages } from '../../../../src/sdk/convert/toOpenAI';
import type { ImagePart, Message, ToolResultContent } from '../../../../src/sdk/messages';
import { tool, type Tool } from '../../../../src/sdk/tool';
import { dataUrl, pngOf } from '../../../support/images/sampleImages';
import { response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';
import { collect, record, scriptedClient } from '../../../support/sessions/clients';

const png = pngOf(4, 3);
const address: ImagePart = { type: 'image', image: 'http://169.254.169.254/secret.png' };
const bytes: ImagePart = { type: 'image', image: png };

/** A history in which a user or a tool has an image. */
const histories = (image: ImagePart): readonly (readonly Message[])[] => [
  [{ role: 'user', content: [image] }],
  [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [toolUse('c1', 'look')] },
    { role: 'tool', content: { type: 'tool_result', toolUseId: 'c1', content: 'ok', images: [image], isError: false } },
  ],
];

describe('images from elsewhere', () => {
  it('are refused in a history when they are an address, which the server would fetch', () => {
    for (const history of histories(address)) {
      const options = { model: 'm', baseUrl: 'http://localhost:1', history };
      assert.throws(() => new Client(options), { code: 'invalid_options', message: /history\.\d: expected a message/ });
      assert.throws(() => toOpenAIMessages(history), { code: 'invalid_options', message: /never fetched/ });
    }
  });

  it('are data URLs in every message, also where a history has bytes', () => {
    for (const history of histories(bytes)) {
      const { client } = scriptedClient([], { history });
      assert.ok(JSON.stringify(client.history).includes(dataUrl(png)));
      assert.ok(JSON.stringify(toOpenAIMessages(history)).includes(dataUrl(png)));
    }
  });

  it('of a tool that is not made by tool() are checked as well', async () => {
    for (const [image, outcome] of [
      [address, 'failed'],
      [bytes, 'succeeded'],
    ] as const) {
      const look: Tool = {
        ...tool('look', 'Look', {}, () => 'ok'),
        run: async () => ({ content: 'ok', images: [image] }),
      };
      const { client } = scriptedClient([response([toolUse('c1', 'look')]), textResponse('ok')], { tools: [look] });
      const { events } = await record(client.run('Look.'));
      assert.equal(events.find((event) => event.type === 'tool_execution_end')?.outcome, outcome);
      assert.doesNotMatch(JSON.stringify(client.history), /"image":"http/);
    }
  });

  it('and contents of addToolResult are checked: text and JSON become what a tool would give, nothing else does', async () => {
    const look = tool('look', 'Look', {}, () => 'ok');
    const given: readonly (readonly [unknown, unknown])[] = [
      [42, '42'],
      [{ a: [new Date(0)] }, { a: ['1970-01-01T00:00:00.000Z'] }],
      [() => 1, undefined],
    ];
    for (const [content, kept] of given) {
      const { client } = scriptedClient([response([toolUse('c1', 'look')])], {
        tools: [look],
        autoExecuteTools: false,
      });
      await client.query('Look.');
      await collect(client.receiveMessages());
      const added = client.addToolResult('c1', content as ToolResultContent);
      if (kept === undefined)
        await assert.rejects(added, { code: 'invalid_options', message: /neither text nor JSON/ });
      else await added;
      const last = client.history.at(-1);
      assert.deepEqual(last?.role === 'tool' ? last.content.content : undefined, kept);
    }
  });
});
