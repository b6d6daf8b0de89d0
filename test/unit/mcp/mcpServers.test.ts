import assert from 'node:assert/strict';
import { McpServers, type McpServersParts } from '../../../src/mcp/mcpServers';
import type { McpServerConfig } from '../../../src/mcp/serverConfig';

const config: McpServerConfig = { kind: 'stdio', name: 'docs', command: '/no/such/program', args: [], env: {} };
const nobody = (): never => assert.fail('nobody is asked, and nothing is sent');

describe('McpServers without a process', () => {
  let isTrusted: boolean;
  let servers: McpServers;
  let asked: number;
  let answer: McpServersParts['confirm'];

  beforeEach(() => {
    isTrusted = true;
    asked = 0;
    answer = async () => nobody();
    servers = new McpServers({
      version: '0',
      homeDirectory: '/',
      fetch: nobody,
      endTree: nobody,
      roots: () => [],
      pins: { get: async () => undefined, set: async () => {} },
      confirm: (question) => {
        asked += 1;
        return answer(question);
      },
      onLog: () => {},
      now: () => 0,
      isTrusted: () => isTrusted,
      onInternalError: (error) => assert.fail(String(error)),
    });
  });

  afterEach(() => servers.dispose());

  it('offers nothing while there is no server, and lists the newest configuration', async () => {
    await servers.configure([]);
    assert.deepEqual(await servers.offer(), { tools: [], instructions: [], problems: [] });
    assert.deepEqual(await servers.items(), { prompts: [], resources: [] });
    void servers.configure([config]);
    void servers.configure([{ ...config, name: 'other' }]);
    assert.deepEqual(
      servers.summaries.map(({ name }) => name),
      ['other'],
    );
  });

  it('asks, starts and shows nothing in a workspace that is not trusted', async () => {
    isTrusted = false;
    await servers.configure([config]);
    assert.deepEqual(await servers.offer(), { tools: [], instructions: [], problems: [] });
    assert.deepEqual([servers.summaries, servers.has('docs'), await servers.ask('docs')], [[], false, false]);
    await servers.restart('docs');
    await servers.rootsChanged();
    await assert.rejects(servers.prompts('docs'), /not trusted/);
    isTrusted = true;
    assert.deepEqual([servers.summaries.length, servers.has('docs')], [1, true]);
  });

  it('does not restart a server that a change of the configuration removed or switched off meanwhile', async () => {
    for (const change of [[], [[config], ['docs']]] as const) {
      await servers.configure([config]);
      const restarted = servers.restart('docs');
      await servers.configure(change[0] ?? [], change[1]);
      await restarted;
      assert.equal(asked, 0);
    }
  });

  it('does not start a server that was switched off during the question about its restart', async () => {
    const cloud: McpServerConfig = { kind: 'http', name: 'cloud', url: 'http://127.0.0.1:9/', headers: {} };
    answer = async () => {
      await servers.configure([cloud], ['cloud']);
      return 'allow';
    };
    await servers.configure([cloud]);
    // A request would fail the test.
    await servers.restart('cloud');
    assert.equal(asked, 1);
    assert.deepEqual(servers.summaries[0]?.state, { kind: 'off' });
    await servers.configure([cloud]);
    assert.deepEqual(servers.summaries[0]?.state, { kind: 'idle' });
  });

  it('tells that the list of servers has changed', async () => {
    let told = 0;
    servers.onChange(() => (told += 1));
    await servers.configure([config]);
    assert.ok(told > 0);
  });
});
