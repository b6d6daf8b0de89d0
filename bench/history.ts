import * as nodeFiles from 'node:fs/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { StoredSessions } from '../src/agent/sessionFiles/storedSessions';
import { viewFromEntries, viewInSlices } from '../src/agent/view/fold/viewFromEntries';
import type { EntryBody } from '../src/sdk/session/entries';
import { createLogStorage } from '../src/sdk/session/createLogStorage';
import { replayInSlices, replayMessages } from '../src/sdk/session/replay';
import { SessionLog } from '../src/sdk/session/sessionLog';
import { longestBlock } from './support/longestBlock';

const ENTRIES = 10_000;
const SESSIONS = 1_000;
const ROUNDS = 9;
const SEARCHED = ['question', 'look'];
/** Ratios to the least possible work: one write for each line, and `JSON.parse` of the same lines from the same file. */
const LARGE_BYTES = 58_000_000;
const MAX_BLOCK_MS = 50;
const LIMITS = { large: 2, append: 4, reopen: 4, firstList: 2, laterList: 0.5, firstSearch: 3, laterSearch: 1 };

export async function run(print: (line: string) => void): Promise<boolean> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'open-agent-bench-'));
  try {
    const reopens = await measureReopening(path.join(directory, 'long', 's.jsonl'), print);
    const large = await measureLarge(path.join(directory, 'large.jsonl'), print);
    const appends = await measureAppending(path.join(directory, 'appended'), print);
    return (await measureList(path.join(directory, 'many'), print)) && reopens && large && appends;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function measureAppending(directory: string, print: (line: string) => void): Promise<boolean> {
  await nodeFiles.mkdir(directory);
  const lines = Array.from({ length: ENTRIES }, (_, index) => Buffer.from(`${JSON.stringify(bodyOf(index))}\n`));
  const [written, appended] = await measureInTurn(
    async () => {
      const file = await nodeFiles.open(path.join(directory, crypto.randomUUID()), 'a');
      for (const line of lines) await file.write(line);
      await file.sync();
      await file.close();
    },
    () => appendAll(path.join(directory, crypto.randomUUID())),
  );
  const { ratio } = appended;
  const each = ((appended.leastMs * 1_000) / ENTRIES).toFixed(0);
  print(`one plain write for each of ${ENTRIES} lines: ${show(written.leastMs)}`);
  print(
    `appending ${ENTRIES} entries: ${show(appended.leastMs)}, ${each} µs each (${ratio.toFixed(2)}, limit ${LIMITS.append})`,
  );
  return ratio <= LIMITS.append;
}

async function appendAll(file: string): Promise<void> {
  const log = await openLog(file);
  for (let index = 0; index < ENTRIES; index += 1) log.append(bodyOf(index));
  await log.sync();
  await log.close();
}

async function measureReopening(file: string, print: (line: string) => void): Promise<boolean> {
  await appendAll(file);
  const [parsed, reopened] = await measureInTurn(
    () => parsePlainly([file]),
    async () => {
      const { entries } = await openLog(file);
      viewFromEntries('s', entries);
      replayMessages(entries);
    },
  );
  const { ratio } = reopened;
  print(`JSON.parse of the same lines: ${show(parsed.leastMs)}`);
  print(`reopening, with view and history: ${show(reopened.leastMs)} (${ratio.toFixed(2)}, limit ${LIMITS.reopen})`);
  return ratio <= LIMITS.reopen;
}

/** A session that is as large as sessions become, opened as the panel opens it. */
async function measureLarge(file: string, print: (line: string) => void): Promise<boolean> {
  const text = textOf(Math.ceil((LARGE_BYTES / textOf(1_000).length) * 1_000));
  await writeFile(file, text);
  let block = Infinity;
  const open = async (): Promise<void> => {
    const { entries } = await openLog(file);
    await viewInSlices('s', entries);
    await replayInSlices(entries);
  };
  const [parsed, opened] = await measureInTurn(
    () => parsePlainly([file]),
    async () => {
      block = Math.min(block, await longestBlock(open));
    },
  );
  const { ratio } = opened;
  print(`JSON.parse of the lines of a session of ${(text.length / 1e6).toFixed(0)} MB: ${show(parsed.leastMs)}`);
  print(`opening it, with view and history: ${show(opened.leastMs)} (${ratio.toFixed(2)}, limit ${LIMITS.large})`);
  print(`the longest block meanwhile: ${show(block)}, limit ${show(MAX_BLOCK_MS)}`);
  return ratio <= LIMITS.large && block <= MAX_BLOCK_MS;
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
  const forget = (name: string): Promise<void> => rm(path.join(directory, name), { force: true });
  const [parsed, firstList, laterList, firstSearch, laterSearch] = await measureInTurn(
    () => parsePlainly(files),
    async () => {
      await forget('index.json');
      await store().list();
    },
    () => store().list(),
    async () => {
      await forget('search.json');
      await store().list(SEARCHED);
    },
    () => store().list(SEARCHED),
  );
  const measured = { firstList, laterList, firstSearch, laterSearch };
  const names = {
    firstList: 'their list without an index',
    laterList: 'their list with an index',
    firstSearch: 'a search in all that was said, without an index',
    laterSearch: 'the same search with an index',
  };
  print(`JSON.parse of ${SESSIONS} sessions: ${show(parsed.leastMs)}`);
  let holds = true;
  for (const key of ['firstList', 'laterList', 'firstSearch', 'laterSearch'] as const) {
    const { leastMs, ratio } = measured[key];
    print(`${names[key]}: ${show(leastMs)} (${ratio.toFixed(2)}, limit ${LIMITS[key]})`);
    holds &&= ratio <= LIMITS[key];
  }
  return holds;
}

/** The least possible work with files of lines. */
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

interface Measured {
  readonly leastMs: number;
  /** To the first work of the same round; the median of all rounds. */
  readonly ratio: number;
}

/**
 * Runs the works in turn, so a busy moment of the machine affects all. Least times would make no fair ratio: a fast moment
 * of the machine may be long enough for the shorter work only.
 */
async function measureInTurn<const T extends readonly (() => Promise<unknown>)[]>(
  ...works: T
): Promise<{ [Index in keyof T]: Measured }> {
  const times: number[][] = works.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, work] of works.entries()) times[index]?.push(await timed(work));
  const measured = times.map((own): Measured => {
    const ratios = own.map((time, round) => time / (times[0]?.[round] ?? time)).toSorted((a, b) => a - b);
    return { leastMs: Math.min(...own), ratio: ratios[Math.floor(ROUNDS / 2)] ?? Infinity };
  });
  return measured as { [Index in keyof T]: Measured };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function show(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}
