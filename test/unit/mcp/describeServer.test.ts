import assert from 'node:assert/strict';
import { describeServer, hashOf } from '../../../src/mcp/describeServer';
import type { McpServerConfig } from '../../../src/mcp/serverConfig';

const server: McpServerConfig = {
  kind: 'stdio',
  name: 'fs',
  command: 'npx',
  args: ['-y', 'a b'],
  env: { A: 'secret', B: '2' },
  cwd: '/srv',
};

describe('a server to be allowed', () => {
  it('describes everything except values of variables, and only shows that these changed', () => {
    const description = describeServer(server);
    const masked = description.replaceAll(/#[0-9a-f]{3}/g, '#');
    assert.equal(masked, '"npx" "-y" "a b"\nin "/srv"\nvariable "A" (#)\nvariable "B" (#)');
    assert.match(describeServer({ ...server, roots: true }), /\ngets the folders of the workspace$/);
    assert.notEqual(describeServer({ ...server, env: { A: 'other', B: '2' } }), description);
  });

  it('changes with every part, but not with the order of variables', () => {
    const hash = hashOf(server);
    assert.equal(hashOf({ ...server, env: { B: '2', A: 'secret' } }), hash);
    const others: readonly McpServerConfig[] = [
      { ...server, command: 'node' },
      { ...server, args: ['-y', 'a', 'b'] },
      { ...server, env: { A: 'secret', B: '3' } },
      { ...server, cwd: '/' },
      { ...server, roots: true },
      { ...server, name: 'other' },
      { kind: 'http', name: 'fs', url: 'http://a/', headers: {} },
      { kind: 'sse', name: 'fs', url: 'http://a/', headers: {} },
    ];
    const hashes = new Set([hash, ...others.map((other) => hashOf(other))]);
    assert.equal(hashes.size, others.length + 1);
  });
});
