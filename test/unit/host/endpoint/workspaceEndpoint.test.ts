import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { memorySecrets } from '../../../../src/agent/servers/keys';
import type { AgentRuns } from '../../../../src/endpoint/runs/agentRuns';
import { parseOwnerSettings } from '../../../../src/endpoint/ownerSettings';
import { EndpointToken } from '../../../../src/host/endpoint/endpointToken';
import { WorkspaceEndpoint } from '../../../../src/host/endpoint/workspaceEndpoint';
import { proving } from '../../../support/safetySample';

/** No test asks for a run. */
const runs: AgentRuns = { run: () => assert.fail('nothing is run here') };

describe('the endpoint of a workspace', () => {
  const open: WorkspaceEndpoint[] = [];

  afterEach(async () => {
    for (const endpoint of open.splice(0)) await endpoint.dispose();
  });

  function bench({ port = 0, isTrusted = true } = {}) {
    const world = { port, isTrusted, folders: ['/w', '/v'] };
    const lines: string[] = [];
    const endpoint = new WorkspaceEndpoint({
      runs,
      token: new EndpointToken({ secrets: memorySecrets(), workspace: 'file:///w' }),
      settings: () => parseOwnerSettings({ port: world.port }),
      isTrusted: () => world.isTrusted,
      folders: () => world.folders,
      log: (line) => lines.push(line),
      onInternalError: (error) => assert.fail(String(error)),
    });
    open.push(endpoint);
    return { endpoint, world, lines };
  }

  async function started(endpoint: WorkspaceEndpoint): Promise<string> {
    const result = await endpoint.start();
    return result.ok ? result.baseUrl : assert.fail(result.problem);
  }

  async function statusAt(baseUrl: string, token: string): Promise<number | string> {
    try {
      return (await fetch(`${baseUrl}/models`, { headers: { authorization: `Bearer ${token}`, connection: 'close' } }))
        .status;
    } catch (error) {
      return String((error as Error & { cause?: { code?: string } }).cause?.code);
    }
  }

  it('serves from start to stop, and tells listeners', async () => {
    const { endpoint, lines } = bench();
    const told: (string | undefined)[] = [];
    endpoint.onChange(() => told.push(endpoint.baseUrl));
    const baseUrl = await started(endpoint);
    assert.equal(await statusAt(baseUrl, await endpoint.token()), 200);
    assert.equal(await started(endpoint), baseUrl);
    await endpoint.stop();
    assert.equal(await statusAt(baseUrl, await endpoint.token()), 'ECONNREFUSED');
    assert.deepEqual(told, [baseUrl, undefined]);
    assert.deepEqual(lines, [`serving at ${baseUrl}`, `stopped serving at ${baseUrl}`]);
    await endpoint.stop();
  });

  it('keeps its token until it is replaced; the new one applies at once', async () => {
    const { endpoint } = bench();
    const before = await endpoint.token();
    const baseUrl = await started(endpoint);
    assert.equal(await endpoint.token(), before);
    await endpoint.replaceToken();
    const after = await endpoint.token();
    assert.notEqual(after, before);
    assert.deepEqual([await statusAt(baseUrl, before), await statusAt(baseUrl, after)], [401, 200]);
    await endpoint.stop();
    await started(endpoint);
    assert.equal(await endpoint.token(), after);
  });

  it('has a token of its own for each workspace', async () => {
    const secrets = memorySecrets();
    const token = (workspace: string): Promise<string> => new EndpointToken({ secrets, workspace }).get();
    assert.equal(await token('file:///w'), await token('file:///w'));
    assert.notEqual(await token('file:///w'), await token('file:///v'));
    assert.match(await token('file:///w'), /^[\w-]{43}$/);
  });

  it(proving('HT35', 'is not there for a workspace that is not trusted, or not any more'), async () => {
    const { endpoint, world } = bench({ isTrusted: false });
    const problem = 'Trust the workspace first: in an untrusted one the agent is not served.';
    assert.deepEqual(await endpoint.start(), { ok: false, problem });
    assert.equal(endpoint.baseUrl, undefined);

    world.isTrusted = true;
    const baseUrl = await started(endpoint);
    assert.equal(await endpoint.recheck(), false);
    world.isTrusted = false;
    assert.equal(await endpoint.recheck(), true);
    assert.equal(await statusAt(baseUrl, await endpoint.token()), 'ECONNREFUSED');
  });

  it('stops when a served folder is closed, not when one is added', async () => {
    const { endpoint, world } = bench();
    const baseUrl = await started(endpoint);
    world.folders = ['/w', '/v', '/u'];
    assert.equal(await endpoint.recheck(), false);
    world.folders = ['/w', '/u'];
    assert.equal(await endpoint.recheck(), true);
    assert.equal(await statusAt(baseUrl, await endpoint.token()), 'ECONNREFUSED');
    assert.equal(await endpoint.recheck(), false);
  });

  it('says why it cannot serve, and accepts another port', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const { endpoint, world } = bench({ port });
    const problem = `Port ${port} is taken: another program or window listens there.`;
    assert.deepEqual(await endpoint.start(), { ok: false, problem, port });
    const other = await endpoint.start(0);
    assert.ok(other.ok);
    await endpoint.stop();
    await new Promise<void>((resolve) => taken.close(() => resolve()));

    world.port = 70_000;
    const range = 'openAgent.endpoint.port must be a whole number from 0 to 65535.';
    assert.deepEqual(await endpoint.start(), { ok: false, problem: range });
    world.folders = [];
    const none = 'Open a folder first: the agent is served for the open folders.';
    assert.deepEqual(await endpoint.start(), { ok: false, problem: none });
  });

  it('stops when the window closes during the start', async () => {
    const { endpoint } = bench();
    const starting = endpoint.start();
    await endpoint.dispose();
    assert.deepEqual(await starting, { ok: false, problem: 'The workspace was closed.' });
    assert.equal(endpoint.baseUrl, undefined);
  });
});
