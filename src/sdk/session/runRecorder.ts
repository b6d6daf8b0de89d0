import type { Client } from '../client';
import { AgentError, errorInfoOf } from '../errors';
import type { AgentEvent } from '../events';
import type { RunEvents } from '../executionResult';
import type { Message, ToolResultBlock } from '../messages';
import type { SetTimer } from '../../util/timer';
import { EventRecorder, type UserMessageEvent } from './eventRecorder';
import { describeImage, orderOf, type ImageStore } from './images/imageStore';
import type { StoredImage } from './images/storedImage';
import { findTarget, hasSameRequests, writeTarget, type RequestTarget } from './requestTarget';
import type { SessionLog } from './sessionLog';

interface RunRecorderParts {
  readonly log: SessionLog;
  readonly setTimer: SetTimer;
  readonly images: ImageStore;
}

/** Writes the runs of a client to the log of a session as they happen, and the results that its caller adds by hand. */
export class RunRecorder {
  readonly #log: SessionLog;
  readonly #recorder: EventRecorder;
  readonly #images: ImageStore;
  /** Its results in manual mode have no event. */
  #client: Client | undefined;
  /** Whether the next user message is the person's. Otherwise the client wrote it to go on. */
  #hasPrompt = false;

  constructor({ log, setTimer, images }: RunRecorderParts) {
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

  /**
   * Starts a run and yields its events, each after its entries are written. `hasPrompt`: a person began it. Throws `invalid_state`
   * when the conversation does not match that of the log.
   */
  async *record<Output>(
    client: Client<Output>,
    { hasPrompt, matches }: { readonly hasPrompt: boolean; readonly matches: () => boolean },
    start: () => RunEvents<Output>,
  ): RunEvents<Output> {
    this.addResultsByHand();
    if (!matches()) throw otherHistory(this.#log.path);
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
      this.addResultsByHand();
      await this.#log.sync();
    }
  }

  /** Writes the results that the caller gave to the client since. They have no event. */
  addResultsByHand(): void {
    if (!this.#client) return;
    const { entries } = this.#log;
    const recorded = entries.slice(entries.findLastIndex(({ type }) => type === 'assistant_message') + 1);
    const known = recorded.flatMap((entry) => (entry.type === 'tool_result' ? [entry.toolUseId] : []));
    for (const result of newestResults(this.#client.history)) {
      const at = known.indexOf(result.toolUseId);
      if (at >= 0) known.splice(at, 1);
      else this.#appendResult(result);
    }
  }

  /** Writes nothing more. */
  dispose(): void {
    this.#client = undefined;
    this.#recorder.dispose();
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

function otherHistory(filePath: string): AgentError {
  const message =
    `The history of the client or the saved run is not that of the session ${filePath}. Make the client with \`history: session.history\`, ` +
    'and let all of its turns run through the session.';
  return new AgentError({ code: 'invalid_state', message });
}
