import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chooseModel } from '../../../src/agent/servers/model/chooseModel';
import { connectToServer } from '../../../src/agent/servers/connectToServer';
import { discoverServer, discoverServers } from '../../../src/agent/servers/probe/discovery';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { probeServer, type FoundServer } from '../../../src/agent/servers/probe/serverProbe';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { usePathServers } from '../../support/servers/pathServers';
import { fixturePath } from '../../support/files/fixturePath';

const fixtures = fixturePath('recordings', 'llama-server');
const recorded = (file: string): unknown => JSON.parse(readFileSync(path.join(fixtures, file), 'utf8'));

const options = () => ({ fetch: createFetch(), signal: new AbortController().signal });

describe('the way to a server', () => {
  const { serve, keep } = usePathServers();

  describe('discovery', () => {
    it('lists only model servers, in the order of their ports, and servers that require a key last', async () => {
      const locked = await serve({ '/v1/models': () => ({ status: 401, body: { error: 'key?' } }) });
      const page = await serve({ '/v1/models': '<html>hi</html>' });
      const second = await serve({ '/v1/models': { data: [{ id: 'b', owned_by: 'vllm' }] } });
      const first = await serve({ '/v1/models': { data: [{ id: 'a', owned_by: 'vllm' }] } });
      const ports = [locked.port, page.port, first.port, second.port];
      const found = await discoverServers({ ...options(), ports, timeoutMs: 60_000 });
      assert.deepEqual(
        found.map((probe) => [probe.baseUrl, probe.ok]),
        [
          [`http://localhost:${first.port}/v1`, true],
          [`http://localhost:${second.port}/v1`, true],
          [`http://localhost:${locked.port}/v1`, false],
        ],
      );
    });

    it('chooses the first server that offers the wanted model, else the first that answers', async () => {
      const first = await serve({ '/v1/models': { data: [{ id: 'a', owned_by: 'vllm' }] } });
      const second = await serve({ '/v1/models': { data: [{ id: 'b', owned_by: 'vllm' }] } });
      const ports = [first.port, second.port];
      const choose = async (model: string) =>
        (await discoverServer(() => model, { ...options(), ports, timeoutMs: 60_000 }))?.baseUrl;
      assert.deepEqual(
        [await choose('b'), await choose('a'), await choose('gone'), await choose('')],
        [second, first, first, first].map(({ port }) => `http://localhost:${port}/v1`),
      );
    });

    it('reaches a server that listens only on ::1', async function () {
      const server = createServer((_request, response) =>
        response.end(JSON.stringify({ data: [{ id: 'six', owned_by: 'vllm' }] })),
      );
      const isListening = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false));
        server.listen(0, '::1', () => resolve(true));
      });
      // A machine without IPv6 cannot run this test.
      if (!isListening) return;
      keep(server);
      const { port } = server.address() as AddressInfo;
      const found = await discoverServers({ ...options(), ports: [port], timeoutMs: 60_000 });
      // By name, if the system resolves it to both addresses.
      const [only, ...others] = found;
      assert.deepEqual([only?.ok, others], [true, []]);
      assert.match(only!.baseUrl, new RegExp(`^http://(localhost|\\[::1\\]):${port}/v1$`));
    });

    it('sends a key only to the server it was entered for', async () => {
      const mine = await serve({ '/v1/models': { data: [{ id: 'a', owned_by: 'vllm' }] } });
      const other = await serve({ '/v1/models': { data: [{ id: 'b', owned_by: 'vllm' }] } });
      const keys = new KeyStore({ secrets: memorySecrets() });
      await keys.set(`http://localhost:${mine.port}`, 'sk-1');
      const ports = [mine.port, other.port];
      await discoverServers({ ...options(), ports, timeoutMs: 60_000, keys });
      assert.deepEqual([mine.keys, other.keys], [['Bearer sk-1'], [undefined]]);
    });
  });

  describe('connecting', () => {
    const connectOptions = (ports: readonly number[]) => ({
      ...options(),
      keys: new KeyStore({ secrets: memorySecrets() }),
      ports,
    });

    it('uses the settings without asking the server', async () => {
      const { baseUrl, paths } = await serve({});
      const outcome = await connectToServer({ baseUrl: `${baseUrl}/`, model: 'm' }, connectOptions([]));
      assert.deepEqual([outcome, paths], [{ ok: true, connection: { baseUrl, model: 'm' } }, []]);
    });

    it('prefers a loaded model to the first one, and skips embedding models', async () => {
      const { baseUrl } = await serve({
        '/v1/models': { data: [{ id: 'x', owned_by: 'library' }] },
        '/api/version': { version: '1' },
        '/api/ps': { models: [] },
      });
      const server = (await probeServer(baseUrl, options())) as FoundServer;
      const pick = (...models: FoundServer['models'][number][]) => chooseModel({ ...server, models }, '');
      assert.deepEqual(
        [
          pick({ id: 'a', isLoaded: false }, { id: 'b', isLoaded: true }),
          pick({ id: 'nomic-embed-text', isLoaded: true }, { id: 'b' }),
          pick({ id: 'nomic-embed-text' }),
          chooseModel(server, 'not-listed'),
        ],
        [
          { ok: true, model: 'b' },
          { ok: true, model: 'b' },
          { ok: true, model: 'nomic-embed-text' },
          { ok: true, model: 'not-listed' },
        ],
      );
    });

    it('finds a running server and its model when nothing is set', async () => {
      const empty = await serve({ '/v1/models': { data: [] } });
      const full = await serve({ '/v1/models': recorded('models.json'), '/props': recorded('props.json') });
      const outcome = await connectToServer({ baseUrl: '', model: '' }, connectOptions([empty.port, full.port]));
      const baseUrl = `http://localhost:${full.port}/v1`;
      const server = await probeServer(baseUrl, options());
      assert.deepEqual(outcome, { ok: true, connection: { baseUrl, model: 'qwen-tiny.gguf', slots: 1, server } });
    });

    it('connects to the server with the configured model', async () => {
      const one = await serve({ '/v1/models': { data: [{ id: 'a', owned_by: 'vllm' }] } });
      const two = await serve({ '/v1/models': { data: [{ id: 'b', owned_by: 'vllm' }] } });
      const outcome = await connectToServer({ baseUrl: '', model: 'b' }, connectOptions([one.port, two.port]));
      const baseUrl = `http://localhost:${two.port}/v1`;
      const server = await probeServer(baseUrl, options());
      const connection = { baseUrl, model: 'b', slots: undefined, server };
      assert.deepEqual(outcome, { ok: true, connection });
    });

    it('says in one sentence that no server runs, and the way out', async () => {
      const { port, close } = await serve({});
      await close();
      assert.deepEqual(await connectToServer({ baseUrl: '', model: '' }, connectOptions([port])), {
        ok: false,
        error: {
          code: 'no_server',
          message:
            'No model server answers on the usual ports of this machine. Start one, or set the address of yours.',
        },
      });
    });

    it('reports that the only running server requires a key', async () => {
      const locked = await serve({ '/v1/models': () => ({ status: 401, body: { error: 'key?' } }) });
      const outcome = await connectToServer({ baseUrl: '', model: '' }, connectOptions([locked.port]));
      assert.deepEqual(outcome.ok ? undefined : outcome.error.code, 'unauthorized');
    });
  });
});
