import type { StopReason, Usage } from '../../messages';
import { isClosed, type TextCall } from '../calls/textCall';
import { toolNameResolver } from '../calls/resolveToolName';
import type { ModelEvent, ModelResponse, ToolDefinition } from '../modelProvider';
import { keptWriting } from '../wire/writtenCall';
import { BlockWriter } from './blockWriter';
import { CallExtractor } from './callExtractor';
import { CUT_OFF_REASONS, type CutOff } from '../cutOff';
import { DeltaReader } from './deltaReader';
import { ReasoningSplitter } from './reasoningSplitter';
import { TextCallAssembler } from './textCallAssembler';
import { ToolCallAssembler, type FinishedCall, type ReasonFor, type ToolCallSink } from './toolCallAssembler';

export interface StreamAggregatorOptions {
  readonly tools: readonly ToolDefinition[];
  /** The model's name, which shows how it writes calls. Absent: in any known way. */
  readonly model?: string | undefined;
  /** Ids of the conversation so far. A call that comes with one of them gets another. */
  readonly usedIds?: ReadonlySet<string> | undefined;
  /** Makes an id for a call without one. */
  readonly newToolUseId?: (() => string) | undefined;
  readonly isLenient?: boolean | undefined;
  /** The tools are described in text: keeps calls as they are written. Default: false. */
  readonly hasTextTools?: boolean | undefined;
}

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
  readonly #hasTextTools: boolean;
  /** The white space at the end of the text so far. */
  #space = '';
  /** Text that the stages after the reader do not have yet: one text for each read costs them less than many pieces. */
  #unread = '';
  /** The answer is over. Now a call without its own end may be cut. */
  #isOver = false;

  constructor({
    tools,
    model = '',
    usedIds = new Set(),
    newToolUseId = mintToolUseId,
    isLenient = true,
    hasTextTools = false,
  }: StreamAggregatorOptions) {
    this.#hasTextTools = hasTextTools;
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
        write: (type, text) => {
          if (type === 'text')
            this.#space = text.trim() === '' ? this.#space + text : text.slice(text.trimEnd().length);
          blocks.write(type, text);
        },
        calls: (calls, markup) => this.#addTextCalls(calls, markup),
        cutOff: (markup) => blocks.addCutOff(markup),
      },
      { isOffered, hasTools: tools.length > 0, hasNativeCalls: () => !this.#calls.isEmpty, model },
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
        if (tools.length > 0) this.#addTextCalls([call], markup);
        else blocks.write('text', markup);
      },
      cutOff: (markup) => blocks.addCutOff(markup),
    });
    this.#reader = new DeltaReader({
      progress: (progress) => {
        this.#readText();
        blocks.push({ type: 'prompt_progress', progress });
      },
      reasoning: (text) => {
        this.#readText();
        this.#splitter.pushReasoning(text);
      },
      text: (text) => {
        this.#unread += text;
        if (this.#unread.length >= MAX_UNREAD) this.#readText();
      },
      call: (entry) => {
        this.#readText();
        return this.#calls.accept(entry);
      },
    });
  }

  /** Whether the server has said that the answer is over, and its word can be trusted. */
  get isFinished(): boolean {
    return this.#reader.endsWithReason && !this.#reader.hasGoneOn;
  }

  /** Whether nothing came after the reason why the answer is over. Where the body ends here, so does the answer. */
  get endsWithReason(): boolean {
    return this.#reader.endsWithReason;
  }

  /** How many characters of the model's output have come; 0 before its first token. */
  get receivedCharacters(): number {
    return this.#reader.receivedCharacters;
  }

  /** Whether any call has come. */
  get hasCalls(): boolean {
    this.#readText();
    return !this.#calls.isEmpty || !this.#textCalls.isEmpty;
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
    this.#readText();
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
    this.#readText();
    return this.#blocks.takeEvents();
  }

  /**
   * Ends the answer: closes every block and returns the response. With `cut` the tool calls come out as errors, but for those
   * that are certainly complete (see `CutOff`).
   */
  finish(cut?: CutOff): ModelResponse {
    this.#readText();
    const { finishReason } = this.#reader;
    const cutOff = cut ?? (finishReason === 'length' ? 'length' : undefined);
    const isComplete = cutOff === undefined;
    const extractor = this.#extractor;
    this.#isOver = true;
    this.#reader.end();
    this.#readText();
    this.#splitter.end(isComplete);
    extractor.endText(isComplete);
    extractor.endThinking(isComplete && this.#hasStopped);
    if (!isComplete || !this.#calls.isEmpty || !this.#textCalls.isEmpty) extractor.releaseHeld();
    this.#blocks.close();
    for (const call of extractor.takeHeld()) this.#textCalls.add(call);
    const reasonFor: ReasonFor = (isClosed) =>
      cutOff === undefined || (cutOff === 'unreadable' && isClosed) ? undefined : CUT_OFF_REASONS[cutOff];
    const native = this.#calls.finish(reasonFor, finishReason);
    for (const { block, content } of native) this.#blocks.end(block, content);
    const read = new Set(native.flatMap(({ content }) => callKeyOf(content) ?? []));
    for (const { block, content } of this.#textCalls.finish(reasonFor)) {
      // Some servers read a call and leave its text in.
      if (!read.has(callKeyOf(content) ?? '')) this.#blocks.end(block, content);
    }
    const { content } = this.#blocks;
    const { ids, usage } = this.#reader;
    return { ...ids, content, stopReason: this.#stopReasonOf(content, cutOff), ...(usage && { usage }) };
  }

  #readText(): void {
    if (this.#unread === '') return;
    const text = this.#unread;
    this.#unread = '';
    this.#splitter.pushText(text);
  }

  /** Whether the server says that the model stopped by itself. */
  get #hasStopped(): boolean {
    const { finishReason } = this.#reader;
    return finishReason === 'stop' || finishReason === 'calls';
  }

  #addTextCalls(calls: readonly TextCall[], markup: string): void {
    if (this.#isOver && !isClosed(markup, this.#hasStopped)) this.#blocks.addCutOff(markup);
    else {
      const written = this.#hasTextTools && calls.length === 1 ? keptWriting(this.#space + markup) : undefined;
      for (const call of calls) this.#textCalls.add(call, written);
    }
    this.#space = '';
  }

  #stopReasonOf(content: ModelResponse['content'], cutOff: CutOff | undefined): StopReason {
    const hasCalls = content.some(({ type }) => type === 'tool_use' || type === 'tool_use_error');
    if (cutOff) return cutOff === 'unreadable' ? 'incomplete' : cutOff;
    if (hasCalls) return 'tool_use';
    const { finishReason } = this.#reader;
    if (finishReason === 'failed') return 'incomplete';
    return finishReason === 'content_filter' ? 'content_filter' : 'stop';
  }
}

/** In characters. Text that repeats itself is searched in pieces of about this length. */
const MAX_UNREAD = 512;

function callKeyOf(content: FinishedCall['content']): string | undefined {
  return content.type === 'tool_use' ? JSON.stringify([content.name, content.input]) : undefined;
}

/** Nine letters and digits: the one form that the templates of all model families accept. */
export function mintToolUseId(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => letters[byte % letters.length]).join('');
}
