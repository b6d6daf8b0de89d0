import assert from 'node:assert/strict';
import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import type { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import { migrateText } from '../../../src/agent/sessionFiles/migrateSession';
import { nodeDisk, type DiskCalls } from '../../../src/agent/sessionFiles/sessionDisk';
import type { EntryBody } from '../../../src/sdk/session/entries';
import { entryLine } from '../../../src/sdk/session/parseEntry';
import { readEntries } from '../../../src/sdk/session/readEntries';
import { ScriptedProvider, textResponse } from '../servers/scriptedProvider';
import { ManualSchedule } from '../manualSchedule';
import { clientsOf, createRegistry } from './registry';

/** An operation on the sessions of a folder. It may fail or die at any moment. */
export interface SessionOperation {
  readonly name: string;
  /** The files of the folder before the operation, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** A side effect that nobody asked for, which may be left to the next time. */
  readonly isSideEffect?: boolean;
  run(registry: SessionRegistry): Promise<unknown>;
  /** Whether it has happened. Throws if it happened only partly, or if anything else changed. */
  hasHappened(directory: string): Promise<boolean>;
}

/** The sessions of a folder as in a separate window. `onInternalError` gets the errors that the caller does not. */
export function openSessions(
  directory: string,
  options: { disk?: DiskCalls; now?: () => number; onInternalError: (error: unknown) => void },
): SessionRegistry {
  const { disk = nodeDisk, now = Date.now, onInternalError } = options;
  return createRegistry(directory, {
    workspace: 'file:///w',
    createClient: clientsOf({ provider: new ScriptedProvider([textResponse('An answer.')]) }),
    disk,
    now,
    setTimer: new ManualSchedule().schedule,
    onInternalError,
  });
}

const one = sessionText('one', ['First question', 'Second question']);
const two = sessionText('two', ['Something else']);
const oldText = ['{"type":"title","title":"one"}', '{"type":"status_update","status":"FINISHED"}', ''].join('\n');
const damagedText = one.replace('\n', '\n{"v":1,"id":"\0\n');
const index = '{"v":1,"files":{}}';
const untouched = { 'two.jsonl': two, 'index.json': index, 'search.json': '{"v":0,"files":{}}' };

export const sessionOperations: readonly SessionOperation[] = [
  {
    name: 'listing them',
    files: { ...untouched, 'one.jsonl': one },
    run: (registry) => registry.list(),
    hasHappened: async (directory) => (await readJson(directory, 'index.json')).v === 2,
  },
  {
    name: 'searching them',
    files: { ...untouched, 'one.jsonl': one },
    run: async (registry) => assert.equal((await registry.list('question')).length, 1),
    hasHappened: async (directory) => (await readJson(directory, 'search.json')).v === 1,
  },
  {
    name: 'deleting one',
    files: { ...untouched, 'one.jsonl': one, 'one.jsonl.v0': oldText, 'one.jsonl.damaged': 'x\n' },
    run: (registry) => registry.delete('one'),
    async hasHappened(directory) {
      const isThere = (await readText(directory, 'one.jsonl')) !== undefined;
      // After the undo everything is there again, including the files beside the session.
      if (!isThere) await withSessions(directory, (registry) => registry.undelete('one'));
      assert.equal(await readText(directory, 'one.jsonl'), one);
      assert.equal(await readText(directory, 'one.jsonl.v0'), oldText);
      assert.equal(await readText(directory, 'one.jsonl.damaged'), 'x\n');
      return !isThere;
    },
  },
  {
    name: 'taking a deletion back',
    files: { ...untouched, 'trash/one.7.jsonl': one, 'trash/one.7.jsonl.v0': oldText, 'trash/one.5.jsonl': two },
    run: (registry) => registry.undelete('one'),
    async hasHappened(directory) {
      const isThere = (await readText(directory, 'one.jsonl')) !== undefined;
      if (!isThere) await withSessions(directory, (registry) => registry.undelete('one'));
      assert.equal(await readText(directory, 'one.jsonl'), one);
      assert.equal(await readText(directory, 'one.jsonl.v0'), oldText);
      assert.equal(await readText(directory, 'trash/one.5.jsonl'), two);
      return isThere;
    },
  },
  {
    name: 'forking one',
    files: { ...untouched, 'one.jsonl': one },
    run: (registry) => registry.fork('one'),
    hasHappened: (directory) => hasNewSession(directory, 'one (fork)'),
  },
  {
    name: 'importing one',
    files: { ...untouched, 'one.jsonl': one },
    run: (registry) => registry.import(Buffer.from(sessionText('three', ['Third question']))),
    hasHappened: (directory) => hasNewSession(directory, 'three'),
  },
  {
    name: 'exporting one',
    files: { ...untouched, 'one.jsonl': one },
    run: async (registry) => assert.equal(await registry.export('one', 'jsonl'), one),
    hasHappened: async (directory) => (await readText(directory, 'one.jsonl')) === one,
  },
  {
    name: 'renaming one',
    files: { ...untouched, 'one.jsonl': one },
    run: (registry) => registry.rename('one', 'Another name'),
    async hasHappened(directory) {
      const text = (await readText(directory, 'one.jsonl')) ?? '';
      assert.equal(text.startsWith(one), true);
      return readEntries(Buffer.from(text)).entries.some(
        (entry) => entry.type === 'title' && entry.title === 'Another name',
      );
    },
  },
  {
    name: 'bringing one of an older version up to date',
    files: { ...untouched, 'one.jsonl': oldText },
    isSideEffect: true,
    run: (registry) => registry.open('one'),
    async hasHappened(directory) {
      const text = await readText(directory, 'one.jsonl');
      const kept = await readText(directory, 'one.jsonl.v0');
      const isNew = text === migrateText(oldText);
      assert.equal(isNew ? kept : text, oldText);
      assert.equal(kept ?? oldText, oldText);
      return isNew;
    },
  },
  {
    name: 'keeping the damage of one aside',
    files: { ...untouched, 'one.jsonl': damagedText },
    isSideEffect: true,
    async run(registry) {
      const { view } = await registry.open('one');
      assert.equal(view.items.filter(({ kind }) => kind === 'notice').length, 1);
    },
    async hasHappened(directory) {
      assert.equal(await readText(directory, 'one.jsonl'), damagedText);
      const kept = await readText(directory, 'one.jsonl.damaged');
      assert.equal(kept ?? '{"v":1,"id":"\0\n', '{"v":1,"id":"\0\n');
      return kept !== undefined;
    },
  },
  {
    name: 'going on with one',
    files: { ...untouched, 'one.jsonl': one },
    async run(registry) {
      const session = await registry.open('one');
      await session.submit({ text: 'Third question' });
      await session.whenIdle();
    },
    async hasHappened(directory) {
      const text = (await readText(directory, 'one.jsonl')) ?? '';
      assert.equal(text.startsWith(one), true);
      const added = readEntries(Buffer.from(text)).entries.slice(readEntries(Buffer.from(one)).entries.length);
      return added.at(-1)?.type === 'status_update' && text.includes('An answer.');
    },
  },
];

/** Uses the sessions on a working disk, some hours later, so that leftovers are removed. */
async function withSessions<T>(directory: string, work: (registry: SessionRegistry) => Promise<T>): Promise<T> {
  const now = (): number => Date.now() + 5 * 60 * 60_000;
  const registry = openSessions(directory, { now, onInternalError: (error) => assert.fail(String(error)) });
  try {
    return await work(registry);
  } finally {
    await registry.dispose();
  }
}

/** Checks that nothing else changed, every session is listed and can be continued, and no lock is left. */
export async function assertIntact(directory: string): Promise<void> {
  assert.equal(await readText(directory, 'two.jsonl'), two);
  const broken = (await nodeFiles.readdir(directory)).filter((name) => name.endsWith('.json'));
  for (const name of broken) await readJson(directory, name);
  await withSessions(directory, async (registry) => {
    const ids = (await registry.list()).map(({ id }) => id);
    assert.equal(ids.includes('two'), true);
    assert.deepEqual(
      ids.toSorted(),
      (await nodeFiles.readdir(directory))
        .flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -6)] : []))
        .toSorted(),
    );
    for (const id of ids) assert.equal((await registry.open(id)).view.readOnly, undefined, id);
  });
  const left = (await nodeFiles.readdir(directory)).filter((name) => /\.tmp$|\.lock/.test(name));
  assert.deepEqual(left, []);
}

