import assert from 'node:assert/strict';
import * as z from 'zod';
import { type McpServersParts } from '../../../src/mcp/mcpServers';
import type { ConsentQuestion, Pin } from '../../../src/mcp/consent';
import { safetySample } from '../../support/safetySample';

import { filesystem, nodeServer, useMcpServers } from '../../support/servers/mcpBench';

describe('consent to MCP servers', () => {
  const { problems, started, connect, toolsOf } = useMcpServers();

  it('starts no server without permission, and asks once', async () => {
    const asked: ConsentQuestion[] = [];
    const servers = connect([nodeServer('files', filesystem, '/srv')], {
      confirm: async (question) => {
        asked.push(question);
        return 'not_now';
      },
    });
    assert.deepEqual([await toolsOf(servers), await toolsOf(servers)], [[], []]);
    assert.deepEqual(asked, [
      { server: 'files', kind: 'stdio', after: `"${process.execPath}" "${filesystem}" "/srv"` },
    ]);
    assert.deepEqual(
      [started, problems],
      [[], [...Array(2).fill('The MCP server files is not used: it was not allowed.')]],
    );
  });

  it('asks again when the command line has changed, and shows the old one', async () => {
    const pins = new Map<string, Pin>();
    const asked: ConsentQuestion[] = [];
    const parts: Partial<McpServersParts> = {
      pins: { get: async (server) => pins.get(server), set: async (server, pin) => void pins.set(server, pin) },
      confirm: async (question) => {
        asked.push(question);
        return 'allow';
      },
    };
    const quits = (extra: string) => nodeServer('quits', '-e', 'process.exit()', extra);
    await toolsOf(connect([quits('one')], parts));
    await toolsOf(connect([quits('one')], parts));
    await toolsOf(connect([quits('two')], parts));
    const line = (extra: string) => `"${process.execPath}" "-e" "process.exit()" "${extra}"`;
    assert.deepEqual(asked, [
      { server: 'quits', kind: 'stdio', after: line('one') },
      { server: 'quits', kind: 'stdio', before: line('one'), after: line('two') },
    ]);
  });

  it('asks about a link-local address, and never speaks to it', async () => {
    const { url } = safetySample('MC23', z.object({ url: z.string() })).input;
    const asked: string[] = [];
    const confirm = async ({ after }: ConsentQuestion) => {
      asked.push(after);
      return 'allow' as const;
    };
    const servers = connect([{ kind: 'http', name: 'cloud', url, headers: {} }], { confirm });
    assert.deepEqual(await toolsOf(servers), []);
    assert.deepEqual(asked, [url]);
    assert.match(problems[0]!, /169\.254\.169\.254 is a link-local address/);
  });

  it('asks once for two clients at the same time, and keeps "never" until the server changes', async () => {
    const pins = new Map<string, Pin>();
    const asked: ConsentQuestion[] = [];
    const parts: Partial<McpServersParts> = {
      pins: { get: async (server) => pins.get(server), set: async (server, pin) => void pins.set(server, pin) },
      confirm: async (question) => {
        asked.push(question);
        return 'never';
      },
    };
    const quits = (extra: string) => nodeServer('quits', '-e', 'process.exit()', extra);
    const servers = connect([quits('one')], parts);
    await Promise.all([servers.offer(), servers.offer()]);
    await connect([quits('one')], parts).offer();
    assert.equal(asked.length, 1);
    assert.deepEqual(servers.summaries[0]!.state, { kind: 'needs_consent', isRefused: true });
    await connect([quits('two')], parts).offer();
    // A refused configuration is not used for comparison.
    assert.deepEqual(
      asked.map((question) => 'before' in question),
      [false, false],
    );
    assert.deepEqual(started, []);
  });
});
