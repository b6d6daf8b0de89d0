import type { Disposable } from '../../util/disposable';
import type { SetTimer } from '../../util/timer';
import type { AgentErrorInfo } from '../errors';
import type { AgentEvent, RunOutcome } from '../events';
import { imagesOfContent } from '../images/imagePart';
import type { ImagePart } from '../messages';
import type { EntryOf } from './entries';
import { describeImage, type ImageStore } from './images/imageStore';
import type { StoredImage } from './images/storedImage';
import { PartialAnswer } from './partialAnswer';
import { firstKeptEntryId } from './replay';
import type { SessionLog } from './sessionLog';

export type UserMessageEvent = Extract<AgentEvent, { type: 'user_message' }>;

export interface EventRecorderParts {
  readonly log: SessionLog;
  /** Writes a streaming answer every second. */
  readonly setTimer: SetTimer;
  /** Writes the entries of a user message. */
  readonly writeUserMessage: (event: UserMessageEvent, images: readonly StoredImage[]) => void;
  /** Keeps the images of messages and results. */
  readonly images: ImageStore;
  /** Gets errors of `images`. The image stays in memory. */
  readonly onImageError: (error: unknown) => void;
  /** How a person decided about a call. Absent: nobody was asked. */
  readonly approvalOf?: ((toolUseId: string) => EntryOf<'tool_result'>['approval']) | undefined;
}

/**
 * Writes the events of runs as entries. It writes what the client added to its history, in the same order, so that a
 * replay gives the same history.
 */
export class EventRecorder implements Disposable {
  readonly #parts: EventRecorderParts;
  readonly #partial: PartialAnswer;
  #isInStep = false;

  constructor(parts: EventRecorderParts) {
    this.#parts = parts;
    this.#partial = new PartialAnswer({
      setTimer: parts.setTimer,
      write: (blocks) => parts.log.append({ type: 'assistant_partial', blocks }),
    });
  }

  /**
   * Appends at once. Resolves when the event may be told and the next one read. That is when its entry is in the file, so
   * a killed process loses nothing that was told. The intent of a tool is on disk then, so a power cut does not lose it.
   * Streamed text is told at once, and written every second. A failed write does not hold anything up: `log` reports it.
   */
  async record(event: AgentEvent): Promise<void> {
    const { log, writeUserMessage } = this.#parts;
    switch (event.type) {
      case 'user_message':
        writeUserMessage(event, event.content === undefined ? [] : await this.#keep(imagesOfContent(event.content)));
        break;
      case 'step_start':
        this.#isInStep = true;
        return;
      case 'text_delta':
        return this.#partial.add(event.block, 'text', event.text);
      case 'thinking_delta':
        return this.#partial.add(event.block, 'thinking', event.text);
      case 'assistant_message':
        this.#recordAnswer(event);
        break;
      case 'tool_execution_start': {
        const { toolUseId, toolName, input } = event;
        log.append({ type: 'tool_call', toolUseId, toolName, input });
        await log.sync();
        return;
      }
      case 'tool_execution_end': {
        const { outcome, display } = event;
        const { images: given = [], ...result } = event.result;
        // Without images the entry is appended at once.
        const images = given.length === 0 ? [] : await this.#keep(given);
        const approval = this.#parts.approvalOf?.(result.toolUseId);
        const seen = images.length > 0 && { images };
        log.append({
          ...result,
          ...seen,
          outcome,
          ...(display !== undefined && { display }),
          ...(approval && { approval }),
        });
        break;
      }
      case 'compaction': {
        const { summary, keptMessages, maxResultCharacters, dropsImages } = event;
        const firstKeptId = firstKeptEntryId(log.entries, keptMessages);
        const cut = maxResultCharacters !== undefined && { maxResultCharacters };
        log.append({ type: 'compaction', summary, firstKeptId, ...cut, ...(dropsImages && { dropsImages }) });
        break;
      }
      case 'run_end':
        this.#endStep();
        break;
      default:
        return;
    }
    await log.flush();
  }

  /** An image is on file before an entry names it. */
  async #keep(images: readonly ImagePart[]): Promise<readonly StoredImage[]> {
    const { images: store, onImageError } = this.#parts;
    const stored: StoredImage[] = [];
    for (const image of images) {
      try {
        stored.push(await store.save(image));
      } catch (error) {
        onImageError(error);
        stored.push(describeImage(image));
      }
    }
    return stored;
  }

  /** Writes how a run ended. Returns the id of the entry that says why. */
  recordEnd(outcome: RunOutcome, error: AgentErrorInfo | undefined): string {
    const { log } = this.#parts;
    this.#endStep();
    const failure = error && log.append({ type: 'error', ...pickError(error) });
    const ending = log.append({ type: 'status_update', status: END_STATUSES[outcome] });
    return (failure ?? ending).id;
  }

  /** Writes the text that has streamed so far. */
  flush(): void {
    this.#partial.flush();
  }

  dispose(): void {
    this.#partial.dispose();
  }

  #endStep(): void {
    // Text that became no message is kept for people. The replay skips it.
    this.#partial.flush();
    this.#isInStep = false;
  }

  #recordAnswer(event: Extract<AgentEvent, { type: 'assistant_message' }>): void {
    const { message, responseId, model, usage } = event;
    const { content, stopReason } = message;
    this.#partial.reset();
    this.#parts.log.append({
      type: 'assistant_message',
      content,
      ...(stopReason && { stopReason }),
      responseId,
      model,
      ...(usage && { usage }),
      // Between steps the client adds messages only to keep the roles alternating. People need not see them.
      ...(!this.#isInStep && { isBridge: true }),
    });
    this.#isInStep = false;
  }
}

const END_STATUSES = {
  completed: 'FINISHED',
  interrupted: 'CANCELED',
  limit: 'IDLE',
  error: 'ERROR',
  waiting: 'IDLE',
} as const;

function pickError({ code, message, status }: AgentErrorInfo): Pick<AgentErrorInfo, 'code' | 'message' | 'status'> {
  return { code, message, ...(status !== undefined && { status }) };
}
