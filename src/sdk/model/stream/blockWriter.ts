import type { AssistantBlock, ToolUseError } from '../../messages';
import { beginsBlank } from '../leadingSpace';
import type { ModelEvent } from '../modelProvider';
import { restoreControlTokens } from '../wire/controlTokens';

type Block = AssistantBlock | ToolUseError;

interface OpenBlock {
  readonly block: number;
  readonly type: 'text' | 'thinking';
  /** Joined at the end: V8 keeps a string that grows by pieces as a tree, at many times its size. */
  readonly parts: string[];
}

type Delta = Extract<ModelEvent, { readonly type: 'text_delta' | 'thinking_delta' | 'tool_use_delta' }>;
type GrowingDelta = Delta extends infer D ? { -readonly [K in keyof D]: D[K] } : never;

/**
 * Last stage: numbers the blocks of a response and writes their events. Deltas of one block that follow each other between
 * two calls of `takeEvents` are one event.
 */
export class BlockWriter {
  readonly #beforeBlock: (type: 'text' | 'thinking' | 'call') => void;
  #events: ModelEvent[] = [];
  #blockCount = 0;
  #open: OpenBlock | undefined;
  readonly #finished: { readonly block: number; readonly content: Block }[] = [];
  /** White space that may turn out to be all there is. */
  #space: { readonly type: 'text' | 'thinking'; text: string } | undefined;

  /** `beforeBlock` may write what belongs before a new block. */
  constructor(beforeBlock: (type: 'text' | 'thinking' | 'call') => void) {
    this.#beforeBlock = beforeBlock;
  }

  /** The events since the last call, in order. */
  takeEvents(): readonly ModelEvent[] {
    if (this.#events.length === 0) return NO_EVENTS;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The finished blocks, in order. */
  get content(): readonly Block[] {
    return this.#finished.toSorted((a, b) => a.block - b.block).map(({ content }) => content);
  }

  push(event: ModelEvent): void {
    this.#events.push(event);
  }

  /** Writes text or thinking, into the open block where it is of that type. */
  write(type: 'text' | 'thinking', text: string): void {
    if (this.#open?.type === type) return this.#append(this.#open, text);
    const whole = this.#space?.type === type ? this.#space.text + text : text;
    if (!beginsBlank(whole) && whole.trim() === '') {
      this.#space = { type, text: whole };
      return;
    }
    this.#space = undefined;
    this.#beforeBlock(type);
    this.close();
    const isFirst = this.#blockCount === 0;
    this.#open = { block: this.#blockCount++, type, parts: [] };
    // The line breaks between two blocks belong to neither.
    this.#append(this.#open, isFirst || beginsBlank(whole) ? whole : whole.replace(/^\s*\n/, ''));
  }

  /** Opens the block of a call and returns its number. */
  openCall(): number {
    this.#beforeBlock('call');
    this.close();
    return this.#blockCount++;
  }

  /** Adds to the arguments of a call. */
  writeArguments(block: number, id: string, argumentsDelta: string): void {
    const last = this.#last;
    if (last?.type === 'tool_use_delta' && last.block === block) last.argumentsDelta += argumentsDelta;
    else this.#events.push({ type: 'tool_use_delta', block, id, argumentsDelta });
  }

  /** Adds the error of a call that the answer was cut off in. */
  addCutOff(markup: string): void {
    this.close();
    const error = 'The answer was cut off inside this tool call. It was not executed.';
    this.end(this.#blockCount++, { type: 'tool_use_error', error, rawData: markup });
  }

  /** The open text turned out to be thinking. White space that is held back is dropped. */
  turnTextIntoThinking(): void {
    this.#space = undefined;
    if (this.#open?.type === 'text') this.close('thinking');
  }

  /** Ends the block of text or thinking, if one is open. */
  close(type = this.#open?.type): void {
    if (!this.#open || !type) return;
    const { block, parts } = this.#open;
    this.#open = undefined;
    this.end(block, { type, text: parts.join('') });
  }

  /** Ends a block. */
  end(block: number, received: Block): void {
    const isCall = received.type === 'tool_use';
    const content = isCall ? { ...received, input: restoreControlTokens(received.input) } : received;
    this.#finished.push({ block, content });
    this.#events.push({ type: 'block_end', block, content });
  }

  #append({ block, type, parts }: OpenBlock, text: string): void {
    parts.push(text);
    const deltaType = type === 'text' ? 'text_delta' : 'thinking_delta';
    const last = this.#last;
    if (last?.type === deltaType && last.block === block) last.text += text;
    else this.#events.push({ type: deltaType, block, text });
  }

  /** Nobody has the last event yet, so a delta may grow. A new object for every chunk would cost most here. */
  get #last(): GrowingDelta | undefined {
    return this.#events.at(-1) as GrowingDelta | undefined;
  }
}

const NO_EVENTS: readonly ModelEvent[] = [];
