import type { AgentErrorInfo } from '../../sdk/errors';
import type { AgentEvent, RunOutcome } from '../../sdk/events';
import { EventRecorder, type UserMessageEvent } from '../../sdk/session/eventRecorder';
import { leftWaiting } from '../../sdk/session/leftWaiting';
import type { SessionLog } from '../../sdk/session/sessionLog';
import type { ApprovalRecord } from '../approval/approvalDesk';
import type { PromptContext } from '../prompts/promptContext';
import type { SetTimer } from '../../util/timer';

/** A prompt on its way to the model. `id` is its entry's. */
export interface PendingPrompt {
  readonly id: string;
  readonly text: string;
  readonly context: readonly PromptContext[];
  readonly content: string;
  /** The permission mode that `content` tells the model, if it does. */
  readonly mode?: string | undefined;
}

export interface RunRecorderParts {
  readonly log: SessionLog;
  readonly setTimer: SetTimer;
  readonly takeApproval: (toolUseId: string) => ApprovalRecord | undefined;
  /** Prompts that the model has not got yet, oldest first. A recorded one is removed. */
  readonly waiting: PendingPrompt[];
}

/** Records the events of runs, with the prompts and approvals of the panel. */
export class RunRecorder {
  readonly #parts: RunRecorderParts;
  readonly #events: EventRecorder;
  #prompt: PendingPrompt | undefined;

  constructor(parts: RunRecorderParts) {
    const { log, setTimer, takeApproval } = parts;
    this.#parts = parts;
    this.#events = new EventRecorder({
      log,
      setTimer,
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

  /** Writes the prompts that the run did not take, because its client is closed. */
  writeSteering(): void {
    for (const steering of this.#parts.waiting.splice(0)) this.#writeUser(steering, 'steer', steering.content);
  }

  /** Keeps a prompt on file until the client takes it. Resolves when it is in the file, or cannot be written now. */
  async keepWaiting({ id, text, context, content, mode }: PendingPrompt): Promise<void> {
    const { log } = this.#parts;
    // The first entry of a file is the target of its requests.
    if (log.entries.length === 0) return;
    const contextLabels = context.map(({ label }) => label);
    const prompt = { text, contextLabels, content, ...(mode !== undefined && { mode }) };
    log.append({ type: 'waiting_prompt', promptId: id, prompt });
    await log.flush();
  }

  /** Forgets the expected prompt: a hook refused it, so it is no part of the conversation. */
  dropPrompt(): void {
    const { log } = this.#parts;
    const promptId = this.#prompt?.id;
    const waited = leftWaiting(log.entries).some((waiting) => waiting.promptId === promptId);
    if (promptId !== undefined && waited) log.append({ type: 'waiting_prompt', promptId, prompt: null });
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
    if (this.#prompt) this.#writeUser(this.#prompt, 'prompt', text);
    else this.#writeOwn(text, 'continue');
    this.#prompt = undefined;
  }

  /** Several prompts reach the model as one message: the first entry holds it, the others are only shown. */
  #recordSteering(content: string): void {
    const { waiting } = this.#parts;
    let from = 0;
    let isFirst = true;
    for (let next = waiting[0]; next; next = waiting[0]) {
      const at = content.indexOf(next.content, from);
      if (at < 0) break;
      from = at + next.content.length;
      waiting.shift();
      this.#writeUser(next, 'steer', isFirst ? content : '');
      isFirst = false;
    }
    if (isFirst) this.#writeOwn(content, 'steer');
  }

  #writeUser({ id, text, context, mode }: PendingPrompt, origin: 'prompt' | 'steer', content: string): void {
    const contextLabels = context.map(({ label }) => label);
    const told = mode !== undefined && { mode };
    this.#parts.log.append({ type: 'user_message', text, contextLabels, content, origin, ...told }, { id });
  }

  #writeOwn(text: string, origin: 'steer' | 'continue'): void {
    this.#parts.log.append({ type: 'user_message', text, contextLabels: [], content: text, origin });
  }
}
