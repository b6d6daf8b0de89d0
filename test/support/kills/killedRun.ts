import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { readEntries, type LogContents } from '../../../src/sdk/session/readEntries';
import type { SessionEntry } from '../../../src/sdk/session/entries';
import { delay } from '../../../src/util/async/delay';
import { unlessMissing } from '../../../src/workspace/node/files/unlessMissing';
import { createTemporaryFolder } from '../files/temporaryFolder';
import { startCliInTerminal, startCli } from '../commandLine/commandLine';
import type { Gate } from '../servers/gate';
import { ModelServer } from '../servers/modelServer';

/** How a person or a program uses the agent. */
export const WAYS = ['window', 'command line', 'conversation', 'endpoint'] as const;
export type Way = (typeof WAYS)[number];

/** When the process dies. */
export interface Death {
  /** Before this call that changes files, counted from 1. 0: it does not die by itself. */
  readonly atCall: number;
  /** Half of the write at that call has happened. */
  readonly isTorn: boolean;
  /** After this many milliseconds. The checks do not depend on that moment. */
  readonly afterMs?: number | undefined;
  /** The answers stream, and each piece waits until the one before is in the session. */
  readonly streams: boolean;
  /** In a window: goes back to before the prompt. */
  readonly restores?: boolean | undefined;
}

/** The bundled programs. */
export interface KillPrograms {
  /** For `node --require`. */
  readonly dieAtCall: string;
  readonly window: string;
}

export interface KillResult {
  readonly wasKilled: boolean;
  /** Calls that change files; only of a process that was not killed. */
  readonly callCount: number | undefined;
  /** What was checked to be in the session, for a summary. */
  readonly shown: number;
}

/** Large enough to be written in several pieces. No two lines are alike: repeated text counts as a loop of the model. */
const LINES = Array.from({ length: 3_000 }, (_, index) => `line ${index * 7919} of a file\n`).join('');
const ONE = `one\n${LINES}`;
const TWO = ONE.replace('one\n', 'two\n');
const NEW = `new\n${LINES}`;
const PROMPT = 'Please change it.';
const ALLOWED: Readonly<Record<string, readonly string[]>> = { 'a.txt': [ONE, TWO], 'b.txt': [NEW], 'c.txt': [''] };

/** Runs the agent once until it is killed, then checks what is left, starts it again and checks that it goes on. */
export async function killOnce(way: Way, death: Death, programs: KillPrograms): Promise<KillResult> {
  await using world = await createTemporaryFolder({ 'work/a.txt': ONE, 'home/x': '', 'count/x': '' });
  await using server = await ModelServer.start();
  const at = (...names: readonly string[]): string => path.join(world.path, ...names);
  const places = {
    work: at('work'),
    home: at('home'),
    data: way === 'window' ? at('home') : at('home', '.open-agent'),
    countFile: at('count', 'count'),
  };
  const recorded: string[] = [];
  let isOver = false;
  /** Lets the stream go on when the piece before it is in the session. */
  const whenRecorded = (piece: string): Gate => ({
    reached: Promise.resolve(),
    open: () => {},
    async pass() {
      while (!isOver && !textIn(await entriesIn(places.data)).includes(piece)) await delay(20);
      if (!isOver) recorded.push(piece);
    },
  });
  const stream = (...pieces: readonly string[]) => ({
    text: death.streams ? pieces.flatMap((piece) => [piece, whenRecorded(piece)]).slice(0, -1) : pieces,
  });
  server.script(
    { text: ['Reading. '], toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
    // Before the edits: after an edit that nobody saw, the command would ask.
    { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'touch c.txt' } }] },
    {
      ...stream('Now I ', 'write. '),
      toolCalls: [
        { name: 'apply_edit', arguments: { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] } },
        { name: 'write_file', arguments: { path: 'b.txt', content: NEW } },
      ],
    },
    stream('It is ', 'all ', 'done.'),
  );

  const env = {
    NODE_OPTIONS: `--require ${programs.dieAtCall}`,
    DIE_AT: String(death.atCall),
    DIE_TORN: death.isTorn ? '1' : '0',
    DIE_COUNT: places.countFile,
  };
  const { wasKilled, output } = await runUntilDeath(way, { ...places, server, env, death, programs });
  isOver = true;
  const requests = [...server.completions];
  // The server may still wait at a gate of the dead process.
  server.dropTurns();

  const left = await entriesIn(places.data);
  assertShown(left, output, recorded);
  assertRequested(left, requests);
  await assertFiles(places.work, { isClean: false });
  await assertUndoable(places, left);

  // The next start, without faults.
  const from = server.completions.length;
  server.script(...Array.from({ length: 2 }, () => ({ text: 'All good.' })));
  await startAgain(way, { ...places, server, programs }, left);
  await assertFiles(places.work, { isClean: true });
  assert.deepEqual(await temporaryFilesIn(places.data), []);
  assert.ok(textIn(await entriesIn(places.data)).includes('All good.'), 'the session goes on');
  const hadPrompt = left.some(({ entries }) => entries.some((entry) => entry.type === 'user_message'));
  const asked = server.completions[from]?.text ?? '';
  if (hadPrompt) assert.ok(asked.includes(PROMPT), 'it goes on in the same session');
  for (const piece of recorded) assert.ok(asked.includes(piece.trim()), `the model is told "${piece}"`);
  const count = await unlessMissing(readFile(places.countFile, 'utf8'));
  return {
    wasKilled,
    callCount: count === undefined ? undefined : Number(count),
    shown: recorded.length + output.length,
  };
}

