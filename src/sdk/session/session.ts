/// <reference lib="esnext.disposable" preserve="true" />
import { randomUUID } from 'node:crypto';
import * as files from 'node:fs/promises';
import path from 'node:path';
import type { Client, RunOptions } from '../client';
import { AgentError, errorInfoOf } from '../errors';
import type { AgentEvent } from '../events';
import type { AgentExecutionResult } from '../executionResult';
import type { Message, ToolResultBlock } from '../messages';
import type { EntryBody, SessionEntry } from './entries';
import type { LogLock } from './logLock';
import { createLogStorage } from './createLogStorage';
import type { LogStorage } from './logStorage';
import type { LogProblem } from './readEntries';
import { EventRecorder, type UserMessageEvent } from './eventRecorder';
import { replayMessages } from './replay';
import { findTarget, hasSameRequests, writeTarget, type RequestTarget } from './requestTarget';
import { SessionLog } from './sessionLog';
import { leaveAtOnce } from '../../util/leaveAtOnce';
import { systemTimer, type SetTimer } from '../../util/timer';

type RunEvents<Output> = AsyncGenerator<AgentEvent, AgentExecutionResult<Output>>;

/** The options of `openSession`. */
export interface SessionOptions {
  /** Default: the disk. */
  readonly storage?: LogStorage | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Makes an unused id. */
  readonly newId?: (() => string) | undefined;
  /** Calls a function once after so many milliseconds. Disposing the result cancels it. Default: `setTimeout`. */
  readonly setTimer?: SetTimer | undefined;
  /** Keeps other processes from writing the file. Absent: the caller must do that. */
  readonly lock?: LogLock | undefined;
}

/**
 * Opens the file of a conversation, JSONL with one entry a line, or begins a new one: the file and its folders come into
 * being with the first entry, readable by their owner only. Any part of a file that can be read is used; `problems` has
 * the rest. One process at a time may write a file: see `lock`. Rejects when the file is there and cannot be read at all.
 *
 * ```ts
 * await using session = await openSession('notes.jsonl');
 * await using client = new Client({ ...options, history: session.history });
 * for await (const event of session.run(client, 'Where were we?')) show(event);
 * ```
 */
export async function openSession(filePath: string, options: SessionOptions = {}): Promise<Session> {
  const {
    storage = createLogStorage(files),
    now = Date.now,
    newId = randomUUID,
    setTimer = systemTimer,
    lock,
  } = options;
  const file = path.resolve(filePath);
  // These errors lose nothing, such as a file that does not close. `sync` and `close` report failed writes.
  const log = await SessionLog.open({ path: file, storage, now, newId, lock, onListenerError: () => {} });
  return new Session(log, setTimer);
}

/** A conversation on file. Its runs are written as they happen, and nothing is ever rewritten. */
export class Session implements AsyncDisposable {
  readonly #log: SessionLog;
  readonly #recorder: EventRecorder;
  /** Its results in manual mode have no event. */
  #client: Client | undefined;

  /** Whether the next user message is the person's. Otherwise the client wrote it to go on. */
  #hasPrompt = false;

  /** Sessions are made by `openSession`. */
  constructor(log: SessionLog, setTimer: SetTimer) {
    this.#log = log;
    const writeUserMessage = (event: UserMessageEvent): void => this.#writeUserMessage(event);
    this.#recorder = new EventRecorder({ log, setTimer, writeUserMessage });
  }

  /** The absolute path of the file. */
  get path(): string {
    return this.#log.path;
  }

  /** Every entry in order, including those still to be written. */
  get entries(): readonly SessionEntry[] {
    return this.#log.entries;
  }

  /** The parts of the file that could not be read. */
  get problems(): readonly LogProblem[] {
    return this.#log.problems;
  }

  /**
   * The conversation for a new client. Every call has its result. A call that was running when the process died has an
   * unknown outcome and is not run again.
   */
  get history(): readonly Message[] {
    return replayMessages(this.entries).messages;
  }

  /** The last run has no end on file, because the process died. `continueRun` goes on from there. */
  get isUnfinished(): boolean {
    return replayMessages(this.entries).isUnfinished;
  }

  /**
   * Like `client.run`, recorded: an event is yielded once its entries are in the file, and the start of a tool once it
   * is on disk. Leaving early interrupts. Throws `invalid_state` when the client's history is not the session's. Make
   * the client with `session.history`, and run all of its turns here.
   */
  run<Output>(client: Client<Output>, prompt: string, options: RunOptions = {}): RunEvents<Output> {
    return this.#leavable(options, (signal) => this.#record(client, true, () => client.run(prompt, { signal })));
  }