async function readText(directory: string, name: string): Promise<string | undefined> {
  try {
    return await nodeFiles.readFile(path.join(directory, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readJson(directory: string, name: string): Promise<{ readonly v: number }> {
  return JSON.parse((await readText(directory, name)) ?? index) as { v: number };
}

async function hasNewSession(directory: string, title: string): Promise<boolean> {
  assert.equal(await readText(directory, 'one.jsonl'), one);
  const names = (await nodeFiles.readdir(directory)).filter((name) => name.endsWith('.jsonl'));
  const added = names.filter((name) => !['one.jsonl', 'two.jsonl'].includes(name));
  if (added.length === 0) return false;
  assert.equal(added.length, 1);
  const { entries, problems } = readEntries(Buffer.from((await readText(directory, added[0] ?? '')) ?? ''));
  assert.deepEqual(problems, []);
  assert.equal(entries.findLast((entry) => entry.type === 'title')?.title, title);
  assert.equal(entries.filter(({ type }) => type === 'assistant_message').length, title === 'three' ? 1 : 2);
  return true;
}

function sessionText(title: string, prompts: readonly string[]): string {
  const bodies: readonly EntryBody[] = [
    { type: 'system_message', systemPrompt: 's', workspace: 'file:///w', model: 'm', baseUrl: 'http://localhost:1' },
    { type: 'title', title },
    ...prompts.flatMap((text): readonly EntryBody[] => [
      { type: 'status_update', status: 'RUNNING' },
      { type: 'user_message', text, contextLabels: [], content: text, origin: 'prompt' },
      {
        type: 'assistant_message',
        content: [{ type: 'text', text: `Reply to: ${text.slice(0, 5)}` }],
        responseId: 'r',
        model: 'm',
      },
      { type: 'status_update', status: 'FINISHED' },
    ]),
  ];
  return bodies
    .map((body, seq) => {
      const parentId = seq > 0 ? `${title}-${seq - 1}` : null;
      return `${entryLine({ v: 1, id: `${title}-${seq}`, parentId, seq, ts: seq, ...body })}\n`;
    })
    .join('');
}
