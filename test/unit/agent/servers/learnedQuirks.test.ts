import assert from 'node:assert/strict';
import { LearnedQuirks, type QuirkStore } from '../../../../src/agent/servers/learnedQuirks';
import { noQuirks } from '../../../../src/sdk/model/wire/serverQuirks';

const url = 'http://localhost:8080/v1';
const day = 24 * 60 * 60 * 1_000;

class Store implements QuirkStore {
  readonly values = new Map<string, unknown>();
  failure: Error | undefined;
  keys = (): readonly string[] => [...this.values.keys()];
  get = (key: string): unknown => this.values.get(key);
  update = async (key: string, value: unknown): Promise<void> => {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, value);
    if (this.failure) throw this.failure;
  };
}

describe('learned quirks', () => {
  it('belong to one server, or to one model where they depend on it', () => {
    const learned = new LearnedQuirks({ now: () => 0 });
    const quirks = { ...noQuirks, streamOptions: false, tools: 'text', droppedTools: ['a'] } as const;
    learned.memoryFor(url).learn('gemma', quirks);
    assert.deepEqual(learned.memoryFor('http://127.0.0.1:8080').get('gemma'), quirks);
    assert.deepEqual(learned.memoryFor(url).get('qwen'), { ...quirks, tools: 'native' });
    assert.deepEqual(learned.memoryFor('http://localhost:8081/v1').get('gemma'), noQuirks);
  });

  it('can be listed, and forgotten server by server', () => {
    const learned = new LearnedQuirks({ now: () => 0 });
    learned.memoryFor(url).learn('gemma', { ...noQuirks, streamOptions: false, tools: 'text' });
    learned.memoryFor('http://box:8000/v1').learn('m', { ...noQuirks, maxTokensCap: 100 });
    const words = ['answers of at most 100 tokens'];
    const other = { endpoint: 'http://box:8000', model: 'm', quirks: { maxTokensCap: 100 }, words };
    assert.deepEqual(learned.list(), [
      { endpoint: 'http://localhost:8080', quirks: { streamOptions: false }, words: ['no token counts asked for'] },
      { endpoint: 'http://localhost:8080', model: 'gemma', quirks: { tools: 'text' }, words: ['tools as text'] },
      other,
    ]);
    assert.deepEqual(learned.describe(url, 'gemma'), ['tools as text', 'no token counts asked for']);
    assert.deepEqual(learned.describe(url, 'qwen'), ['no token counts asked for']);
    learned.reset(url);
    assert.deepEqual(learned.list(), [other]);
    learned.reset();
    assert.deepEqual(learned.list(), []);
  });

  it('remember the window of a server that drops the start of prompts', () => {
    const learned = new LearnedQuirks({ now: () => 0 });
    learned.memoryFor(url).learn('gemma', { ...noQuirks, contextCap: 4_096 });
    assert.equal(learned.memoryFor(url).get('gemma').contextCap, 4_096);
    assert.equal(learned.memoryFor(url).get('qwen').contextCap, null);
    assert.deepEqual(learned.describe(url, 'gemma'), ['drops the start of prompts over 4096 tokens']);
  });

  it('are reported when they are learned and when they are forgotten', () => {
    const learned = new LearnedQuirks({ now: () => 0 });
    let changes = 0;
    learned.onChange(() => (changes += 1));
    learned.memoryFor(url).learn('gemma', { ...noQuirks, tools: 'text' });
    learned.reset(url);
    assert.equal(changes, 2);
  });

  it('outlive the process in a store, for a day', () => {
    const store = new Store();
    let now = 0;
    const open = (): LearnedQuirks => new LearnedQuirks({ store, now: () => now });
    const quirks = { ...noQuirks, tools: 'text' } as const;
    open().memoryFor(url).learn('m', quirks);
    now = day;
    assert.deepEqual(open().memoryFor(url).get('m'), quirks);
    now = day + 1;
    assert.deepEqual(open().memoryFor(url).get('m'), noQuirks);
    assert.deepEqual(open().list(), []);
  });

  it('are ignored when the store holds something else', () => {
    const store = new Store();
    const learned = new LearnedQuirks({ store, now: () => 0 });
    const values = ['text', null, { learnedMs: 'now', quirks: {} }, { learnedMs: 0, quirks: { tools: 'none' } }];
    for (const value of values) {
      store.values.set('serverQuirks:http://localhost:8080', value);
      assert.deepEqual(learned.memoryFor(url).get('m'), noQuirks);
    }
    store.values.set('other', 1);
    learned.reset();
    assert.deepEqual([...store.values], [['other', 1]]);
  });

  it('count for the process when the store cannot keep them', async () => {
    const store = new Store();
    store.failure = new Error('full');
    const errors: unknown[] = [];
    const learned = new LearnedQuirks({ store, now: () => 0, onInternalError: (error) => errors.push(error) });
    learned.memoryFor(url).learn('m', { ...noQuirks, streamWithTools: false });
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual(errors, [store.failure]);
    assert.equal(learned.memoryFor(url).get('m').streamWithTools, false);
  });
});
