import assert from 'node:assert/strict';
import { defaultAgentSettings, type AgentSettings } from '../../../../../src/agent/configuration/agentSettings';
import type { KeyStore } from '../../../../../src/agent/servers/keys';
import { openModelAccess } from '../../../../../src/agent/servers/access/modelAccess';
import { ModelSelection } from '../../../../../src/agent/servers/access/modelSelection';
import type { OwnServer } from '../../../../../src/agent/servers/access/ownServer';
import { ServerConnection } from '../../../../../src/agent/servers/access/serverConnection';
import { ManualSchedule } from '../../../../support/manualSchedule';
import { MemoryOfWorkspace } from '../../../../support/sessions/memoryOfWorkspace';
import { ModelServer } from '../../../../support/servers/modelServer';

describe('ServerConnection', () => {
  let server: ModelServer;
  let settings: AgentSettings;
  let ports: number[];
  let schedule: ManualSchedule;
  let keys: KeyStore;
  let errors: unknown[];
  let connection: ServerConnection;
  let seen: string[];

  beforeEach(async () => {
    server = await ModelServer.start({ models: ['first', 'second'] });
    settings = { ...defaultAgentSettings, baseUrl: server.baseUrl };
    ports = [Number(new URL(server.baseUrl).port)];
    schedule = new ManualSchedule();
    const access = openModelAccess({ certificateAuthority: () => '' });
    keys = access.keys;
    errors = [];
    seen = [];
    connection = new ServerConnection({
      settings: () => settings,
      selection: new ModelSelection({ memory: new MemoryOfWorkspace(), setting: () => settings.model }),
      access,
      setTimer: schedule.schedule,
      onInternalError: (error) => void errors.push(error),
      ports,
    });
    connection.onChange(() => void seen.push(connection.state.kind));
  });

  afterEach(async () => {
    connection.dispose();
    await server.dispose();
    assert.deepEqual(errors, []);
  });

  it('sends nothing before the state is needed', () => {
    assert.deepEqual(connection.state, { kind: 'unknown' });
    assert.deepEqual(connection.target, { baseUrl: server.baseUrl, model: '' });
    assert.deepEqual(server.requests, []);
  });

  it('connects to the server that is set and uses its first model', async () => {
    await connection.refresh();
    assert.deepEqual(seen, ['connecting', 'connected']);
    const { state } = connection;
    assert.ok(state.kind === 'connected' && state.isConfigured && state.baseUrl === server.baseUrl);
    assert.deepEqual(
      connection.models.map(({ id }) => id),
      ['first', 'second'],
    );
    assert.deepEqual(connection.target, { baseUrl: server.baseUrl, model: 'first' });
  });

  it('works with a server that it found loading its model', async () => {
    settings = { ...settings, baseUrl: '' };
    const loading = { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } };
    server.setRoute('/v1/models', { status: 503, body: loading });
    await connection.ensure();
    assert.deepEqual(connection.target, { baseUrl: `http://localhost:${ports[0]}/v1`, model: '' });
    settings = { ...settings, baseUrl: 'http://127.0.0.1:9/v1' };
    assert.equal(connection.target.baseUrl, settings.baseUrl, 'what is set comes first');
  });

  it('reports another model in use, picked or set, and each change once', async () => {
    await connection.refresh();
    const models: (string | undefined)[] = [];
    connection.onChange(() => void models.push(connection.selectedModel));
    await connection.refresh({ quiet: true });
    settings = { ...settings, model: 'second' };
    await connection.refresh({ quiet: true });
    await connection.selectModel('first');
    await connection.selectModel('second');
    await connection.refresh({ quiet: true });
    assert.deepEqual(models, ['second', 'first', 'second']);
  });

  it('finds a server on the usual ports when none is set', async () => {
    settings = defaultAgentSettings;
    await connection.refresh();
    assert.deepEqual(seen, ['searching', 'connected']);
    const { state } = connection;
    assert.ok(state.kind === 'connected' && !state.isConfigured);
    assert.equal(connection.target.model, 'first');
  });

  it('names the tried ports when nothing was found', async () => {
    settings = defaultAgentSettings;
    await server.dispose();
    await connection.refresh();
    assert.deepEqual(connection.state, { kind: 'not_found', triedPorts: ports });
    assert.deepEqual(connection.target, { baseUrl: '', model: '' });
  });

  it('names the URL when the server that is set does not answer', async () => {
    await server.dispose();
    await connection.refresh();
    const { state } = connection;
    assert.ok(state.kind === 'failed' && !state.isUnauthorized);
    assert.match(state.message, new RegExp(new URL(settings.baseUrl).host));
  });

  it('tells a missing key from other failures, and uses the key of this server', async () => {
    await using locked = await ModelServer.start({ apiKey: 'right' });
    settings = { ...settings, baseUrl: locked.baseUrl };
    await connection.refresh();
    assert.ok(connection.state.kind === 'failed' && connection.state.isUnauthorized);
    await keys.set(locked.baseUrl, 'right');
    await connection.refresh();
    assert.equal(connection.state.kind, 'connected');
  });

  it('says that a server has no models', async () => {
    server.setRoute('/v1/models', { status: 200, body: { object: 'list', data: [] } });
    await connection.refresh();
    assert.equal(connection.state.kind, 'no_models');
    assert.equal(connection.selectedModel, undefined);
  });

  it('prefers the chosen model to the set one, and the set one to the first', async () => {
    settings = { ...settings, model: 'second' };
    await connection.refresh();
    assert.equal(connection.selectedModel, 'second');
    await connection.selectModel('first');
    assert.equal(connection.selectedModel, 'first');
  });

  it('uses a chosen model at its own server only', async () => {
    await connection.refresh();
    await connection.selectModel('second');
    await using other = await ModelServer.start({ models: ['third'] });
    settings = { ...settings, baseUrl: other.baseUrl };
    await connection.refresh();
    assert.equal(connection.selectedModel, 'third');
  });

  it('probes again while a webview is watching, until the server answers', async () => {
    server.setRoute('/v1/models', { status: 500, body: {} });
    connection.setWatched(true);
    await connection.ensure();
    assert.equal(connection.state.kind, 'failed');
    assert.deepEqual(schedule.delays, [4_000]);
    server.setRoute('/v1/models', undefined);
    schedule.run();
    await connection.ensure();
    assert.equal(connection.state.kind, 'connected');
    // No flicker: a look nobody asked for shows only what came out.
    assert.deepEqual(seen, ['connecting', 'failed', 'connected']);
  });

  it('reports that a model cannot be loaded because the API key cannot be read', async () => {
    await connection.refresh();
    keys.get = () => Promise.reject(new Error('The keyring is locked.'));
    const { signal } = new AbortController();
    assert.deepEqual(await connection.changeLoaded('second', true, signal), {
      ok: false,
      error: {
        code: 'unauthorized',
        message: `The API key of ${server.baseUrl} could not be read: The keyring is locked.`,
      },
    });
  });

  it('notices that the server has gone, that it is back, and that it has another model, while a webview is watching', async () => {
    connection.setWatched(true);
    await connection.ensure();
    const glance = async (kind: string, model?: string): Promise<void> => {
      schedule.run();
      while (schedule.delays.length !== 1) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual([connection.state.kind, connection.selectedModel], [kind, model]);
    };
    const probes = server.requests.length;
    await glance('connected', 'first');
    await glance('connected', 'first');
    assert.equal(server.requests.length, probes + 2, 'one small request each');
    server.setRoute('/v1/models', { status: 503, body: { error: { message: 'Loading model' } } });
    await glance('failed');
    assert.ok(connection.state.kind === 'failed' && connection.state.isLoading);
    server.setRoute('/v1/models', undefined);
    await glance('connected', 'first');
    await glance('connected', 'first');
    server.setRoute('/v1/models', { status: 200, body: { object: 'list', data: [{ id: 'other', object: 'model' }] } });
    await glance('connected', 'other');
    await server.dispose();
    await glance('failed');
    assert.ok(connection.state.kind === 'failed' && !connection.state.isLoading);
    connection.setWatched(false);
    assert.deepEqual(schedule.delays, []);
  });

  it('goes on watching when the API key cannot be read for a moment', async () => {
    connection.setWatched(true);
    await connection.ensure();
    const { get } = keys;
    const locked = new Error('The keyring is locked.');
    keys.get = () => Promise.reject(locked);
    schedule.run();
    while (schedule.delays.length !== 1) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(errors.splice(0), [locked]);
    keys.get = get;
    await server.dispose();
    schedule.run();
    while (schedule.delays.length !== 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(connection.state.kind, 'failed');
  });

  it('stops probing when no webview is watching', async () => {
    await server.dispose();
    connection.setWatched(true);
    await connection.ensure();
    connection.setWatched(false);
    assert.deepEqual(schedule.delays, []);
  });

  describe('with a server of this machine', () => {
    let own: OwnServer | undefined;
    let calls: string[];
    let using: ServerConnection;

    beforeEach(() => {
      settings = { ...settings, baseUrl: '' };
      own = { kind: 'stopped', message: 'It was stopped.', model: { id: 'first', contextWindow: 16_384 } };
      calls = [];
      using = new ServerConnection({
        settings: () => settings,
        selection: new ModelSelection({ memory: new MemoryOfWorkspace(), setting: () => settings.model }),
        access: openModelAccess({ certificateAuthority: () => '' }),
        setTimer: schedule.schedule,
        onInternalError: (error) => void errors.push(error),
        ports: [],
        ownServer: {
          find: async () => own,
          start: async ({ unlessStopped }) => {
            calls.push(unlessStopped ? 'start unless stopped' : 'start');
            if (own && !unlessStopped) own = { kind: 'running', baseUrl: server.baseUrl };
            return own;
          },
        },
      });
    });
    afterEach(() => using.dispose());

    it('starts nothing by looks, and starts it early only if nobody has stopped it', async () => {
      await using.ensure();
      await using.ensure({ quiet: true });
      await using.refresh();
      using.setWatched(true);
      using.setWatched(false);
      using.setWatched(true);
      await using.ensure();
      schedule.run();
      await using.ensure();
      assert.deepEqual(calls, ['start unless stopped']);
      assert.deepEqual(using.state, {
        ...{ kind: 'failed', baseUrl: '', message: 'It was stopped.', isUnauthorized: false, isResting: true },
        model: 'first',
      });
      assert.deepEqual(
        using.resting?.models.map(({ id }) => id),
        ['first'],
      );
    });

    it('starts it for those who need an answer, also while a look is under way', async () => {
      const look = using.refresh({ quiet: true });
      assert.equal(await using.wake(), undefined);
      await look;
      assert.deepEqual([calls, using.target], [['start'], { baseUrl: server.baseUrl, model: 'first' }]);
      assert.equal(using.resting, undefined);
    });

    it('tells a server that starts from one that has failed', async () => {
      const shown = { kind: 'failed', baseUrl: '', message: 'So.', isUnauthorized: false };
      own = { kind: 'starting', message: 'So.', model: { id: 'first', contextWindow: 4096 } };
      await using.refresh();
      assert.deepEqual(using.state, { ...shown, isLoading: true, model: 'first' });
      own = { kind: 'failed', message: 'So.' };
      await using.refresh();
      assert.deepEqual(using.state, shown);
    });

    it('starts it on Retry, and probes', async () => {
      await using.retry();
      assert.deepEqual([calls, using.state.kind], [['start'], 'connected']);
    });

    it('says why it cannot be used', async () => {
      const stopped = { kind: 'stopped', message: 'It crashed.' } as const;
      const failing = new ServerConnection({
        settings: () => settings,
        selection: new ModelSelection({ memory: new MemoryOfWorkspace(), setting: () => settings.model }),
        access: openModelAccess({ certificateAuthority: () => '' }),
        onInternalError: (error) => void errors.push(error),
        ports,
        ownServer: { find: async () => stopped, start: async () => stopped },
      });
      assert.deepEqual(await failing.wake(), { code: 'server_error', message: 'It crashed.' });
      assert.deepEqual(failing.target, { baseUrl: '', model: '' });
      failing.dispose();
    });

    it('looks for others where none was set up', async () => {
      own = undefined;
      assert.equal(await using.wake(), undefined);
      assert.equal(using.state.kind, 'not_found');
    });

    it('is not asked while the settings name a server', async () => {
      settings = { ...settings, baseUrl: server.baseUrl };
      assert.equal(await using.wake(), undefined);
      await using.retry();
      assert.deepEqual([calls, using.state.kind], [[], 'connected']);
    });
  });

  it('aborts a probe for a newer one', async () => {
    await using other = await ModelServer.start({ models: ['third'] });
    const first = connection.refresh();
    settings = { ...settings, baseUrl: other.baseUrl };
    await Promise.all([first, connection.refresh()]);
    await connection.ensure();
    assert.deepEqual(connection.target, { baseUrl: other.baseUrl, model: 'third' });
  });
});
