import assert from 'node:assert/strict';
import { McpAccess } from '../../../../src/agent/mcp/mcpAccess';
import { McpServers } from '../../../../src/mcp/mcpServers';
import type { McpServerConfig } from '../../../../src/mcp/serverConfig';

const config: McpServerConfig = { kind: 'stdio', name: 'docs', command: '/no/such/program', args: [], env: {} };
const nobody = (): never => assert.fail('nobody is asked, and nothing is sent');

describe('McpAccess', () => {
  let isTrusted: boolean;
  let created: number;
  let access: McpAccess;

  beforeEach(() => {
    [isTrusted, created] = [true, 0];
    access = new McpAccess({
      version: '0',
      homeDirectory: '/',
      fetch: nobody,
      endTree: nobody,
      roots: () => [],
      pins: { get: async () => undefined, set: async () => nobody() },
      confirm: async () => nobody(),
      onLog: () => {},
      now: () => 0,
      create: async (parts) => {
        created += 1;
        return new McpServers(parts);
      },
      isTrusted: () => isTrusted,
      onInternalError: (error) => assert.fail(String(error)),
    });
  });

  afterEach(() => access.dispose());

  it('loads nothing while there is no server, and what it loads once', async () => {
    await access.configure([]);
    assert.deepEqual(await access.offer(), { tools: [], instructions: [], problems: [] });
    assert.deepEqual(await access.items(), { prompts: [], resources: [] });
    assert.equal(created, 0);
    void access.configure([config]);
    void access.configure([{ ...config, name: 'other' }]);
    await access.ready();
    assert.deepEqual([created, access.summaries.map(({ name }) => name)], [1, ['other']]);
  });

  it('asks, starts and knows nothing in a workspace that is not trusted', async () => {
    isTrusted = false;
    await access.configure([config]);
    assert.deepEqual(await access.offer(), { tools: [], instructions: [], problems: [] });
    assert.deepEqual([access.summaries, access.has('docs'), await access.ask('docs')], [[], false, false]);
    await access.restart('docs');
    await access.rootsChanged();
    await assert.rejects(access.prompts('docs'), /not trusted/);
    isTrusted = true;
    assert.deepEqual([access.summaries.length, access.has('docs')], [1, true]);
  });

  it('tells that the servers are others', async () => {
    let told = 0;
    access.onChange(() => (told += 1));
    await access.configure([config]);
    assert.ok(told > 0);
  });
});
