import type { StopReason, Usage } from '../../messages';
import { isClosed, type TextCall } from '../calls/textCall';
import { toolNameResolver } from '../calls/resolveToolName';
import type { ModelEvent, ModelResponse, ToolDefinition } from '../modelProvider';
import { BlockWriter } from './blockWriter';
import { CallExtractor } from './callExtractor';
import { DeltaReader } from './deltaReader';
import { ReasoningSplitter } from './reasoningSplitter';
import { TextCallAssembler } from './textCallAssembler';
import { ToolCallAssembler, type ToolCallSink } from './toolCallAssembler';

export interface StreamAggregatorOptions {
  readonly tools: readonly ToolDefinition[];
  /** Ids of the conversation so far. A call that comes with one of them gets another. */
  readonly usedIds?: ReadonlySet<string> | undefined;
  /** Makes an id for a call without one. */
  readonly newToolUseId?: (() => string) | undefined;
  readonly isLenient?: boolean | undefined;
}

/** Why an answer did not end by itself. */
export type CutOff = 'incomplete' | 'interrupted' | 'length';

/**
 * Makes the blocks of one response out of its chunks, in stages: `DeltaReader` reads chunks, `ReasoningSplitter` tells
 * thinking from text, `CallExtractor` takes out calls written as text, and `BlockWriter` writes the events. The assemblers
 * put calls together. No clock, no network; linear in the length of the answer.
 *
 * `block_end` may have another type than the deltas had: a closing think tag without an opening one turns the streamed
 * text into thinking.
 */
export class StreamAggregator {
  readonly #reader: DeltaReader;
  readonly #splitter: ReasoningSplitter;
  readonly #extractor: CallExtractor;
  readonly #calls: ToolCallAssembler;
  readonly #textCalls: TextCallAssembler;
  readonly #blocks: BlockWriter;
  /** The server did not say why the answer ended, so a call without its own end may be cut. */
  #mustBeClosed = false;

