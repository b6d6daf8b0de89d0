import assert from 'node:assert/strict';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { connectMcpServers, type McpServerTable } from '../../../src/library/mcp';

const everything: McpServerTable = {
  all: {
    command: process.execPath,
    args: [path.join(projectRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  },
};
const missing: McpServerTable = { gone: { command: path.join(projectRoot, 'no-such-program') } };

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
