import assert from 'node:assert/strict';
import { mkdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileClaims } from '../../../../src/agent/session/fileClaims';
import type { SessionRegistry, SessionRegistryParts } from '../../../../src/agent/session/sessionRegistry';
import { hold, ScriptedProvider, textResponse, type Script } from '../../../support/servers/scriptedProvider';
import { outline } from '../../../support/sessions/sessions';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/files/temporaryFolder';
import { clientsOf, createRegistry } from '../../../support/sessions/registry';

describe('SessionRegistry', () => {
  let folder: TemporaryFolder;
  let directory: string;
  let now: number;
  let idCount: number;

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    directory = path.join(folder.path, 'workspaces', 'w', 'sessions');
    now = 1_000;
    idCount = 0;
  });

  afterEach(() => folder.dispose());

  function openRegistry(scripts: readonly Script[] = [], parts: Partial<SessionRegistryParts> = {}): SessionRegistry {
    const provider = new ScriptedProvider(scripts);
    return createRegistry(directory, {
      createClient: clientsOf({ provider }),
      now: () => (now += 1_000),
      newId: () => `id${(idCount += 1)}`,
      ...parts,
    });
  }

  it('lists nothing where no session was ever kept', async () => {
    assert.deepEqual(await openRegistry().list(), []);
  });

  it('tells once of a session file that is a link, and does not list it', async () => {
    const first = openRegistry([textResponse('Hello.')]);
    const session = await first.create();
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    await first.dispose();
    const file = path.join(directory, `${session.id}.jsonl`);
    await rename(file, path.join(folder.path, 'elsewhere'));
    await symlink(path.join(folder.path, 'elsewhere'), file);

    const links: string[] = [];
    const second = openRegistry([], { onLink: (filePath) => links.push(filePath) });
    assert.deepEqual([await second.list(), await second.list(), await second.list('Hi')], [[], [], []]);
    assert.deepEqual(links, [file]);
    await second.dispose();
  });

  it('makes a session, keeps it with its first prompt, and finds it again in another process', async () => {
    const first = openRegistry([textResponse('Hello.')]);
    const session = await first.create();
    assert.deepEqual(await first.list(), []);
    assert.equal(await first.open(session.id), session);
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    const updatedMs = session.updatedMs ?? 0;
    assert.deepEqual(await first.list(), [
      {
        id: session.id,
        title: 'Hi',
        updatedMs,
        status: 'FINISHED',
        workspace: null,
        isRunning: false,
        isForeign: false,
      },
    ]);
    await first.dispose();

    const second = openRegistry();
    const [listed] = await second.list();
    assert.deepEqual([listed?.id, listed?.title, listed?.isRunning], [session.id, 'Hi', false]);
    const loaded = await second.open(session.id);
    assert.deepEqual(outline(loaded.view), ['prompt: Hi', 'text: Hello.']);
    await second.dispose();
  });

  it('lists the newest first, and says which one is running', async () => {
    await mkdir(directory, { recursive: true });
    const line = (title: string): string =>
      `${JSON.stringify({ v: 1, id: 'a', parentId: null, seq: 0, ts: 0, type: 'title', title })}\n`;
    for (const [id, seconds] of [
      ['old', 10],
      ['new', 20],
    ] as const) {
      const file = path.join(directory, `${id}.jsonl`);
      await writeFile(file, line(`Title of ${id}`));
      await utimes(file, seconds, seconds);
    }
    await writeFile(path.join(directory, 'empty.jsonl'), '');
    await writeFile(path.join(directory, 'note.txt'), 'no session');
    now = 100_000;
    const middle = hold();
    const registry = openRegistry([[middle, ...textResponse('Hello.')]]);
    const session = await registry.create();
    await session.submit({ text: 'Hi' });
    await middle.reached;
    assert.deepEqual(
      (await registry.list()).map(({ id, title, isRunning }) => [id, title, isRunning]),
      [
        [session.id, 'Hi', true],
        ['new', 'Title of new', false],
        ['old', 'Title of old', false],
      ],
    );
    await registry.dispose();
  });

  it('tells when the list changes', async () => {
    const registry = openRegistry([textResponse('Hello.')]);
    let changes = 0;
    registry.onChange(() => (changes += 1));
    const session = await registry.create();
    assert.equal(changes, 0);
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    assert.ok(changes >= 3);
    await registry.dispose();
  });

  it('opens a session once, however often it is asked for at a time', async () => {
    const first = openRegistry([textResponse('Hello.')]);
    const session = await first.create();
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    await first.dispose();
    const second = openRegistry();
    const [one, two] = await Promise.all([second.open(session.id), second.open(session.id)]);
    assert.equal(one, two);
    await second.dispose();
  });

  it('never opens a file that another registry of the process has', async () => {
    const claims = new FileClaims();
    const first = openRegistry([textResponse('Hello.')], { claims });
    const session = await first.create();
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    const second = openRegistry([], { claims });
    await assert.rejects(second.open(session.id), /The session id1 is open elsewhere in this process/);
    await first.dispose();
    assert.deepEqual(outline((await second.open(session.id)).view), ['prompt: Hi', 'text: Hello.']);
    await second.dispose();
  });

  it('refuses an id that is no file name, and one that is not there', async () => {
    const registry = openRegistry();
    await assert.rejects(registry.open('../../secret'), /"..\/..\/secret" is not the id of a session/);
    await assert.rejects(registry.open('missing'), /There is no session missing in .*It may have been deleted/);
    await registry.dispose();
    await assert.rejects(registry.create(), /The sessions are closed/);
  });

  it('ends its sessions so that they can be continued', async () => {
    const middle = hold();
    const first = openRegistry([[{ type: 'text_delta', block: 0, text: 'Once' }, middle]]);
    const session = await first.create();
    await session.submit({ text: 'Tell' });
    await middle.reached;
    await Promise.all([first.dispose(), first.dispose()]);
    const second = openRegistry([textResponse(' upon a time.')]);
    const loaded = await second.open(session.id);
    assert.equal(outline(loaded.view)[1], 'text (interrupted): Once');
    await loaded.continueRun();
    await loaded.whenIdle();
    assert.deepEqual(outline(loaded.view).slice(1), ['text (interrupted): Once', 'text:  upon a time.']);
    await second.dispose();
  });
});
