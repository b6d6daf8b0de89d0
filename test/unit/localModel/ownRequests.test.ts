import assert from 'node:assert/strict';
import type { LocalServerStatus } from '../../../src/localModel/run/keeperMessages';
import { OwnRequests } from '../../../src/localModel/run/ownRequests';

const ready = (port: number, key: string): LocalServerStatus => ({
  kind: 'ready',
  baseUrl: `http://127.0.0.1:${port}/v1`,
  key,
  name: 'm',
});
const asked: LocalServerStatus = { kind: 'stopped', reason: 'asked' };
const unused: LocalServerStatus = { kind: 'stopped', reason: 'unused' };
const failed: LocalServerStatus = { kind: 'failed', message: 'It crashed.', lastWords: 'out of memory' };

describe('OwnRequests', () => {
  let status: LocalServerStatus;
  /** What a start leads to. */
  let started: LocalServerStatus;
  let starts: number;
  let requests: OwnRequests;
  let sent: string[];
  let send: typeof fetch;

  beforeEach(() => {
    starts = 0;
    sent = [];
    requests = new OwnRequests({
      status: () => status,
      start: async (signal) => {
        signal.throwIfAborted();
        starts += 1;
        be(started);
        return started;
      },
    });
    be(ready(1_001, 'first-key'));
    started = ready(1_002, 'second-key');
    send = requests.through(async (input, init) => {
      const request = new Request(input, init);
      sent.push(`${request.method} ${request.url} ${request.headers.get('authorization')} ${await request.text()}`);
      return new Response('');
    });
  });

  function be(next: LocalServerStatus): void {
    status = next;
    requests.note(next);
  }
  const headers = (key: string) => ({ authorization: `Bearer ${key}` });

  it('sends the requests of earlier clients to the present address with the present key', async () => {
    be(ready(1_002, 'second-key'));
    const url = 'http://127.0.0.1:1001/v1/chat/completions?a=b';
    await send(url, { method: 'POST', headers: headers('first-key'), body: '{}' });
    await send(new Request(url, { method: 'POST', headers: headers('first-key'), body: '{}' }));
    await send(new URL(url), { method: 'POST', headers: headers('second-key'), body: '{}' });
    const now = 'POST http://127.0.0.1:1002/v1/chat/completions?a=b Bearer second-key {}';
    assert.deepEqual(sent, [now, now, now]);
  });

  it('leaves the requests of others alone, also at an address that it once had', async () => {
    be(ready(1_002, 'second-key'));
    await send('http://127.0.0.1:1001/v1/models');
    await send('http://127.0.0.1:1001/v1/models', { headers: headers('other') });
    assert.deepEqual(sent, [
      'GET http://127.0.0.1:1001/v1/models null ',
      'GET http://127.0.0.1:1001/v1/models Bearer other ',
    ]);
    assert.equal(requests.keyAt('http://127.0.0.1:1001'), undefined);
    assert.equal(requests.keyAt('http://127.0.0.1:1002'), 'second-key');
  });

  it('sends nothing to an address where it does not run any more', async () => {
    for (const now of [asked, unused, failed, { kind: 'starting' }, { kind: 'idle' }] as const) {
      be(now);
      await assert.rejects(send('http://127.0.0.1:1001/v1/models', { headers: headers('first-key') }), {
        code: 'ECONNREFUSED',
      });
    }
    assert.deepEqual([sent, starts], [[], 0]);
  });

  it('starts it for the first request of a run, whatever has ended it', async () => {
    for (const now of [asked, unused, failed, { kind: 'starting' }, { kind: 'idle' }] as const) {
      be(now);
      assert.equal(await requests.start(new AbortController().signal), undefined);
    }
    assert.equal(starts, 5);
  });

  it('starts it again for a later request of the run, unless the person has stopped it', async () => {
    const run = new AbortController().signal;
    assert.equal(await requests.start(run), undefined);
    be(unused);
    assert.equal(await requests.start(run), undefined);
    be(unused);
    assert.equal(await requests.start(run), undefined);
    be(asked);
    const error = await requests.start(run);
    const message = 'The model on this machine was stopped. Your next message starts it.';
    assert.deepEqual([error, starts], [{ code: 'server_error', message }, 2]);
  });

  it('starts it once in a run after a failure, and says why it fails', async () => {
    const run = new AbortController().signal;
    assert.equal(await requests.start(run), undefined);
    be(failed);
    assert.equal(await requests.start(run), undefined);
    be(failed);
    const error = { code: 'server_error', message: 'It crashed.\nout of memory' };
    assert.deepEqual([await requests.start(run), starts], [error, 1]);
    started = failed;
    assert.deepEqual([await requests.start(new AbortController().signal), starts], [error, 2]);
  });

  it('ends the wait with the run', async () => {
    be(unused);
    const error = await requests.start(AbortSignal.abort());
    assert.equal(error?.code, 'interrupted');
  });
});
