import type { AgentEvent } from '../../sdk/events';
import type { EntryBody } from '../../sdk/session/entries';
import { firstKeptEntryId } from '../../sdk/session/replay';
import type { SessionLog } from '../../sdk/session/sessionLog';
import type { ApprovalRecord } from '../approval/approvalDesk';
import { PartialAnswer } from './partialAnswer';
import type { PromptContext } from '../view/sessionEvents';
import type { SetTimer } from '../../util/timer';

/** A prompt on its way to the model. `id` is its entry's. */
export interface PendingPrompt {
  readonly id: string;
  readonly text: string;
  readonly context: readonly PromptContext[];
  readonly content: string;
  /** The permission mode that `content` tells the model of, when it does. */
  readonly mode?: string | undefined;
}

export interface RunRecorderParts {
  readonly log: SessionLog;
  readonly setTimer: SetTimer;
  readonly takeApproval: (toolUseId: string) => ApprovalRecord | undefined;
  /** What the person said meanwhile and the model has not got yet, oldest first. Recorded ones are taken out. */
  readonly steering: PendingPrompt[];
}

/**
 * Writes the entries of a run as its events come. What the client says it added to its history, in that order, is what
 * is replayed later; nothing else is.
 */
export class RunRecorder {
  readonly #parts: RunRecorderParts;
  readonly #partial: PartialAnswer;
  #prompt: PendingPrompt | undefined;
  #isInStep = false;

  constructor(parts: RunRecorderParts) {
    this.#parts = parts;
    this.#partial = new PartialAnswer({
      setTimer: parts.setTimer,
      write: (blocks) => void this.#append({ type: 'assistant_partial', blocks }),
    });
  }

  /** The prompt that the next run begins with. It is written when the client takes it, or by `writePrompt`. */
  expectPrompt(prompt: PendingPrompt): void {
    this.#prompt = prompt;
  }

  /** Writes the expected prompt now, because no client will take it. */
  writePrompt(): void {
    if (this.#prompt) this.#writeUser(this.#prompt, 'prompt', this.#prompt.content);
    this.#prompt = undefined;
  }

  /** Writes what was said to a run that did not take it, because its client is given up. */
  writeSteering(): void {
    for (const steering of this.#parts.steering.splice(0)) this.#writeUser(steering, 'steer', steering.content);
  }

  /** Forgets the expected prompt: a hook refused it, so it is no part of the conversation. */
  dropPrompt(): void {
    this.#prompt = undefined;
  }

  /** Resolves once the caller may go on to the next event: after an intent, only when that is on the disk. */
  async record(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case 'user_message':
        return this.#recordUser(event);
      case 'step_start':
        this.#isInStep = true;
        return;
      case 'text_delta':
        return this.#partial.add(event.block, 'text', event.text);
      case 'thinking_delta':
        return this.#partial.add(event.block, 'thinking', event.text);
      case 'assistant_message': {
        this.#partial.reset();
        const { message, responseId, model, usage } = event;
        const { content, stopReason } = message;
        this.#append({
          type: 'assistant_message',
          content,
          ...(stopReason && { stopReason }),
          responseId,
          model,
          ...(usage && { usage }),
          // What the client adds between steps keeps the conversation well-formed and is not for people.
          ...(!this.#isInStep && { isBridge: true }),
        });
        this.#isInStep = false;
        return;
      }
      case 'tool_execution_start': {
        const { toolUseId, toolName, input } = event;
        this.#append({ type: 'tool_call', toolUseId, toolName, input });
        await this.#parts.log.sync();
        return;
      }
      case 'tool_execution_end': {
        const { toolUseId, toolName, content, isError } = event.result;
        const approval = this.#parts.takeApproval(toolUseId);
        this.#append({
          type: 'tool_result',
          toolUseId,
          ...(toolName !== undefined && { toolName }),
          content,
          isError,
          outcome: event.outcome,
          ...(event.display !== undefined && { display: event.display }),
          ...(approval && { approval }),
        });
        return;
      }
      case 'compaction': {
        const { summary, keptMessages, maxResultCharacters } = event;
        const firstKeptId = firstKeptEntryId(this.#parts.log.entries, keptMessages);
        this.#append({
          type: 'compaction',
          summary,
          firstKeptId,
          ...(maxResultCharacters !== undefined && { maxResultCharacters }),
        });
        return;
      }
      case 'run_end':
        // Words that became no message are kept for people; the replay passes them over.
        this.#partial.flush();
        this.#isInStep = false;
        return;
      default:
        return;
    }
  }

  /** Puts everything that streamed so far on file. */
  flush(): void {
    this.#partial.flush();
  }

  dispose(): void {
    this.#partial.dispose();
  }

  #recordUser({ text, origin }: Extract<AgentEvent, { type: 'user_message' }>): void {
    if (origin === 'steer') return this.#recordSteering(text);
    if (this.#prompt) this.#writeUser(this.#prompt, 'prompt', text);
    else this.#append({ type: 'user_message', text, contextLabels: [], content: text, origin: 'continue' });
    this.#prompt = undefined;
  }

  /** What was said in several goes reaches the model as one message: the first entry holds it, the others only show. */
  #recordSteering(content: string): void {
    const { steering } = this.#parts;
    let from = 0;
    let isFirst = true;
    for (let next = steering[0]; next; next = steering[0]) {
      const at = content.indexOf(next.content, from);
      if (at < 0) break;
      from = at + next.content.length;
      steering.shift();
      this.#writeUser(next, 'steer', isFirst ? content : '');
      isFirst = false;
    }
    if (isFirst) this.#append({ type: 'user_message', text: content, contextLabels: [], content, origin: 'steer' });
  }

  #writeUser({ id, text, context, mode }: PendingPrompt, origin: 'prompt' | 'steer', content: string): void {
    const contextLabels = context.map(({ label }) => label);
    const told = mode !== undefined && { mode };
    this.#parts.log.append({ type: 'user_message', text, contextLabels, content, origin, ...told }, { id });
  }

  #append(body: EntryBody): void {
    this.#parts.log.append(body);
  }
}
