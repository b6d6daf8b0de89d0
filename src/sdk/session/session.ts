/// <reference lib="esnext.disposable" preserve="true" />
import { randomUUID } from 'node:crypto';
import * as files from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '../client';
import type { RunOptions } from '../clientOptions';
import type { RunEvents } from '../executionResult';
import type { Message, UserContent } from '../messages';
import { parseWaitingRun } from '../waiting/parseWaitingRun';
import type { WaitingAnswer } from '../waiting/waitingAnswers';
import { leaveAtOnce } from '../../util/async/leaveAtOnce';
import { systemTimer } from '../../util/timer';
import { createLogStorage } from './createLogStorage';
import type { EntryBody, SessionEntry } from './entries';
import { createImageFolder, imageFolderOf } from './images/imageFolder';
import { createImageStore, storedImagesIn, type ImageStore } from './images/imageStore';
import type { LogProblem } from './readEntries';
import { replayMessages } from './replay';
import { RunRecorder } from './runRecorder';
import { isSameConversation, isSameHistory } from './sameConversation';
import { SessionLog } from './sessionLog';
import type { SessionOptions } from './sessionOptions';

/** A conversation on file. Its runs are written as they happen, and nothing is ever rewritten. */
export class Session implements AsyncDisposable {
  readonly #log: SessionLog;
  readonly #recorder: RunRecorder;
  readonly #images: ImageStore;

  private constructor(log: SessionLog, recorder: RunRecorder, images: ImageStore) {
    this.#log = log;
    this.#recorder = recorder;
    this.#images = images;
  }

  /** Does what `openSession` says, which loads this class. */
  static async open(filePath: string, options: SessionOptions): Promise<Session> {
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
    return new Session(log, new RunRecorder({ log, setTimer, images }), images);
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
      const matches = (): boolean => isSameHistory(client.history, this.history);
      return this.#recorder.record(client, { hasPrompt: true, matches }, () => client.run(prompt, { signal }));
    });
  }

  /** Like `client.continueRun`, recorded in the same way. */
  continueRun<Output>(client: Client<Output>, options: RunOptions = {}): RunEvents<Output> {
    return this.#leavable(options, (signal) => {
      const matches = (): boolean => isSameHistory(client.history, this.history);
      return this.#recorder.record(client, { hasPrompt: false, matches }, () => client.continueRun({ signal }));
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
      return this.#recorder.record(client, { hasPrompt: false, matches }, () =>
        client.resumeRun(saved, answers, { signal }),
      );
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
    this.#recorder.addResultsByHand();
    return this.#log.sync();
  }

  /** Writes the rest and closes the file. Rejects when entries could not be written and are lost. */
  async close(): Promise<void> {
    this.#recorder.addResultsByHand();
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
}
