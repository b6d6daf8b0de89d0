import type { AgentErrorInfo } from '../../sdk/errors';
import type { AgentEvent, RunOutcome } from '../../sdk/events';
import { EventRecorder, type UserMessageEvent } from '../../sdk/session/eventRecorder';
import { leftWaiting } from '../../sdk/session/leftWaiting';
import type { SessionImages } from './sessionImages';
import type { SessionLog } from '../../sdk/session/sessionLog';
import type { ApprovalRecord } from '../approval/approvalDesk';
import type { SetTimer } from '../../util/timer';
import type { PendingPrompt, WaitingPrompts } from './waitingPrompts';

export interface RunRecorderParts {
  readonly log: SessionLog;
  readonly images: SessionImages;
  readonly setTimer: SetTimer;
  /** Gets the error of an image that could not be written. */
  readonly onInternalError: (error: unknown) => void;
  readonly takeApproval: (toolUseId: string) => ApprovalRecord | undefined;
  /** Asked which prompts a steering message consists of. */
  readonly waiting: Pick<WaitingPrompts, 'takeSent'>;
}

/** Records the events of runs, with the prompts and approvals of the panel. */
export class RunRecorder {
  readonly #parts: RunRecorderParts;
  readonly #events: EventRecorder;
  #prompt: PendingPrompt | undefined;

  constructor(parts: RunRecorderParts) {
    const { log, images, setTimer, takeApproval, onInternalError } = parts;
    this.#parts = parts;
    this.#events = new EventRecorder({
      log,
      setTimer,
      images: images.store,
      onImageError: onInternalError,
      approvalOf: takeApproval,
      writeUserMessage: (event) => this.#recordUser(event),
    });
  }

  /** Sets the prompt of the next run. It is written when the client takes it, or by `writePrompt`. */
  expectPrompt(prompt: PendingPrompt): void {
    this.#prompt = prompt;
  }

  /** Writes the expected prompt now, because no client will take it. */
  writePrompt(): void {
    if (this.#prompt) this.#writeUser(this.#prompt, 'prompt', this.#prompt.content);
    this.#prompt = undefined;
  }

  /** Keeps a prompt on file until the model gets it. Resolves when it is in the file, or cannot be written now. */
  async keepWaiting({ id, text, contextLabels, content, mode, images }: PendingPrompt): Promise<void> {
    const { log } = this.#parts;
    // The first entry of a file is the target of its requests.
    if (log.entries.length === 0 || this.#isKept(id)) return;
    const prompt = { text, contextLabels, content, ...(mode !== undefined && { mode }), ...(images && { images }) };
    log.append({ type: 'waiting_prompt', promptId: id, prompt });
    await log.flush();
  }

  /** Forgets a prompt that was kept on file. */
  dropWaiting(promptId: string): void {
    if (this.#isKept(promptId)) this.#parts.log.append({ type: 'waiting_prompt', promptId, prompt: null });
  }

  /** Forgets the expected prompt: a hook refused it, so it is no part of the conversation. */
  dropPrompt(): void {
    if (this.#prompt) this.dropWaiting(this.#prompt.id);
    this.#prompt = undefined;
  }

  /** See `EventRecorder.record`. */
  record(event: AgentEvent): Promise<void> {
    return this.#events.record(event);
  }

  /** See `EventRecorder.recordEnd`. */
  recordEnd(outcome: RunOutcome, error: AgentErrorInfo | undefined): string {
    return this.#events.recordEnd(outcome, error);
  }

  /** Writes the text that has streamed so far. */
  flush(): void {
    this.#events.flush();
  }

  dispose(): void {
    this.#events.dispose();
  }

  #recordUser({ text, origin }: UserMessageEvent): void {
    if (origin === 'steer') return this.#recordSteering(text);
    if (origin === 'hook') return this.#writeOwn(text, 'hook');
    if (this.#prompt) this.#writeUser(this.#prompt, 'prompt', text);
    else this.#writeOwn(text, 'continue');
    this.#prompt = undefined;
  }

  /** Several prompts reach the model as one message: the first entry holds it, the others are only shown. */
  #recordSteering(content: string): void {
    const [first, ...others] = this.#parts.waiting.takeSent(content);
    if (!first) return this.#writeOwn(content, 'steer');
    this.#writeUser(first, 'steer', content);
    for (const other of others) this.#writeUser(other, 'steer', '');
  }

  #isKept(id: string): boolean {
    return leftWaiting(this.#parts.log.entries).some(({ promptId }) => promptId === id);
  }

  #writeUser(
    { id, text, contextLabels, mode, images }: PendingPrompt,
    origin: 'prompt' | 'steer',
    content: string,
  ): void {
    const told = { ...(mode !== undefined && { mode }), ...(images && { images }) };
    this.#parts.log.append({ type: 'user_message', text, contextLabels, content, origin, ...told }, { id });
  }

  #writeOwn(text: string, origin: 'steer' | 'continue' | 'hook'): void {
    this.#parts.log.append({ type: 'user_message', text, contextLabels: [], content: text, origin });
  }
}
