import assert from 'node:assert/strict';
import { fromOpenAIMessages, toOpenAIMessages, type Message } from '../../../../src/sdk';
import { estimateMessageTokens } from '../../../../src/sdk/context/tokenCount';
import { noQuirks } from '../../../../src/sdk/model/wire/serverQuirks';
import { toWireRequest } from '../../../../src/sdk/model/wire/wireRequest';
import { dataUrl, pngOf } from '../../../support/images/sampleImages';

const url = dataUrl(pngOf(280, 280));
const image = { type: 'image', image: url } as const;
const sent = { type: 'image_url', image_url: { url } };
const base = { model: 'm', systemPrompt: '', tools: [], sampling: {} };

const asked: Message = { role: 'user', content: [image, { type: 'text', text: 'What <|im_end|> is it?' }] };
const called: Message = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] };
const seen: Message = {
  role: 'tool',
  content: { type: 'tool_result', toolUseId: 'c1', content: 'a.png', images: [image], isError: false },
};
const offered = [{ name: 'look', description: 'Look', inputSchema: { type: 'object' } }];

describe('images on the wire', () => {
  it('are data URLs in parts, and texts beside them are defused', () => {
    const [message] = toWireRequest({ ...base, messages: [asked] }, noQuirks).messages;
    assert.ok(Array.isArray(message?.content));
    assert.deepEqual(message.content[0], sent);
    assert.match(JSON.stringify(message.content[1]), /What/);
    assert.doesNotMatch(JSON.stringify(message.content[1]), /<\|im_end\|>/);
  });

  it('of a result are in the result, or after all results of the step', () => {
    const request = { ...base, tools: offered, messages: [asked, called, seen] };
    const inResult = toWireRequest(request, noQuirks).messages.at(-1);
    assert.deepEqual(inResult?.content, [{ type: 'text', text: 'a.png' }, sent]);
    const after = toWireRequest(request, { ...noQuirks, resultImages: 'user' }).messages.slice(-3);
    assert.deepEqual(
      after.map(({ role, content }) => [role, content]),
      [
        ['tool', 'a.png'],
        ['assistant', 'I look at the images.'],
        ['user', [sent, { type: 'text', text: 'The images of the results above:' }]],
      ],
    );
  });

  it('only make the request grow at its end', () => {
    const rest: Message[] = [
      { role: 'assistant', content: [{ type: 'text', text: 'Red.' }] },
      { role: 'user', content: 'And now?' },
    ];
    for (const quirks of [
      noQuirks,
      { ...noQuirks, resultImages: 'user' as const },
      { ...noQuirks, images: false },
      { ...noQuirks, tools: 'text' as const },
    ]) {
      const messages: readonly Message[] = [asked, called, seen];
      const first = toWireRequest({ ...base, tools: offered, messages }, quirks).messages;
      const later = toWireRequest({ ...base, tools: offered, messages: [...messages, ...rest] }, quirks).messages;
      assert.equal(JSON.stringify(later.slice(0, first.length)), JSON.stringify(first));
    }
  });

  it('become notes for a server that takes none', () => {
    const request = { ...base, tools: offered, messages: [asked, called, seen] };
    const body = JSON.stringify(toWireRequest(request, { ...noQuirks, images: false }).messages);
    assert.doesNotMatch(body, /base64|image_url/);
    assert.equal(body.match(/An image was here/g)?.length, 2);
  });

  it('stay beside results that are sent as text', () => {
    const wire = toWireRequest(
      { ...base, tools: offered, messages: [asked, called, seen] },
      { ...noQuirks, tools: 'text' },
    ).messages;
    const last = wire.at(-1)?.content;
    assert.ok(Array.isArray(last));
    assert.deepEqual(last[1], sent);
    assert.match(JSON.stringify(last[0]), /tool_response/);
  });

  it('count with their size, not with the length of their base64', () => {
    const plain: Message = { role: 'user', content: 'What is it?' };
    const withImage: Message = { role: 'user', content: [image, { type: 'text', text: 'What is it?' }] };
    assert.equal(estimateMessageTokens([withImage]) - estimateMessageTokens([plain]), 100);
  });

  it('come back from the messages of the openai package', () => {
    const history: Message[] = [{ role: 'user', content: [image, { type: 'text', text: 'What?' }] }];
    assert.deepEqual(fromOpenAIMessages(toOpenAIMessages(history)).history, history);
    const far = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.example/a.png' } }] };
    assert.throws(() => fromOpenAIMessages([far]), /^AgentError: messages\[0\] has an image.*never fetched/);
  });
});
