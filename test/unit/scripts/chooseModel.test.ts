import assert from 'node:assert/strict';
import { chooseModel } from '../../../scripts/start/chooseModel';
import type { ModelChoice } from '../../../scripts/start/chooseModel';
import { ModelServer } from '../../support/servers/modelServer';

const noWishes = { baseUrl: undefined, model: undefined, practice: false };

function portOf(server: ModelServer): number {
  return Number(new URL(server.origin).port);
}

describe('npm start chooses a model', () => {
  let server: ModelServer;
  let reports: string[];

  beforeEach(async () => {
    server = await ModelServer.start({ models: ['tiny', 'large'] });
    reports = [];
  });

  afterEach(() => server.dispose());

  async function choose(wishes: object, ports: readonly number[] = []): Promise<Omit<ModelChoice, 'dispose'>> {
    const servers = ports.map((port) => ({ name: 'llama.cpp', port }));
    const { dispose, ...choice } = await chooseModel({ ...noWishes, ...wishes }, (line) => reports.push(line), servers);
    await dispose();
    return choice;
  }

  it('takes the server that was named', async () => {
    const { baseUrl } = server;
    const description = `its first model at ${baseUrl}`;
    assert.deepEqual(await choose({ baseUrl }), { baseUrl, model: undefined, description });
    assert.deepEqual(reports, []);
  });

  it('says when the named server does not answer, and takes it all the same', async () => {
    const { baseUrl } = server;
    await server.dispose();
    assert.equal((await choose({ baseUrl, model: 'large' })).model, 'large');
    assert.deepEqual(reports, [
      `No list of models came from ${baseUrl} (yet, or without a key). The editor opens with it all the same.`,
    ]);
  });

  it('refuses what is no address', async () => {
    await assert.rejects(choose({ baseUrl: 'localhost:8080' }), /^Error: "localhost:8080" is no http or https address/);
  });

  it('finds a server on a usual port, with its first model or the one that was named', async () => {
    const baseUrl = `http://127.0.0.1:${portOf(server)}/v1`;
    for (const model of ['tiny', 'large']) {
      assert.deepEqual(await choose(model === 'tiny' ? {} : { model }, [portOf(server)]), {
        baseUrl,
        model,
        description: `${model} at ${baseUrl} (found on the usual port of llama.cpp)`,
      });
    }
  });

  it('starts the practice model where nobody listens, where something else listens, or when asked to', async () => {
    server.setRoute('/v1/models', { status: 200, body: '<html>a web site</html>' });
    for (const [wishes, ports] of [
      [{}, []],
      [{}, [portOf(server)]],
      [{ practice: true }, []],
    ] as const) {
      assert.equal((await choose(wishes, ports)).model, 'practice-model');
    }
    assert.equal(reports.length, 2);
  });
});