interface Places {
  readonly work: string;
  readonly home: string;
  readonly data: string;
}

interface Running extends Places {
  readonly server: ModelServer;
  readonly env: Readonly<Record<string, string>>;
  readonly death: Death;
  readonly programs: KillPrograms;
}

/** What a reader saw of an event that must be in the session. */
interface Shown {
  readonly type: 'message' | 'tool_call' | 'tool_result';
  /** The text of a message, or the id of a call. */
  readonly value: string;
}

type Died = { readonly wasKilled: boolean; readonly output: readonly Shown[] };

async function runUntilDeath(way: Way, running: Running): Promise<Died> {
  switch (way) {
    case 'window':
      return windowUntilDeath(running);
    case 'command line':
      return commandLineUntilDeath(running);
    case 'conversation':
      return conversationUntilDeath(running);
    case 'endpoint':
      return endpointUntilDeath(running);
  }
}

const flagsOf = ({ server }: Pick<Running, 'server'>): readonly string[] => [
  ...['--base-url', server.baseUrl, '--model', 'm', '--permission-mode', 'acceptEdits', '--allow', 'touch c.txt'],
];

async function windowUntilDeath({ data, work, server, env, death, programs }: Running): Promise<Died> {
  const args = [programs.window, data, work, server.baseUrl, PROMPT, death.restores ? 'restore' : ''];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return untilEnd(child, death);
}

async function commandLineUntilDeath({ work, home, server, env, death }: Running): Promise<Died> {
  const { child, ended } = startCli([...flagsOf({ server }), '-p', PROMPT, '--output', 'json'], {
    folder: work,
    home,
    env,
  });
  child.stdin.end();
  const died = await untilEnd(child, death);
  await ended;
  return died;
}

async function untilEnd(child: ChildProcess, { afterMs }: Death): Promise<Died> {
  let text = '';
  child.stdout?.on('data', (part: Buffer) => (text += part.toString()));
  const timer = afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), afterMs);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (...how) => resolve(how)),
  );
  clearTimeout(timer);
  assert.ok(signal === 'SIGKILL' || code === 0, `It ended with ${code} ${signal}: ${text}`);
  return { wasKilled: signal !== null, output: shownIn(text) };
}

/** Complete lines only: the last one may be torn. */
function shownIn(text: string): readonly Shown[] {
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line): readonly Shown[] => {
      const event = JSON.parse(line) as { type: string; text?: string; id?: string };
      if (event.type === 'message') return [{ type: 'message', value: event.text ?? '' }];
      if (event.type !== 'tool_call' && event.type !== 'tool_result') return [];
      return [{ type: event.type, value: event.id ?? '' }];
    });
}

async function conversationUntilDeath({ work, home, server, env }: Running): Promise<Died> {
  await using terminal = startCliInTerminal(flagsOf({ server }), {
    folder: work,
    home,
    env: { ...env, NO_COLOR: '1' },
  });
  const ending = (async () => {
    await terminal.shows('> ');
    terminal.type(`${PROMPT}\r`);
    await terminal.shows('done.');
    await terminal.shows('> ');
    terminal.type('/exit\r');
  })();
  // It rejects when the process dies first.
  await ending.catch(() => undefined);
  const code = await terminal.exitCode;
  assert.ok(code === 137 || code === 0, `It ended with ${code}: ${terminal.text}`);
  return { wasKilled: code === 137, output: [] };
}

async function endpointUntilDeath({ work, home, server, env, death }: Running): Promise<Died> {
  const { child, ended } = startCli(['serve', '--port', '0', ...flagsOf({ server })], { folder: work, home, env });
  const died = new Promise<boolean>((resolve) => child.once('close', (_, signal) => resolve(signal === 'SIGKILL')));
  const timer = death.afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), death.afterMs);
  let started = '';
  const ready = new Promise<void>((resolve) =>
    child.stdout.on('data', (part: string) => {
      started += part;
      if (/Token: \S+\n/.test(started)) resolve();
    }),
  );
  await Promise.race([ready, died]);
  let text = '';
  if (/Token: \S+\n/.test(started)) {
    const [, url = ''] = /at (http\S+),/.exec(started) ?? [];
    const [, token = ''] = /Token: (\S+)/.exec(started) ?? [];
    try {
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'open-agent', stream: true, messages: [{ role: 'user', content: PROMPT }] }),
      });
      if (response.body) for await (const part of response.body.pipeThrough(new TextDecoderStream())) text += part;
    } catch {
      // The process died.
    }
  }
  child.kill('SIGTERM');
  const wasKilled = await died;
  clearTimeout(timer);
  await ended;
  const states = [...text.matchAll(/"open_agent":\{"tool":(\{[^}]*\})\}/g)].map(
    ([, json = '']) => JSON.parse(json) as { readonly id: string; readonly state: string },
  );
  const output = states.map(({ id, state }): Shown => ({
    type: state === 'started' ? 'tool_call' : 'tool_result',
    value: id,
  }));
  return { wasKilled, output };
}

