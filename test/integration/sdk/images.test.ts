import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, openSession, tool, type AgentEvent, type AgentOptions, type Message } from '../../../src/sdk';
import { removeOrphanedImages } from '../../../src/sdk/session/images/imageFolder';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';
import { dataUrl, pngOf } from '../../support/images/sampleImages';
import { ModelServer } from '../../support/servers/modelServer';

const png = pngOf(64, 48);
const blue = pngOf(32, 32, [0, 0, 200]);
const question = [
  { type: 'image' as const, image: png, name: 'a.png' },
  { type: 'text' as const, text: 'Which colour?' },
];

describe('images in a conversation', () => {
  let server: ModelServer;
  let options: AgentOptions;

  beforeEach(async () => {
    server = await ModelServer.start();
    options = { systemPrompt: '', model: 'test-model', baseUrl: server.baseUrl, autoExecuteTools: true };
  });
  afterEach(async () => {
    await server.dispose();
    assert.deepEqual(server.unexpected, []);
  });

  const messagesOf = (index: number): string => JSON.stringify(server.completions[index]?.body.messages);

  it('go to the server as data URLs, with the same bytes in each request', async () => {
    server.script({ text: 'Red.' }, { text: 'Yes.' });
    await using client = new Client(options);
    await readAll(client.run(question));
    await readAll(client.run('Sure?'));
    assert.deepEqual(server.completions[0]?.body.messages[0]?.content, [
      { type: 'image_url', image_url: { url: dataUrl(png) } },
      { type: 'text', text: 'Which colour?' },
    ]);
    assert.ok(messagesOf(1).startsWith(messagesOf(0).slice(0, -1)));
  });

  it('are refused before anything is sent when they are an address', async () => {
    await using client = new Client(options);
    const far = [{ type: 'image' as const, image: 'https://example.org/a.png' }];
    await assert.rejects(readAll(client.run(far)), { code: 'invalid_options', message: /never fetched/ });
    await assert.rejects(client.query(far), { code: 'invalid_options' });
    assert.throws(() => new Client({ ...options, history: [{ role: 'user', content: far }] }), /history/);
    assert.equal(server.completions.length, 0);
  });

  it('of a session are files beside it, and the reloaded conversation is byte for byte the same', async () => {
    await using folder = await createTemporaryFolder();
    const file = path.join(folder.path, 'chat.jsonl');
    const look = tool('look', 'Look', {}, () => ({ content: 'blue.png', images: [{ type: 'image', image: blue }] }));
    server.script({ toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] }, { text: 'Blue.' }, { text: 'Still.' });
    let history: readonly Message[];
    {
      await using session = await openSession(file);
      await using client = new Client({ ...options, tools: [look] });
      await readAll(session.run(client, question));
      history = client.history;
    }
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(text, /base64/);
    assert.equal((await readdir(path.join(folder.path, 'images'))).length, 2);
    await using again = await openSession(file);
    assert.deepEqual(again.history, history);
    await using client = new Client({ ...options, tools: [look], history: again.history });
    await readAll(again.run(client, 'Sure?'));
    assert.ok(messagesOf(2).startsWith(messagesOf(1).slice(0, -1)));
  });

  it('keep their order between texts', async () => {
    await using folder = await createTemporaryFolder();
    const file = path.join(folder.path, 'chat.jsonl');
    server.script({ text: 'Two.' });
    const content = [
      { type: 'text' as const, text: 'First:' },
      { type: 'image' as const, image: dataUrl(png) },
      { type: 'text' as const, text: 'Second:' },
      { type: 'image' as const, image: dataUrl(blue) },
    ];
    {
      await using session = await openSession(file);
      await using client = new Client(options);
      await readAll(session.run(client, content));
    }
    await using again = await openSession(file);
    assert.deepEqual(again.history[0], { role: 'user', content });
  });

  for (const damage of ['missing', 'changed', 'a link', 'in a folder that is a link'] as const) {
    it(`are replaced by a note when their file is ${damage}`, async () => {
      await using folder = await createTemporaryFolder();
      const file = path.join(folder.path, 'chat.jsonl');
      server.script({ text: 'Red.' });
      {
        await using session = await openSession(file);
        await using client = new Client(options);
        await readAll(session.run(client, question));
      }
      const images = path.join(folder.path, 'images');
      const [name = ''] = await readdir(images);
      const outside = path.join(folder.path, 'outside');
      await mkdir(outside);
      await writeFile(path.join(outside, name), png);
      if (damage === 'changed') await writeFile(path.join(images, name), blue);
      else if (damage === 'in a folder that is a link') {
        await rm(images, { recursive: true });
        await symlink(outside, images);
      } else await rm(path.join(images, name));
      if (damage === 'a link') await symlink(path.join(outside, name), path.join(images, name));
      await using again = await openSession(file);
      assert.deepEqual(again.history[0], {
        role: 'user',
        content: [
          { type: 'text', text: '[An image was here. Its file is missing or damaged.]' },
          { type: 'text', text: 'Which colour?' },
        ],
      });
    });
  }

  it('that no session names are removed, and others stay', async () => {
    await using folder = await createTemporaryFolder();
    const file = path.join(folder.path, 'chat.jsonl');
    server.script({ text: 'Red.' });
    await using session = await openSession(file);
    await using client = new Client(options);
    await readAll(session.run(client, question));
    const images = path.join(folder.path, 'images');
    const [used = ''] = await readdir(images);
    const orphan = 'a'.repeat(64);
    await writeFile(path.join(images, orphan), blue);
    await writeFile(path.join(images, 'notes.txt'), 'mine');
    const hashes = new Set([used]);
    await removeOrphanedImages(images, { used: hashes, olderThanMs: Date.now() - 60_000 });
    assert.deepEqual((await readdir(images)).sort(), [used, orphan, 'notes.txt'].sort());
    await removeOrphanedImages(images, { used: hashes, olderThanMs: Date.now() + 60_000 });
    assert.deepEqual((await readdir(images)).sort(), [used, 'notes.txt'].sort());
  });

  const refusals: readonly (readonly [string, number])[] = [
    ['image input is not supported - hint: if this is unexpected, you may need to provide the mmproj', 500],
    ['this model is missing data required for image input', 500],
    ['test-model is not a multimodal model', 400],
    ['Model does not support images. Please use a model that does.', 400],
    ['Invalid content type. image_url is only supported by certain models.', 400],
    ['unknown variant `image_url`, expected `text`', 422],
    ['At most 0 image(s) may be provided in one prompt.', 400],
  ];
  for (const [said, status] of refusals) {
    it(`become a note, with the way out, when the server says: ${said.slice(0, 40)}`, async () => {
      const body = JSON.stringify({ error: { message: said } });
      server.script({ kind: 'status', status, body }, { text: 'I cannot see it.' });
      await using client = new Client({ ...options, maxRetries: 0 });
      const events = await readAll(client.run(question));
      const warning = events.find(({ type }) => type === 'warning');
      assert.ok(warning?.type === 'warning' && warning.code === 'server_quirk', JSON.stringify(events.at(-1)));
      assert.match(warning.message, /takes no images for test-model.*(?:Use a model with vision|--mmproj)/);
      assert.match(messagesOf(1), /An image was here/);
      assert.doesNotMatch(messagesOf(1), /base64/);
    });
  }

  it('of results move to a message of their own where the server wants that', async () => {
    const look = tool('look', 'Look', {}, () => ({ content: 'ok', images: [{ type: 'image', image: blue }] }));
    const body = JSON.stringify({
      error: {
        message:
          "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
      },
    });
    server.script(
      { toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] },
      { kind: 'status', status: 400, body },
      { text: 'Blue.' },
    );
    await using client = new Client({ ...options, tools: [look] });
    await readAll(client.run('Look.'));
    const roles = server.completions[2]?.body.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['user', 'assistant', 'tool', 'assistant', 'user']);
  });
});

async function readAll(events: AsyncGenerator<AgentEvent, unknown>): Promise<AgentEvent[]> {
  const read: AgentEvent[] = [];
  for await (const event of events) read.push(event);
  return read;
}
