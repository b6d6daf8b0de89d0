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
