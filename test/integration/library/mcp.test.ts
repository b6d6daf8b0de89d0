import assert from 'node:assert/strict';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { AgentError } from '../../../src/sdk/errors';
import { connectMcpServers, type McpServerTable } from '../../../src/library/mcp';

const everything: McpServerTable = {
  all: {
    command: process.execPath,
    args: [path.join(projectRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  },
};
const missing: McpServerTable = { gone: { command: path.join(projectRoot, 'no-such-program') } };

/** A server that answers the named methods so. */
function serverWith(answers: Readonly<Record<string, object>>): string {
  return `
    const answers = ${JSON.stringify(answers)};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const started = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } };
      console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answers[method] ?? { result: started }) }));
    });`;
}

describe('MCP servers of a program', () => {
  it('gives their tools without a question, and runs them', async () => {
    await using mcp = await connectMcpServers(everything);
    const echo = mcp.tools.find(({ name }) => name === 'mcp__all__echo');
    assert.equal(echo?.server, 'all');
    assert.match(JSON.stringify(await echo?.execute({ message: 'Hello' })), /Echo: Hello/);
    assert.deepEqual(mcp.problems, []);
  });

  it('rejects when a server cannot be started, and leaves it out where that is allowed', async () => {
    await assert.rejects(connectMcpServers({ ...everything, ...missing }), { code: 'connection' });
    await using mcp = await connectMcpServers({ ...everything, ...missing }, { allowMissing: true });
    assert.ok(mcp.tools.length > 0);
    assert.match(mcp.problems.join(), /gone/);
  });

  it('says what led to a server that cannot be used', async () => {
    const one = await connectMcpServers(missing).catch((error: unknown) => error);
    assert.ok(one instanceof AgentError && one.cause instanceof Error, String(one));
    assert.match(String((one.cause.cause as NodeJS.ErrnoException).code), /ENOENT/);
    const two = await connectMcpServers({ ...missing, also: missing['gone']! }).catch((error: unknown) => error);
    assert.ok(two instanceof AgentError && two.cause instanceof AggregateError, String(two));
    assert.equal(two.cause.errors.length, 2);
  });

  const answers = [
    ['an error', { initialize: { error: { code: -32000, message: 'no licence' } } }, /is not available: .*no licence/],
    [
      'a list of tools that MCP does not allow',
      { 'tools/list': { result: { tools: [{ name: 'a', inputSchema: 'x' }, { name: 'b' }] } } },
      /not available: It answered what MCP does not allow: tools\.0\.inputSchema: expected object, received string; tools\.1/,
    ],
  ] as const;
  for (const [name, given, message] of answers) {
    it(`repeats in a sentence when a server answers with ${name}`, async () => {
      const table = { own: { command: process.execPath, args: ['-e', serverWith(given)] } };
      await assert.rejects(connectMcpServers(table), message);
    });
  }

  it('says in sentences that a server ended in a call', async () => {
    const tools = [{ name: 'end', inputSchema: { type: 'object' } }];
    const server = serverWith({ 'tools/list': { result: { tools } } });
    const ending = server.replace('if (id', "if (method === 'tools/call') process.exit(1); if (id");
    await using mcp = await connectMcpServers({ own: { command: process.execPath, args: ['-e', ending] } });
    await assert.rejects(async () => mcp.tools[0]?.execute({}), {
      message: 'The MCP server own did not finish the call: It ended or hung up. It may have taken effect.',
    });
  });

  it('refuses a table that cannot be used', async () => {
    const wrong = [
      { 'no good': { command: 'x' } },
      { a: { url: 'ftp://x' } },
      { a: { command: 'x', cwd: 'here' } },
      [],
    ];
    for (const table of wrong) await assert.rejects(connectMcpServers(table as never), { code: 'invalid_options' });
  });

  it('starts no server again after it was closed', async () => {
    const mcp = await connectMcpServers(everything);
    await mcp.close();
    const echo = mcp.tools.find(({ name }) => name === 'mcp__all__echo');
    const said = await echo?.execute({ message: 'Hello' }).catch((error: unknown) => error);
    assert.doesNotMatch(JSON.stringify(said), /Echo: Hello/);
    assert.ok(said instanceof Error, String(said));
  });
});