  constructor({ tools, usedIds = new Set(), newToolUseId = mintToolUseId, isLenient = true }: StreamAggregatorOptions) {
    const resolveName = toolNameResolver(tools);
    const isOffered = (name: string): boolean => resolveName(name) !== undefined;
    const blocks = new BlockWriter((type) => {
      if (type === 'text') this.#extractor.endThinking(true);
      this.#extractor.releaseHeld();
    });
    this.#blocks = blocks;
    const sink: ToolCallSink = {
      open: () => blocks.openCall(),
      start: (block, id, name) => blocks.push({ type: 'tool_use_start', block, id, name }),
      delta: (block, id, argumentsDelta) => blocks.writeArguments(block, id, argumentsDelta),
    };
    const assembly = { sink, resolveName, newId: newToolUseId, usedIds, isLenient };
    this.#textCalls = new TextCallAssembler(assembly);
    const open = (): number => {
      this.#extractor.endThinking(true);
      return blocks.openCall();
    };
    this.#calls = new ToolCallAssembler({ ...assembly, sink: { ...sink, open } });
    const extractor = new CallExtractor(
      {
        write: (type, text) => blocks.write(type, text),
        calls: (calls, markup) => this.#addTextCalls(calls, markup),
        cutOff: (markup) => blocks.addCutOff(markup),
      },
      { isOffered, hasTools: tools.length > 0 },
    );
    this.#extractor = extractor;
    this.#splitter = new ReasoningSplitter({
      text: (text) => extractor.pushText(text),
      textEnd: () => extractor.endText(true),
      thinking: (text) => extractor.pushThinking(text),
      thinkingEnd: () => extractor.endThinking(true),
      orphanEnd: () => {
        extractor.restartText();
        blocks.turnTextIntoThinking();
      },
      isLiteral: () => extractor.isCapturing,
      call: (call, markup) => {
        if (isOffered(call.name)) this.#addTextCalls([call], markup);
        else blocks.write('text', markup);
      },
      cutOff: (markup) => blocks.addCutOff(markup),
    });
    this.#reader = new DeltaReader({
      progress: (progress) => blocks.push({ type: 'prompt_progress', progress }),
      reasoning: (text) => this.#splitter.pushReasoning(text),
      text: (text) => this.#splitter.pushText(text),
      call: (entry) => this.#calls.accept(entry),
    });
  }

  /** Whether the server has said that the answer is over. */
  get isFinished(): boolean {
    return this.#reader.finishReason !== undefined;
  }

  /** How many characters of the model's output have come; 0 before its first token. */
  get receivedCharacters(): number {
    return this.#reader.receivedCharacters;
  }

  get usage(): Usage | undefined {
    return this.#reader.usage;
  }

  /** Takes one parsed chunk, or a whole completion. Ignores anything else. */
  accept(chunk: unknown): void {
    this.#reader.accept(chunk);
  }

  /** A chunk is lost. Calls that it may belong to come out as errors. */
  noteLoss(): void {
    this.#calls.noteLoss();
    this.#textCalls.noteLoss();
  }

  /** The end marker has come. Text after it is ignored, and calls after it come out as errors. */
  noteEnd(): void {
    this.#reader.noteEnd();
    this.#calls.noteEnd();
  }

  /** The events since the last call, in order. */
  takeEvents(): readonly ModelEvent[] {
    return this.#blocks.takeEvents();
  }

  /** Ends the answer: closes every block and returns the response. With `cut` the tool calls come out as errors. */
  finish(cut?: CutOff): ModelResponse {
    const cutOff = cut ?? (this.#reader.finishReason === 'length' ? 'length' : undefined);
    const isComplete = cutOff === undefined;
    const { finishReason } = this.#reader;
    const saidWhy = finishReason !== undefined && finishReason !== 'content_filter';
    const extractor = this.#extractor;
    this.#mustBeClosed = !saidWhy;
    this.#reader.end();
    this.#splitter.end(isComplete);
    extractor.endText(isComplete);
    extractor.endThinking(isComplete && saidWhy);
    if (!isComplete || !this.#calls.isEmpty || !this.#textCalls.isEmpty) extractor.releaseHeld();
    this.#blocks.close();
    for (const call of extractor.takeHeld()) this.#textCalls.add(call);
    const reason = cutOff && CUT_OFF_REASONS[cutOff];
    for (const assembler of [this.#calls, this.#textCalls]) {
      for (const { block, content } of assembler.finish(reason, saidWhy)) this.#blocks.end(block, content);
    }
    const { content } = this.#blocks;
    const { ids, usage } = this.#reader;
    return { ...ids, content, stopReason: this.#stopReasonOf(content, cutOff), ...(usage && { usage }) };
  }

  #addTextCalls(calls: readonly TextCall[], markup: string): void {
    if (this.#mustBeClosed && !isClosed(markup)) this.#blocks.addCutOff(markup);
    else for (const call of calls) this.#textCalls.add(call);
  }

  #stopReasonOf(content: ModelResponse['content'], cutOff: CutOff | undefined): StopReason {
    const hasCalls = content.some(({ type }) => type === 'tool_use' || type === 'tool_use_error');
    // A limit inside a tool call leaves an answer as incomplete as a broken connection does.
    if (cutOff === 'length') return hasCalls ? 'incomplete' : 'length';
    if (cutOff) return cutOff;
    if (hasCalls) return 'tool_use';
    return this.#reader.finishReason === 'content_filter' ? 'content_filter' : 'stop';
  }
}

/** The errors of calls that must not run, for the model. */
const CUT_OFF_REASONS: Readonly<Record<CutOff, string>> = {
  incomplete: 'The answer was cut off before it was complete. This tool call was not executed.',
  interrupted: 'The answer was interrupted. This tool call was not executed.',
  length:
    'The answer reached its length limit inside a tool call, which was not executed. Make smaller calls, one at a time.',
};

/** Nine letters and digits: the one form that the templates of all model families accept. */
export function mintToolUseId(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => letters[byte % letters.length]).join('');
}
