import assert from 'node:assert/strict';
import * as z from 'zod';
import { projectRoot } from '../../../scripts/projectRoot';
import { START_TIMEOUT_MS } from '../../../src/mcp/mcpServers';
import type { McpServerConfig } from '../../../src/mcp/serverConfig';
import { endTree } from '../../../src/workspace/node/processes/endTree';
import { isRunning } from '../../support/commands/processes';
import { deferred } from '../../support/servers/gate';
import { safetySample } from '../../support/safetySample';

import { filesystem, fakeServer, nodeServer, textOf, useMcpServers } from '../../support/servers/mcpBench';

describe('starting and ending MCP servers', () => {
  const { problems, log, started, connect, toolsOf, call } = useMcpServers();

  it('ends a server that hangs at startup with its children, and offers the others', async () => {
    const { hang } = safetySample('MC16', z.object({ hang: z.string() })).input;
    // It answers everything except the first request, and has started a child by then.
    const slow = fakeServer(
      'slow',
      `global.child ??= require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
       if (m.method === '${hang}') process.stderr.write('child ' + global.child.pid + ' ');
       else if (m.method === 'tools/list') list(m);`,
    );
    const servers = connect([slow, nodeServer('files', filesystem, projectRoot)], { startTimeoutMs: 10_000 });
    const tools = await toolsOf(servers);
    assert.deepEqual([...new Set(tools.map(({ server }) => server))], ['files']);
    assert.equal(problems.length, 1);
    assert.match(problems[0]!, /^The MCP server slow is not available: /);
    assert.equal(started.length, 1);
    assert.equal(await isRunning(started[0]!), false);
    const child = /child (\d+)/.exec(problems[0]!)?.[1] ?? assert.fail(problems[0]);
    assert.equal(await isRunning(Number(child)), false);
    assert.equal(START_TIMEOUT_MS, 30_000);
  });

  it('does not wait for a starting server when it is disposed', async () => {
    const servers = connect([fakeServer('slow', '')]);
    const tools = toolsOf(servers);
    // Wait until the server is allowed and starting.
    await new Promise(setImmediate);
    await servers.dispose();
    assert.deepEqual(await tools, []);
    assert.deepEqual(problems, ['The MCP server slow is not available: It was stopped.']);
    assert.deepEqual(
      await Promise.all(started.map(isRunning)),
      started.map(() => false),
    );
  });

  it('waits for the end of removed servers when it is disposed', async () => {
    const order: string[] = [];
    const mayEnd = deferred();
    const work = fakeServer('work', `if (m.method === 'initialize') hello(m); if (m.method === 'tools/list') list(m);`);
    const servers = connect([work], {
      endTree: async (child) => {
        await mayEnd.promise;
        await endTree(child);
        order.push('ended');
      },
    });
    await toolsOf(servers);
    void servers.configure([]);
    const disposed = servers.dispose().then(() => order.push('disposed'));
    await new Promise(setImmediate);
    mayEnd.resolve();
    await disposed;
    assert.deepEqual(order, ['ended', 'disposed']);
  });

  it('reports the output of a server that ends at once, and waits before the next try', async () => {
    let now = 0;
    const servers = connect([nodeServer('broken', '-e', "console.error('no token'); process.exit(3)")], {
      now: () => now,
    });
    assert.deepEqual(await toolsOf(servers), []);
    assert.deepEqual(await toolsOf(servers), []);
    now = 1_000;
    assert.deepEqual(await toolsOf(servers), []);
    assert.match(problems[0]!, /no token/);
    assert.match(problems[1]!, /It failed before; the next try is in 1 seconds\.$/);
    assert.match(problems[2]!, /no token/);
  });

  it('reports a missing program', async () => {
    const config: McpServerConfig = { kind: 'stdio', name: 'gone', command: '/no/such/program', args: [], env: {} };
    assert.deepEqual(await toolsOf(connect([config])), []);
    assert.match(problems[0]!, /^The MCP server gone is not available: .*ENOENT/);
  });

  it('restarts a server that crashed during a call, and does not repeat the call', async () => {
    const crashing = fakeServer(
      'crash',
      `if (m.method === 'initialize') hello(m);
       if (m.method === 'tools/list') list(m);
       if (m.method === 'tools/call') m.params.arguments.x === 'die' ? process.exit(1) : reply(m, { content: [{ type: 'text', text: 'pid ' + process.pid }] });`,
    );
    const tools = await toolsOf(connect([crashing]));
    const first = await call(tools, 'mcp__crash__work', { x: 'go' });
    const died = await call(tools, 'mcp__crash__work', { x: 'die' });
    assert.equal(died.isError, true);
    assert.match(textOf(died), /did not finish the call: .* It may have taken effect\.$/);
    const second = await call(tools, 'mcp__crash__work', { x: 'go' });
    assert.match(textOf(second), /^pid \d+$/);
    assert.notEqual(second.content, first.content);
  });

  it('ends a server that does not answer a call in time', async () => {
    const silent = fakeServer(
      'silent',
      `if (m.method === 'initialize') hello(m); if (m.method === 'tools/list') list(m);`,
    );
    const tools = await toolsOf(connect([silent], { callTimeoutMs: 200 }));
    const answer = await call(tools, 'mcp__silent__work', { x: 1 });
    assert.equal(answer.isError, true);
    assert.match(textOf(answer), /timed out/);
    assert.equal(await isRunning(started[0]!), false);
  });

  it('shows the state of each server, and ends and restarts servers whose configuration changes', async () => {
    const work = (name: string, ...args: readonly string[]): McpServerConfig => {
      const config = fakeServer(
        name,
        `if (m.method === 'initialize') hello(m); if (m.method === 'tools/list') list(m);`,
      );
      assert.equal(config.kind, 'stdio');
      return config.kind === 'stdio' ? { ...config, args: [...config.args, ...args] } : config;
    };
    const quits = nodeServer('quits', '-e', 'process.exit()');
    const servers = connect([work('a'), work('b'), quits]);
    const states = () => servers.summaries.map(({ name, state }) => `${name} ${state.kind}`);
    assert.deepEqual(states(), ['a idle', 'b idle', 'quits idle']);
    await servers.offer();
    assert.deepEqual(states(), ['a connected', 'b connected', 'quits failed']);
    assert.equal(started.length, 1);
    await servers.configure([work('a'), work('b', 'other'), work('c')], ['a']);
    assert.deepEqual(states(), ['a off', 'b idle', 'c idle']);
    // One server quit, one is off, one changed.
    assert.equal(started.length, 3);
    assert.deepEqual(await Promise.all(started.map(isRunning)), [false, false, false]);
    assert.equal(servers.has('a'), false);
    await servers.configure([work('a')]);
    await servers.restart('a');
    assert.deepEqual(states(), ['a connected']);
    await servers.restart('a');
    assert.deepEqual(states(), ['a connected']);
    assert.equal(started.length, 4);
  });

  it('shows that a server ended by itself, with its last output, and logs its output', async () => {
    const dying = fakeServer(
      'dying',
      `if (m.method === 'initialize') hello(m);
       if (m.method === 'tools/list') { list(m); setImmediate(() => { console.error('out of luck'); process.exit(1); }); }`,
    );
    const servers = connect([dying]);
    const failed = new Promise<void>((resolve) =>
      servers.onChange(() => servers.summaries[0]!.state.kind === 'failed' && resolve()),
    );
    await servers.offer();
    await failed;
    assert.deepEqual(servers.summaries[0]!.state, { kind: 'failed', reason: 'It ended. It wrote: out of luck' });
    assert.deepEqual(log, ['dying: out of luck']);
  });
});
