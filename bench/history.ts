import * as nodeFiles from 'node:fs/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { StoredSessions } from '../src/agent/sessions/storedSessions';
import { viewFromEntries } from '../src/agent/view/viewFromEntries';
import type { EntryBody } from '../src/sdk/session/entries';
import { createLogStorage } from '../src/sdk/session/logStorage';
import { replayMessages } from '../src/sdk/session/replay';
import { SessionLog } from '../src/sdk/session/sessionLog';

const ENTRIES = 10_000;
const SESSIONS = 1_000;
const ROUNDS = 5;
/** To `JSON.parse` of the same lines, read from the same file. */
const LIMITS = { reopen: 15, firstList: 5, laterList: 1 };

export async function run(print: (line: string) => void): Promise<boolean> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'open-agent-bench-'));
  try {
    const reopens = await measureSession(path.join(directory, 'long', 's.jsonl'), print);
    return (await measureList(path.join(directory, 'many'), print)) && reopens;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function measureSession(file: string, print: (line: string) => void): Promise<boolean> {
  const log = await openLog(file);
  const appended = await timed(async () => {
    for (let index = 0; index < ENTRIES; index += 1) log.append(bodyOf(index));
    await log.sync();
  });
  await log.close();
  const parsed = await best(() => parsePlainly([file]));
  const reopened = await best(async () => {
    const { entries } = await openLog(file);
    viewFromEntries('s', entries);
    replayMessages(entries);
  });
  const ratio = reopened / parsed;
  print(`appending ${ENTRIES} entries: ${show(appended)}, ${((appended * 1_000) / ENTRIES).toFixed(0)} µs each`);
  print(`JSON.parse of the same lines: ${show(parsed)}`);
  print(`reopening, with view and history: ${show(reopened)} (${ratio.toFixed(2)}, limit ${LIMITS.reopen})`);
  return ratio <= LIMITS.reopen;
}

async function measureList(directory: string, print: (line: string) => void): Promise<boolean> {
  const files = Array.from({ length: SESSIONS }, (_, index) => path.join(directory, `session-${index}.jsonl`));
  await nodeFiles.mkdir(directory);
  for (const file of files) await writeFile(file, textOf(40));
  const store = (): StoredSessions =>
    new StoredSessions({
      directory,
      disk: nodeFiles,
      now: Date.now,
      newToken: () => crypto.randomUUID(),
      onInternalError: (error) => print(String(error)),
    });
  const parsed = await best(() => parsePlainly(files));
  const first = await best(async () => {
    await rm(path.join(directory, 'index.json'), { force: true });
    await store().list();
  });
  const later = await best(() => store().list());
  print(`JSON.parse of ${SESSIONS} sessions: ${show(parsed)}`);
  print(`their list without an index: ${show(first)} (${(first / parsed).toFixed(2)}, limit ${LIMITS.firstList})`);
  print(`their list with an index: ${show(later)} (${(later / parsed).toFixed(2)}, limit ${LIMITS.laterList})`);
  return first / parsed <= LIMITS.firstList && later / parsed <= LIMITS.laterList;
}

/** The least that can be done with files of lines. */
async function parsePlainly(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const text = await nodeFiles.readFile(file, 'utf8');
    for (const line of text.split('\n')) if (line !== '') JSON.parse(line);
  }
}

function openLog(file: string): Promise<SessionLog> {
  return SessionLog.open({
    path: file,
    storage: createLogStorage(nodeFiles),
    now: Date.now,
    newId: () => crypto.randomUUID(),
    onListenerError: (error) => {
      throw error;
    },
  });
}

/** A turn in five entries: prompt, call, intent, result, end. */
function bodyOf(index: number): EntryBody {
  const id = `call-${Math.floor(index / 5)}`;
  switch (index % 5) {
    case 0: {
      const text = `Question ${index}. ${'Why is that so? '.repeat(10)}`;
      return { type: 'user_message', text, contextLabels: [], content: text, origin: 'prompt' };
    }
    case 1:
      return {
        type: 'assistant_message',
        content: [
          { type: 'text', text: 'I look into it. '.repeat(30) },
          { type: 'tool_use', id, name: 'read_file', input: { path: 'src/main.ts' } },
        ],
        stopReason: 'tool_use',
        responseId: 'r',
        model: 'm',
      };
    case 2:
      return { type: 'tool_call', toolUseId: id, toolName: 'read_file', input: { path: 'src/main.ts' } };
    case 3: {
      const content = 'const value = 1;\n'.repeat(80);
      return {
        type: 'tool_result',
        toolUseId: id,
        toolName: 'read_file',
        content,
        isError: false,
        outcome: 'succeeded',
      };
    }
    default:
      return { type: 'status_update', status: 'FINISHED' };
  }
}

function textOf(count: number): string {
  const head = { type: 'title', title: 'A session' };
  const bodies = [head, ...Array.from({ length: count }, (_, index) => bodyOf(index))];
  return bodies
    .map(
      (body, seq) =>
        `${JSON.stringify({ v: 1, id: `e${seq}`, parentId: seq ? `e${seq - 1}` : null, seq, ts: 0, ...body })}\n`,
    )
    .join('');
}

async function best(work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) least = Math.min(least, await timed(work));
  return least;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function show(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}
