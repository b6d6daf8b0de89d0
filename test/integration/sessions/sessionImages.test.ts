import assert from 'node:assert/strict';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { dataUrl, pngOf } from '../../support/images/sampleImages';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { clientsOf, createRegistry } from '../../support/sessions/registry';

const png = pngOf(64, 48);
const prompt = { text: 'Which colour?', images: [{ type: 'image', image: png, name: 'a.png' }] } as const;
const MONTH_MS = 31 * 24 * 60 * 60_000;

describe('the images of sessions', () => {
  let server: ModelServer;
  let folder: TemporaryFolder;

  beforeEach(async () => {
    server = await ModelServer.start();
    folder = await createTemporaryFolder();
  });
  afterEach(async () => {
    await server.dispose();
    await folder[Symbol.asyncDispose]();
    assert.deepEqual(server.unexpected, []);
  });

  const registryOf = (directory = folder.path, now = Date.now) =>
    createRegistry(directory, { createClient: clientsOf({ baseUrl: server.baseUrl }), now });
  const imagesIn = (directory: string) => readdir(path.join(directory, 'images'));
  const sent = (index: number): string => JSON.stringify(server.completions[index]?.body.messages);

  it('are on the page and in the request, also after a reload, with the same bytes', async () => {
    server.script({ text: 'Red.' }, { text: 'Yes.' });
    const registry = registryOf();
    const session = await registry.create();
    await session.submit(prompt);
    await session.whenIdle();
    const [shown] = session.view.items;
    assert.ok(shown?.kind === 'prompt');
    assert.deepEqual(
      shown.images?.map(({ name, width, height, mediaType, size }) => [name, width, height, mediaType, size]),
      [['a.png', 64, 48, 'image/png', png.length]],
    );
    await registry.dispose();
    assert.doesNotMatch(await readFile(path.join(folder.path, `${session.id}.jsonl`), 'utf8'), /base64/);

    const later = registryOf();
    const again = await later.open(session.id);
    assert.deepEqual(again.view.items[0], shown);
    assert.equal((await again.findImage(shown.images?.[0]?.hash ?? ''))?.image, dataUrl(png));
    assert.equal(await again.findImage('0'.repeat(64)), undefined);
    await again.submit({ text: 'Sure?' });
    await again.whenIdle();
    assert.ok(sent(1).startsWith(sent(0).slice(0, -1)));
    await later.dispose();
  });

  it('are not given to an imported session that only names them', async () => {
    server.script({ text: 'Red.' }, { text: 'No.' }, { text: 'Yes.' });
    const registry = registryOf();
    const session = await registry.create();
    await session.submit(prompt);
    await session.whenIdle();
    const exported = await registry.export(session.id, 'jsonl');
    const withoutImages = exported
      .split('\n')
      .filter((line) => !line.includes('base64'))
      .join('\n');
    for (const [text, isThere] of [
      [withoutImages, false],
      [exported, true],
    ] as const) {
      const copy = await registry.open(await registry.import(Buffer.from(text)));
      await copy.submit({ text: 'And now?' });
      await copy.whenIdle();
      assert.equal(sent(server.completions.length - 1).includes(png.toString('base64')), isThere);
    }
    await registry.dispose();
  });

  it('of a prompt that is sent during a run wait for its end, and survive a reload', async () => {
    const gate = createGate();
    server.script({ text: [gate, 'One.'] }, { text: 'Red.' });
    const registry = registryOf();
    const session = await registry.create();
    await session.submit({ text: 'Hi' });
    await gate.reached;
    await session.submit(prompt);
    assert.deepEqual(
      session.view.waiting?.map(({ when, images }) => [when, images?.length]),
      [['after_run', 1]],
    );
    gate.open();
    await session.whenIdle();
    assert.match(sent(1), /image_url/);
    await registry.dispose();
  });

  it('go with a prompt that is sent again, and with a copy of the session', async () => {
    server.script({ text: 'Red.' }, { text: 'Dark red.' }, { text: 'Sure.' });
    const registry = registryOf();
    const session = await registry.create();
    await session.submit(prompt);
    await session.whenIdle();
    const [shown] = session.view.items;
    session.goTo({ before: shown?.id ?? '' });
    await session.resend(shown?.id ?? '');
    await session.whenIdle();
    assert.equal(sent(1), sent(0));
    const { id } = await registry.fork(session.id);
    const copy = await registry.open(id);
    await copy.submit({ text: 'Sure?' });
    await copy.whenIdle();
    assert.match(sent(2), new RegExp(png.toString('base64').slice(0, 40).replaceAll('+', '\\+')));
    await registry.dispose();
  });

  it('are in the export, and come back with the import elsewhere', async () => {
    await using other = await createTemporaryFolder();
    server.script({ text: 'Red.' }, { text: 'Sure.' });
    const registry = registryOf();
    const session = await registry.create();
    await session.submit(prompt);
    await session.whenIdle();
    assert.match(await registry.export(session.id, 'markdown'), /\*Image: `a\.png` \(64 × 48\)\*/);
    const exported = await registry.export(session.id, 'jsonl');
    await registry.dispose();

    const elsewhere = registryOf(other.path);
    const hostile = JSON.stringify({
      ...{ v: 1, id: 'x', parentId: null, seq: 99, ts: 0, type: 'image_file' },
      image: 'https://example.org/a.png',
    });
    const imported = await elsewhere.open(await elsewhere.import(Buffer.from(`${exported}${hostile}\n`)));
    assert.deepEqual(await imagesIn(other.path), await imagesIn(folder.path));
    await imported.submit({ text: 'Sure?' });
    await imported.whenIdle();
    assert.match(sent(1), /"image_url":\{"url":"data:image\/png;base64,/);
    await elsewhere.dispose();
  });

  it('make room first when the window is full: the model gets a word in their place, the person sees them', async () => {
    const large = { type: 'image', image: pngOf(1_120, 700) } as const;
    server.script({ text: 'Red.' }, { text: 'Red again.' }, { text: 'Still red.' }, { text: 'Fine.' });
    const options = { baseUrl: server.baseUrl, compaction: { contextWindow: 2_600 } };
    const registry = createRegistry(folder.path, { createClient: clientsOf(options) });
    const session = await registry.create();
    for (const text of ['First?', 'Second?', 'Third?']) {
      await session.submit({ text, images: [large] });
      await session.whenIdle();
    }
    const { view } = session;
    const notices = view.items.flatMap((item) => (item.kind === 'notice' ? [item.notice.message] : []));
    assert.deepEqual(
      new Set(notices),
      new Set(['Earlier images are no longer sent to the model, to make room in its context window. Here they stay.']),
    );
    const note = '[An image was here. It was left out to fit the context window.]';
    const last = server.completions.at(-1)?.body.messages ?? [];
    assert.equal(server.completions.length, 3, 'no summary was asked for');
    assert.equal(last.find(({ role }) => role === 'user')?.content, `${note}\n\nFirst?`);
    assert.match(JSON.stringify(last.at(-1)), /image_url.*Third\?/);
    assert.equal(view.items.filter((item) => item.kind === 'prompt' && item.images?.length === 1).length, 3);
    await registry.dispose();

    const later = createRegistry(folder.path, { createClient: clientsOf(options) });
    const again = await later.open(session.id);
    assert.deepEqual(
      again.view.items.map((item) => (item.kind === 'notice' ? item.notice.message : item.kind)),
      view.items.map((item) => (item.kind === 'notice' ? item.notice.message : item.kind)),
    );
    await again.submit({ text: 'Thanks.' });
    await again.whenIdle();
    assert.ok(sent(3).includes(note));
    assert.ok(!sent(3).includes('Summary'));
    await later.dispose();
  });

  it('are removed a month after their session was deleted, and not while it can come back', async () => {
    server.script({ text: 'Red.' }, { text: 'Blue.' });
    const registry = registryOf();
    const session = await registry.create();
    await session.submit(prompt);
    await session.whenIdle();
    const [hash = ''] = await imagesIn(folder.path);
    const kept = await registry.create();
    await kept.submit({ text: 'And this?', images: [{ type: 'image', image: pngOf(8, 8, [0, 0, 255]) }] });
    await kept.whenIdle();
    await registry.delete(session.id);
    await registry.dispose();
    const old = new Date(Date.now() - MONTH_MS);
    for (const name of await imagesIn(folder.path)) await utimes(path.join(folder.path, 'images', name), old, old);

    const soon = registryOf();
    await soon.list();
    await soon.dispose();
    assert.equal((await imagesIn(folder.path)).length, 2);

    const later = registryOf(folder.path, () => Date.now() + MONTH_MS);
    await later.list();
    await later.dispose();
    const left = await imagesIn(folder.path);
    assert.equal(left.length, 1);
    assert.ok(!left.includes(hash));
  });

  it('that cannot be sent are refused with the prompt', async () => {
    const registry = registryOf();
    const session = await registry.create();
    const svg = { type: 'image', image: Buffer.from('<svg/>') } as const;
    await assert.rejects(session.submit({ text: 'Hi', images: [svg] }), { message: /it is no PNG, JPEG, WebP or GIF/ });
    assert.deepEqual(session.view.items, []);
    await registry.dispose();
  });

  it('that cannot be written are sent all the same, and the error is told', async () => {
    server.script({ text: 'Red.' });
    const errors: unknown[] = [];
    const registry = createRegistry(folder.path, {
      createClient: clientsOf({ baseUrl: server.baseUrl }),
      onInternalError: (error) => errors.push(error),
    });
    await writeFile(path.join(folder.path, 'images'), 'in the way');
    const session = await registry.create();
    await session.submit(prompt);
    await session.whenIdle();
    assert.match(sent(0), /image_url/);
    assert.notEqual(errors.length, 0);
    await registry.dispose();
  });
});