  /** Like `client.continueRun`, recorded in the same way. */
  continueRun<Output>(client: Client<Output>, options: RunOptions = {}): RunEvents<Output> {
    return this.#leavable(options, (signal) => this.#record(client, false, () => client.continueRun({ signal })));
  }

  /** Adds an entry, such as a `title`. */
  append(body: EntryBody): void {
    this.#log.append(body);
  }

  /**
   * Waits until everything is on disk. Resolves to the error that keeps entries in memory, if any. They are written
   * again later.
   */
  sync(): Promise<Error | undefined> {
    this.#addResultsByHand();
    return this.#log.sync();
  }

  /** Writes the rest and closes the file. Rejects when entries could not be written and are lost. */
  async close(): Promise<void> {
    this.#addResultsByHand();
    this.#client = undefined;
    this.#recorder.dispose();
    const error = await this.#log.close();
    if (error)
      throw new Error(`Not all of the session could be written to ${this.path}: ${error.message}`, { cause: error });
  }

  /** Does what `close` does, at the end of an `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #leavable<Output>({ signal }: RunOptions, record: (signal: AbortSignal) => RunEvents<Output>): RunEvents<Output> {
    const left = new AbortController();
    const either = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
    return leaveAtOnce(record(either), () => left.abort());
  }

  async *#record<Output>(
    client: Client<Output>,
    hasPrompt: boolean,
    start: () => RunEvents<Output>,
  ): RunEvents<Output> {
    this.#addResultsByHand();
    if (lengthOf(client.history) !== lengthOf(this.history)) throw otherHistory(this.path);
    this.#client = client;
    this.#writeTarget(client.options);
    this.#log.append({ type: 'status_update', status: 'RUNNING' });
    this.#hasPrompt = hasPrompt;
    const events = start();
    let hasEnded = false;
    try {
      for (let next = await events.next(); ; next = await events.next()) {
        if (next.done) {
          hasEnded = true;
          return next.value;
        }
        await this.#write(next.value);
        yield next.value;
      }
    } catch (error) {
      hasEnded = true;
      this.#recorder.recordEnd('error', errorInfoOf(error));
      throw error;
    } finally {
      // After leaving early, the rest of the run is still recorded.
      if (!hasEnded) await this.#writeRest(client, events);
      this.#addResultsByHand();
      await this.#log.sync();
    }
  }

  /** A program's client names no profile and no agent. Those on file stay while the requests are the same. */
  #writeTarget(target: RequestTarget): void {
    const known = findTarget(this.#log);
    if (!known || !hasSameRequests(known, target)) writeTarget(this.#log, target, { workspace: null });
  }

  async #write(event: AgentEvent): Promise<void> {
    await this.#recorder.record(event);
    if (event.type === 'run_end') this.#recorder.recordEnd(event.outcome, event.error);
  }

  async #writeRest(client: Client, events: RunEvents<unknown>): Promise<void> {
    await client.interrupt();
    for (let next = await events.next(); !next.done; next = await events.next()) await this.#write(next.value);
  }

  #writeUserMessage({ text, origin }: UserMessageEvent): void {
    const isOwn = origin === 'prompt' && !this.#hasPrompt;
    if (origin === 'prompt') this.#hasPrompt = false;
    const entry = { type: 'user_message', text, contextLabels: [], content: text } as const;
    this.#log.append({ ...entry, origin: isOwn ? 'continue' : origin });
  }

  /** In manual mode the caller gives results to the client, without an event. */
  #addResultsByHand(): void {
    if (!this.#client) return;
    const recorded = this.entries.slice(this.entries.findLastIndex(({ type }) => type === 'assistant_message') + 1);
    const known = recorded.flatMap((entry) => (entry.type === 'tool_result' ? [entry.toolUseId] : []));
    for (const result of newestResults(this.#client.history)) {
      const at = known.indexOf(result.toolUseId);
      if (at >= 0) known.splice(at, 1);
      else this.#log.append({ ...result, outcome: result.isError ? 'failed' : 'succeeded' });
    }
  }
}

/** The results at the end of a history. */
function newestResults(history: readonly Message[]): readonly ToolResultBlock[] {
  const rest = history.slice(history.findLastIndex(({ role }) => role === 'assistant') + 1);
  return rest.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
}

/** Counts without results, because results that are still to come are on file as unknown. */
function lengthOf(history: readonly Message[]): number {
  return history.filter(({ role }) => role !== 'tool').length;
}

function otherHistory(filePath: string): AgentError {
  const message =
    `The client's history is not that of the session ${filePath}. Make the client with \`history: session.history\`, ` +
    'and let all of its turns run through the session.';
  return new AgentError({ code: 'invalid_state', message });
}
