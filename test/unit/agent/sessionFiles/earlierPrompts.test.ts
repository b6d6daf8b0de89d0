import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { newestTexts } from '../../../../src/agent/sessionFiles/earlierPrompts';
import type { SessionRegistry } from '../../../../src/agent/session/sessionRegistry';
import { ScriptedProvider, textResponse } from '../../../support/servers/scriptedProvider';
import { clientsOf, createRegistry } from '../../../support/sessions/registry';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/files/temporaryFolder';

describe('earlier prompts', () => {
  let folder: TemporaryFolder;
  let directory: string;
  let now = 0;

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    directory = path.join(folder.path, 'sessions');
    await mkdir(directory);
  });
  afterEach(() => folder.dispose());

  function openRegistry(): SessionRegistry {
    const provider = new ScriptedProvider(Array.from({ length: 5 }, () => textResponse('Yes.')));
    return createRegistry(directory, { createClient: clientsOf({ provider }), now: () => (now += 1_000) });
  }

  async function ask(registry: SessionRegistry, ...texts: readonly string[]): Promise<string> {
    const session = await registry.create();
    for (const text of texts) {
      await session.submit({ text });
      await session.whenIdle();
    }
    return session.id;
  }

  it('come from all sessions, open or on file, newest first and each once', async () => {
    const before = openRegistry();
    await ask(before, 'First', 'Again');
    await ask(before, 'Second');
    await before.dispose();
    const registry = openRegistry();
    await ask(registry, 'Third', 'Again');
    assert.deepEqual(await registry.earlierPrompts(), ['Again', 'Third', 'Second', 'First']);
    await registry.dispose();
    const later = openRegistry();
    assert.deepEqual(await later.earlierPrompts(), ['Again', 'Third', 'Second', 'First']);
    await later.dispose();
  });

  it('go with their session when it is deleted', async () => {
    const before = openRegistry();
    const id = await ask(before, 'Secret plan');
    await ask(before, 'Kept');
    await before.dispose();
    const registry = openRegistry();
    assert.deepEqual(await registry.earlierPrompts(), ['Kept', 'Secret plan']);
    await registry.delete(id);
    assert.deepEqual(await registry.earlierPrompts(), ['Kept']);
    assert.doesNotMatch(await readFile(path.join(directory, 'prompts.json'), 'utf8'), /Secret/);
    await registry.dispose();
  });

  it('are nothing where no session was ever kept', async () => {
    const registry = openRegistry();
    assert.deepEqual(await registry.earlierPrompts(), []);
    await registry.dispose();
  });

  it('are limited to the newest', () => {
    const prompts = Array.from({ length: 300 }, (_, ts) => ({ text: `prompt ${ts}`, ts }));
    const texts = newestTexts(prompts);
    assert.deepEqual([texts.length, texts[0], texts.at(-1)], [200, 'prompt 299', 'prompt 100']);
  });
});
