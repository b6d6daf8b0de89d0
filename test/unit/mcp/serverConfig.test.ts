import assert from 'node:assert/strict';
import { parseMcpServers } from '../../../src/mcp/serverConfig';

describe('parseMcpServers', () => {
  it('reads processes and addresses, and leaves out disabled servers', () => {
    const written = {
      fs: { command: 'npx', args: ['-y', 'server'], env: { TOKEN: 't' }, cwd: '/srv' },
      plain: { command: 'server' },
      web: { url: 'https://example.org/mcp', headers: { Authorization: 'Bearer t' } },
      old: { type: 'sse', url: 'http://localhost:1/sse' },
      here: { command: 'x', roots: true },
      elsewhere: { url: 'http://localhost:2/', roots: false },
      off: { command: 'x', disabled: true },
    };
    assert.deepEqual(parseMcpServers(written), {
      servers: [
        { kind: 'stdio', name: 'fs', command: 'npx', args: ['-y', 'server'], env: { TOKEN: 't' }, cwd: '/srv' },
        { kind: 'stdio', name: 'plain', command: 'server', args: [], env: {} },
        {
          kind: 'http',
          name: 'web',
          url: 'https://example.org/mcp',
          headers: { Authorization: 'Bearer t' },
        },
        { kind: 'sse', name: 'old', url: 'http://localhost:1/sse', headers: {} },
        { kind: 'stdio', name: 'here', command: 'x', args: [], env: {}, roots: true },
        { kind: 'http', name: 'elsewhere', url: 'http://localhost:2/', headers: {} },
      ],
      problems: [],
    });
    assert.deepEqual(parseMcpServers(undefined), { servers: [], problems: [] });
  });

  it('reports a wrong server and keeps the others', () => {
    const { servers, problems } = parseMcpServers({
      good: { command: 'x' },
      'bad name': { command: 'x' },
      a__b: { command: 'x' },
      a_: { command: 'x' },
      empty: {},
      slip: { command: 'x', arg: [] },
      file: { url: 'file:///etc/passwd' },
    });
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['good'],
    );
    assert.deepEqual(
      problems.map((problem) => problem.split(' is not used: ')[0]),
      ['bad name', 'a__b', 'a_', 'empty', 'slip', 'file'].map((name) => `MCP server "${name}"`),
    );
    assert.deepEqual(parseMcpServers([]).problems, ['MCP servers must be an object from names to servers.']);
  });
});
