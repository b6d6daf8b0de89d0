/// <reference lib="esnext.disposable" preserve="true" />
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as files from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '../client';
import type { RunOptions } from '../clientOptions';
import { AgentError, errorInfoOf } from '../errors';
import type { AgentEvent } from '../events';
import type { AgentExecutionResult } from '../executionResult';
import type { Message, ToolResultBlock, UserContent } from '../messages';
import type { EntryBody, SessionEntry } from './entries';
import { createLogStorage } from './createLogStorage';
import { createImageFolder, imageFolderOf } from './images/imageFolder';
import { createImageStore, describeImage, orderOf, storedImagesIn, type ImageStore } from './images/imageStore';
import type { StoredImage } from './images/storedImage';
import type { LogProblem } from './readEntries';
import { EventRecorder, type UserMessageEvent } from './eventRecorder';
import { replayMessages } from './replay';
import type { SessionOptions } from './sessionOptions';
import { findTarget, hasSameRequests, writeTarget, type RequestTarget } from './requestTarget';
import { SessionLog } from './sessionLog';
import { parseWaitingRun } from '../waiting/parseWaitingRun';
import type { WaitingAnswer } from '../waiting/waitingAnswers';
import { leaveAtOnce } from '../../util/async/leaveAtOnce';
import { systemTimer, type SetTimer } from '../../util/timer';

type RunEvents<Output> = AsyncGenerator<AgentEvent, AgentExecutionResult<Output>>;

/** See `openSession`. */
export async function loadSession(filePath: string, options: SessionOptions): Promise<Session> {
  const file = path.resolve(filePath);
  const {
    storage = createLogStorage(files),
    images = createImageStore(options.storage ? undefined : createImageFolder(imageFolderOf(file))),
    now = Date.now,
    newId = randomUUID,
    setTimer = systemTimer,
    lock,
  } = options;
  // These errors lose nothing, such as a file that does not close. `sync` and `close` report failed writes.
  const log = await SessionLog.open({ path: file, storage, now, newId, lock, onListenerError: () => {} });
  await images.load(storedImagesIn(log.entries));
  return new Session(log, setTimer, images);
}

/** A conversation on file. Its runs are written as they happen, and nothing is ever rewritten. */
export class Session implements AsyncDisposable {
  readonly #log: SessionLog;
  readonly #recorder: EventRecorder;
  readonly #images: ImageStore;
  /** Its results in manual mode have no event. */
  #client: Client | undefined;

  /** Whether the next user message is the person's. Otherwise the client wrote it to go on. */
  #hasPrompt = false;

  /** Sessions are made by `openSession`. */
  constructor(log: SessionLog, setTimer: SetTimer, images: ImageStore) {
    this.#log = log;
    this.#images = images;
    this.#recorder = new EventRecorder({
      log,
      setTimer,
      images,
      // The image stays in memory, and the history says later that its file is missing.
      onImageError: () => {},
      writeUserMessage: (event, stored) => this.#writeUserMessage(event, stored),
    });
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
    return replayMessages(this.entries, undefined, (image) => this.#images.get(image)).messages;
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
  run<Output>(client: Client<Output>, prompt: UserContent, options: RunOptions = {}): RunEvents<Output> {
    return this.#leavable(options, (signal) => {
      const matches = (): boolean => lengthOf(client.history) === lengthOf(this.history);
      return this.#record(client, { hasPrompt: true, matches }, () => client.run(prompt, { signal }));
    });
  }

  /** Like `client.continueRun`, recorded in the same way. */
  continueRun<Output>(client: Client<Output>, options: RunOptions = {}): RunEvents<Output> {
    return this.#leavable(options, (signal) => {
      const matches = (): boolean => lengthOf(client.history) === lengthOf(this.history);
      return this.#record(client, { hasPrompt: false, matches }, () => client.continueRun({ signal }));
    });
  }

  /**
   * Like `client.resumeRun`, recorded in the same way. The client needs no history. Throws `invalid_state` when the
   * conversation of `saved` is not the session's, for example because it went on without the run.
   */
  resumeRun<Output>(
    client: Client<Output>,
    saved: unknown,
    answers: readonly WaitingAnswer[] = [],
    options: RunOptions = {},
  ): RunEvents<Output> {
    return this.#leavable(options, (signal) => {
      const matches = (): boolean => isSameConversation(parseWaitingRun(saved).history, this.history);
      return this.#record(client, { hasPrompt: false, matches }, () => client.resumeRun(saved, answers, { signal }));
    });
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
    { hasPrompt, matches }: { readonly hasPrompt: boolean; readonly matches: () => boolean },
    start: () => RunEvents<Output>,
  ): RunEvents<Output> {
    this.#addResultsByHand();
    if (!matches()) throw otherHistory(this.path);
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

  #writeUserMessage({ text, origin, content = text }: UserMessageEvent, images: readonly StoredImage[]): void {
    const isOwn = origin === 'prompt' && !this.#hasPrompt;
    if (origin === 'prompt') this.#hasPrompt = false;
    const entry = { type: 'user_message', text, contextLabels: [], content: text } as const;
    const order = orderOf(content);
    const seen = images.length > 0 && { images, ...(order && { order }) };
    this.#log.append({ ...entry, ...seen, origin: isOwn ? 'continue' : origin });
  }

  /** In manual mode the caller gives results to the client, without an event. */
  #addResultsByHand(): void {
    if (!this.#client) return;
    const recorded = this.entries.slice(this.entries.findLastIndex(({ type }) => type === 'assistant_message') + 1);
    const known = recorded.flatMap((entry) => (entry.type === 'tool_result' ? [entry.toolUseId] : []));
    for (const result of newestResults(this.#client.history)) {
      const at = known.indexOf(result.toolUseId);
      if (at >= 0) known.splice(at, 1);
      else this.#appendResult(result);
    }
  }

  #appendResult({ images = [], ...result }: ToolResultBlock): void {
    // A failure leaves the image in memory.
    for (const image of images) void this.#images.save(image).catch(() => {});
    const seen = images.length > 0 && { images: images.map(describeImage) };
    this.#log.append({ ...result, ...seen, outcome: result.isError ? 'failed' : 'succeeded' });
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

/** Whether a saved run ends where the session does. Calls that wait have no result in the run, and are closed in a history. */
function isSameConversation(saved: readonly Message[], history: readonly Message[]): boolean {
  const results = saved.slice(saved.findLastIndex(({ role }) => role === 'assistant') + 1);
  const known = results.flatMap((message) => (message.role === 'tool' ? [message.content.toolUseId] : []));
  const last = history.findLastIndex(({ role }) => role === 'assistant');
  const ofSession = history.filter(
    (message, index) => index <= last || message.role !== 'tool' || known.includes(message.content.toolUseId),
  );
  return isDeepStrictEqual(plain(saved), plain(ofSession));
}

/** As it is saved: without fields that are not set. */
function plain(messages: readonly Message[]): unknown {
  return JSON.parse(JSON.stringify(messages));
}

function otherHistory(filePath: string): AgentError {
  const message =
    `The history of the client or the saved run is not that of the session ${filePath}. Make the client with \`history: session.history\`, ` +
    'and let all of its turns run through the session.';
  return new AgentError({ code: 'invalid_state', message });
}
