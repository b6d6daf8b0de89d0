import assert from 'node:assert/strict';
import { Consents, type ConsentAnswer, type ConsentQuestion } from '../../../src/bridge/consents';

const server = 'http://localhost:8080';
const other = 'http://localhost:1234';

let clockMs = 0;

function open(answers: readonly ConsentAnswer[], store = new Map<string, unknown>(), id: string | null = 'ssh+a') {
  const asked: ConsentQuestion[] = [];
  const left = [...answers];
  const now = (): number => (clockMs += 1);
  const consents = new Consents({
    remote: () => ({ id: id ?? undefined, name: 'a (ssh)' }),
    ask: (question) => {
      asked.push(question);
      return Promise.resolve(left.shift() ?? 'no');
    },
    memory: { get: (key) => store.get(key), update: (key, value) => Promise.resolve(void store.set(key, value)) },
    now,
  });
  return { consents, asked, store };
}

describe('Consents', () => {
  it('asks once for each server', async () => {
    const { consents, asked } = open(['window', 'window']);
    assert.equal(await consents.isAllowed(server, true), true);
    assert.equal(await consents.isAllowed(server, true), true);
    assert.equal(await consents.isAllowed(other, true), true);
    assert.deepEqual(
      asked.map(({ origin }) => origin),
      [server, other],
    );
    assert.deepEqual(consents.origins, [server, other]);
  });

  it('shares one question among requests that come meanwhile, and refuses other servers until it is answered', async () => {
    const { consents, asked } = open(['window']);
    const answers = await Promise.all([server, server, other].map((origin) => consents.isAllowed(origin, true)));
    assert.deepEqual(answers, [true, true, false]);
    assert.equal(asked.length, 1);
  });

  it('asks nobody for a request that may not ask', async () => {
    const { consents, asked } = open(['always']);
    assert.equal(await consents.isAllowed(server, false), false);
    assert.deepEqual(asked, []);
    await consents.isAllowed(server, true);
    assert.equal(await consents.isAllowed(server, false), true);
  });

  it('does not ask again after a refusal, and not at all after three', async () => {
    const { consents, asked } = open([]);
    for (const port of [1, 1, 2, 3, 4, 5])
      assert.equal(await consents.isAllowed(`http://localhost:${port}`, true), false);
    assert.equal(asked.length, 3);
    assert.equal(await consents.choose('http://localhost:6', false), false);
    assert.equal(asked.length, 3, 'a server that the remote names is not asked about either');
    assert.equal(await consents.choose('http://localhost:6', true), false);
    assert.equal(asked.length, 4, 'one that the person chose on the laptop is');
  });

  it('asks again when the person chose the server themselves', async () => {
    const { consents } = open(['no', 'window']);
    assert.equal(await consents.isAllowed(server, true), false);
    assert.equal(await consents.choose(server, true), true);
    assert.equal(await consents.isAllowed(server, true), true);
  });

  it('remembers "always" for this remote only', async () => {
    const { consents, store } = open(['always']);
    await consents.isAllowed(server, true);
    assert.equal(await open([], store).consents.isAllowed(server, true), true);
    assert.equal(await open([], store).consents.isAllowed(other, true), false);
    assert.equal(await open([], store, 'ssh+b').consents.isAllowed(server, true), false);
    assert.equal(await open([], store, null).consents.isAllowed(server, true), false);
  });

  it('remembers nothing for a remote that is not known for certain', async () => {
    const store = new Map<string, unknown>();
    const { consents, asked } = open(['always'], store);
    const unknown = new Consents({
      remote: () => ({ id: undefined, name: 'a remote' }),
      ask: (question) => (asked.push(question), Promise.resolve('always')),
      memory: { get: (key) => store.get(key), update: (key, value) => Promise.resolve(void store.set(key, value)) },
      now: () => 1,
    });
    assert.equal(await unknown.isAllowed(server, true), true);
    assert.equal(asked[0]?.canRemember, false);
    assert.deepEqual([...store], []);
    assert.deepEqual(consents.origins, []);
  });

  it('forgets a consent that is taken back, also the remembered one', async () => {
    const { consents, asked, store } = open(['always', 'window']);
    await consents.isAllowed(server, true);
    await consents.revoke(server);
    assert.equal(await consents.isAllowed(server, true), false);
    assert.equal(asked.length, 1);
    assert.equal(await open([], store).consents.isAllowed(server, true), false);
    assert.equal(await consents.choose(server, true), true);
  });

  it('ends the consents of all windows of the remote, and of no other remote', async () => {
    const store = new Map<string, unknown>();
    const here = open(['always'], store).consents;
    const there = open(['window', 'window'], store).consents;
    const elsewhere = open(['window'], store, 'ssh+b').consents;
    const unknown = open(['window'], store, null).consents;
    await there.isAllowed(server, true);
    await here.isAllowed(server, true);
    const late = open([], store).consents;
    for (const one of [elsewhere, unknown]) await one.isAllowed(server, true);
    assert.deepEqual(
      [here, there, late, elsewhere, unknown].map((one) => one.has(server)),
      [true, true, true, true, true],
    );
    await here.revoke(server);
    assert.deepEqual(
      [here, there, late, elsewhere, unknown].map((one) => one.has(server)),
      [false, false, false, true, true],
    );
    // A later yes of another window counts for that window.
    assert.equal(await there.choose(server, true), true);
    assert.deepEqual([there.has(server), here.has(server), late.has(server)], [true, false, false]);
  });

  it('allows nothing by a damaged storage', async () => {
    for (const damaged of [
      undefined,
      null,
      'x',
      [['ssh+a', server]],
      { kept: [['ssh+a']] },
      { kept: [['ssh+a', server]] },
      { kept: [[1, server]], revoked: [] },
    ]) {
      const { consents } = open([], new Map([['consents', damaged]]));
      assert.equal(await consents.isAllowed(server, true), false);
    }
  });
});