async function startAgain(
  way: Way,
  again: Omit<Running, 'env' | 'death'>,
  left: readonly SessionFile[],
): Promise<void> {
  const { data, work, home, server, programs } = again;
  if (way === 'window') {
    const child = spawn(process.execPath, [programs.window, data, work, server.baseUrl, 'Go on', ''], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await untilEnd(child, { atCall: 0, isTorn: false, streams: false });
    return;
  }
  const known = left.find(({ entries }) => entries.length > 0);
  const resume = known ? ['--resume', known.id] : [];
  const { child, ended } = startCli([...flagsOf({ server }), '-p', 'Go on', ...resume], { folder: work, home });
  child.stdin.end();
  const { code, stdout, stderr } = await ended;
  assert.deepEqual([code, stdout], [0, 'All good.\n'], stderr);
}

type SessionFile = LogContents & { readonly id: string };

async function entriesIn(data: string): Promise<readonly SessionFile[]> {
  const folder = path.join(data, 'sessions');
  const names = ((await unlessMissing(readdir(folder))) ?? []).filter((name) => name.endsWith('.jsonl'));
  return Promise.all(
    names.map(async (name) => ({ ...readEntries(await readFile(path.join(folder, name))), id: name.slice(0, -6) })),
  );
}

function allOf(files: readonly SessionFile[]): readonly SessionEntry[] {
  return files.flatMap(({ entries }) => entries);
}

/** All text of answers, in order. */
function textIn(files: readonly SessionFile[]): string {
  return allOf(files)
    .flatMap((entry) => {
      if (entry.type === 'assistant_partial') return entry.blocks.map(({ text }) => text);
      return entry.type === 'assistant_message' ? [messageText(entry)] : [];
    })
    .join('');
}

function messageText(entry: Extract<SessionEntry, { type: 'assistant_message' }>): string {
  return entry.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function assertShown(left: readonly SessionFile[], output: readonly Shown[], recorded: readonly string[]): void {
  const entries = allOf(left);
  const text = textIn(left);
  for (const piece of recorded) assert.ok(text.includes(piece), `"${piece}" was in the session`);
  for (const { type, value } of output) {
    const isThere = entries.some((entry) => {
      if (type === 'message') return entry.type === 'assistant_message' && messageText(entry) === value;
      return entry.type === type && entry.toolUseId === value;
    });
    assert.ok(isThere, `${type} ${value} was shown, and is in the session`);
  }
}

/** A request holds only what the session holds. */
function assertRequested(left: readonly SessionFile[], requests: ModelServer['completions']): void {
  const entries = allOf(left);
  for (const { body } of requests) {
    for (const message of body.messages) {
      if (message.role === 'tool') {
        const isThere = entries.some(
          (entry) => entry.type === 'tool_result' && entry.toolUseId === message.tool_call_id,
        );
        assert.ok(isThere, `the result of ${message.tool_call_id} was sent, and is in the session`);
      }
      if (message.role === 'user') {
        const isThere = entries.some((entry) => entry.type === 'user_message' && entry.content === message.content);
        assert.ok(isThere, 'a prompt that was sent is in the session');
      }
    }
  }
}

/** Every file is wholly old or wholly new. Without `isClean`, drafts may be left. */
async function assertFiles(work: string, { isClean }: { readonly isClean: boolean }): Promise<void> {
  for (const name of await readdir(work)) {
    if (!isClean && name.endsWith('.tmp')) continue;
    const allowed = ALLOWED[name];
    assert.ok(allowed, `${name} is left in the workspace`);
    assert.ok(allowed.includes(await readFile(path.join(work, name), 'utf8')), `${name} is whole`);
  }
}

/** Each change of a file by an edit is in the session, with the content before it. */
async function assertUndoable({ work, data }: Places, left: readonly SessionFile[]): Promise<void> {
  const changes = allOf(left).flatMap((entry) => (entry.type === 'checkpoint' ? entry.changes : []));
  const names = await readdir(work);
  const changed = [
    ...((await readFile(path.join(work, 'a.txt'), 'utf8')) === ONE ? [] : ['a.txt']),
    ...(names.includes('b.txt') ? ['b.txt'] : []),
  ];
  for (const name of changed)
    assert.ok(
      changes.some((change) => change.path === path.join(work, name)),
      `${name} can be undone`,
    );
  for (const { before } of changes) {
    if (!before) continue;
    const blob = await readFile(path.join(data, 'checkpoints', before.hash.slice(0, 2), before.hash));
    assert.equal(createHash('sha256').update(blob).digest('hex'), before.hash, 'the content before is kept');
  }
}

/** Drafts and records of drafts below a folder. */
async function temporaryFilesIn(data: string): Promise<readonly string[]> {
  const names = await readdir(data, { recursive: true });
  return names.filter((name) => /\.tmp$|\.pruned$/.test(name));
}
