import assert from 'node:assert/strict';
import { ServerMemory } from '../../../../src/host/mcpServers/serverMemory';
import { MemoryOfWorkspace } from '../../../support/sessions/memoryOfWorkspace';

describe('ServerMemory', () => {
  it('keeps which servers were allowed, refused and switched off', async () => {
    const storage = new MemoryOfWorkspace();
    const memory = new ServerMemory(storage);
    const [docs, web] = [
      { hash: 'h1', description: '"x"' },
      { hash: 'h2', description: 'http://a/', isRefused: true },
    ];
    await Promise.all([memory.set('docs', docs), memory.set('web', web), memory.switch('web', true)]);
    const again = new ServerMemory(storage);
    assert.deepEqual([await again.get('docs'), await again.get('web'), again.off], [docs, web, ['web']]);
    await again.switch('docs', true);
    await again.switch('docs', true);
    await again.switch('web', false);
    assert.deepEqual(again.off, ['docs']);
  });

  it('allows nothing when its memory is unreadable', async () => {
    const storage = new MemoryOfWorkspace();
    await storage.update('openAgent.mcpServers.pins', { docs: { hash: 1 }, web: 'yes' });
    await storage.update('openAgent.mcpServers.off', 'docs');
    const memory = new ServerMemory(storage);
    assert.deepEqual(
      [await memory.get('docs'), await memory.get('web'), await memory.get('constructor'), memory.off],
      [undefined, undefined, undefined, []],
    );
    await storage.update('openAgent.mcpServers.pins', 'none');
    assert.equal(await memory.get('docs'), undefined);
  });

  it('goes on after a change that failed to be written', async () => {
    const storage = new MemoryOfWorkspace();
    const memory = new ServerMemory({
      get: (key) => storage.get(key),
      update: async (key, value) => {
        if (JSON.stringify(value).includes('bad')) throw new Error('full');
        await storage.update(key, value);
      },
    });
    await assert.rejects(memory.switch('bad', true), /full/);
    await memory.switch('good', true);
    assert.deepEqual(memory.off, ['good']);
  });
});
