import { isJsonObject } from '../../../util/json';
import type { AssistantBlock, StopReason, ToolUseError, Usage } from '../../messages';
import { readChoice, readProgress, readUsage, type Chunk } from '../wire/chunk';
import { restoreControlTokens } from '../wire/controlTokens';
import { HarmonySplitter } from './harmonyChannels';
import { beginsBlank } from '../leadingSpace';
import { MarkupScanner } from './markupScanner';
import type { ModelEvent, ModelResponse, ToolDefinition } from '../modelProvider';
import { SnapshotDetector } from './snapshotDetector';
import type { TextCall } from '../calls/textCall';
import { ThinkTagSplitter } from './thinkTags';
import { parseToolArguments } from '../calls/toolArguments';
import { ToolCallAssembler } from './toolCallAssembler';
import { cleanToolName, toolNameResolver, type ResolveToolName } from '../calls/toolNames';

export interface StreamAggregatorOptions {
  readonly tools: readonly ToolDefinition[];
  /** Ids the conversation already has; a call that comes with one of them gets another. */
  readonly usedIds?: ReadonlySet<string> | undefined;
  /** Gives calls without an id one. */
  readonly newToolUseId?: (() => string) | undefined;
  readonly isLenient?: boolean | undefined;
}

type Block = AssistantBlock | ToolUseError;

interface OpenBlock {
  readonly block: number;
  readonly type: 'text' | 'thinking';
  /** Joined at the end: a string that grows by pieces is kept by V8 as a tree, at many times its size. */
  readonly parts: string[];
}

/**
 * Makes blocks out of the chunks of one stream: no clock, no network. Deltas of one block that follow each other
 * between two calls of `takeEvents` are one event.
 *
 * `block_end` may carry another type than the deltas had: when a closing think tag without an opening one shows that what
 * streamed as text was thinking.
 */
export class StreamAggregator {
  #events: ModelEvent[] = [];
  #responseId = '';
  #model = '';
  #usage: Usage | undefined;
  #finishReason: string | undefined;
  #receivedCharacters = 0;
  #blockCount = 0;
  #open: OpenBlock | undefined;
  readonly #finished: { readonly block: number; readonly content: Block }[] = [];
  /** White space that may turn out to be all there is. */
  #space: { readonly type: 'text' | 'thinking'; text: string } | undefined;
  /** Calls in the reasoning, with the white space after them; they count only if nothing else comes. */
  readonly #thinkingCalls: { readonly calls: readonly TextCall[]; markup: string }[] = [];
  /** Calls in the text; whether they count shows at the end. */
  readonly #textCalls: PendingTextCall[] = [];
  /** All of the reasoning field, and a tagged thought that may only repeat it. */
  #reasoning = '';
  #taggedThought = '';
  readonly #textDetector = new SnapshotDetector();
  readonly #thinkingDetector = new SnapshotDetector();
  readonly #channels: HarmonySplitter;
  readonly #tags: ThinkTagSplitter;
  readonly #textScanner: MarkupScanner;
  readonly #thinkingScanner: MarkupScanner;
  readonly #calls: ToolCallAssembler;
  readonly #resolveName: ResolveToolName;
  readonly #isLenient: boolean;
  readonly #newId: () => string;
  readonly #usedIds: Set<string>;

  constructor(options: StreamAggregatorOptions) {
    const { tools, usedIds = new Set(), newToolUseId = mintToolUseId, isLenient = true } = options;
    this.#resolveName = toolNameResolver(tools);
    this.#isLenient = isLenient;
    this.#newId = newToolUseId;
    this.#usedIds = new Set(usedIds);
    const scanner = {
      isOffered: (name: string) => this.#resolveName(name) !== undefined,
      hasTools: tools.length > 0,
    };
    this.#textScanner = new MarkupScanner({
      ...scanner,
      mayBeWholeAnswer: true,
      sink: {
        text: (text) => this.#write('text', text),
        calls: (calls) => this.#addTextCalls(calls),
        cutOff: (markup) => this.#addCutOff(markup),
      },
    });
    this.#thinkingScanner = new MarkupScanner({
      ...scanner,
      mayBeWholeAnswer: false,
      sink: {
        text: (text) => this.#write('thinking', text),
        calls: (calls, markup) => this.#thinkingCalls.push({ calls, markup }),
        cutOff: (markup) => this.#write('thinking', markup),
      },
    });
    this.#tags = new ThinkTagSplitter({
      text: (text) => this.#textScanner.push(text),
      thinking: (text) => this.#takeTaggedThought(text),
      thinkingEnd: () => this.#endTaggedThought(),
      orphanEnd: () => this.#turnTextIntoThinking(),
      isLiteral: () => this.#textScanner.isCapturing || this.#reasoning !== '',
    });
    this.#channels = new HarmonySplitter({
      plain: (text) => this.#tags.push(text),
      text: (text) => this.#textScanner.push(text),
      textEnd: () => this.#textScanner.end(true),
      thinking: (text) => this.#takeTaggedThought(text),
      thinkingEnd: () => this.#endTaggedThought(),
      call: (call, markup) => {
        if (scanner.isOffered(call.name)) this.#addTextCalls([call]);
        else this.#write('text', markup);
      },
      cutOff: (markup) => this.#addCutOff(markup),
    });
    this.#calls = new ToolCallAssembler({
      resolveName: this.#resolveName,
      newId: newToolUseId,
      usedIds: this.#usedIds,
      isLenient,
      sink: {
        open: () => {
          this.#thinkingScanner.end(true);
          this.#releaseThinkingCalls();
          this.#closeBlock();
          return this.#blockCount++;
        },
        start: (block, id, name) => this.#events.push({ type: 'tool_use_start', block, id, name }),
        delta: (block, id, argumentsDelta) => this.#pushDelta({ type: 'tool_use_delta', block, id, argumentsDelta }),
      },
    });
  }

  /** Whether the server has said that the answer is over. */
  get isFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  /** How much of the model's own output has come, in characters; 0 before its first token. */
  get receivedCharacters(): number {
    return this.#receivedCharacters;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** Takes one parsed chunk, or a whole completion. What is none changes nothing. */
  accept(chunk: unknown): void {
    if (!isJsonObject(chunk)) return;
    const { id, model } = chunk;
    if (this.#responseId === '' && typeof id === 'string') this.#responseId = id;
    if (this.#model === '' && typeof model === 'string') this.#model = model;
    const progress = readProgress(chunk);
    if (progress) this.#events.push({ type: 'prompt_progress', progress });
    this.#usage = readUsage(chunk) ?? this.#usage;
    const choice = readChoice(chunk);
    if (choice) this.#takeChoice(choice);
  }

  /** The events since the last call, in order. */
  takeEvents(): readonly ModelEvent[] {
    if (this.#events.length === 0) return NO_EVENTS;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /**
   * Ends the answer: closes every block and gives the response. `cut` tells that it did not end by itself: tool calls
   * then come out as errors, whatever they look like.
   */
  finish(cut?: CutOff): ModelResponse {
    const cutOff = cut ?? (this.#finishReason === 'length' ? 'length' : undefined);
    const isComplete = cutOff === undefined;
    const thinkingRest = this.#thinkingDetector.end();
    if (thinkingRest !== '') this.#takeReasoning(thinkingRest);
    const textRest = this.#textDetector.end();
    if (textRest !== '') this.#channels.push(textRest);
    this.#channels.end(isComplete);
    this.#tags.end();
    this.#textScanner.end(isComplete);
    this.#thinkingScanner.end(isComplete);
    const hasCalls = !this.#calls.isEmpty || this.#textCalls.length > 0;
    if (hasCalls || !isComplete) this.#releaseThinkingCalls();
    this.#closeBlock();
    for (const { calls } of this.#thinkingCalls.splice(0)) this.#addTextCalls(calls);

    const reason = cutOff && CUT_OFF_REASONS[cutOff];
    for (const { block, content } of this.#calls.finish(reason)) this.#endBlock(block, content);
    for (const pending of this.#textCalls) this.#endBlock(pending.block, this.#contentOf(pending, reason));
    const content = this.#finished.toSorted((a, b) => a.block - b.block).map((finished) => finished.content);
    return {
      responseId: this.#responseId,
      model: this.#model,
      content,
      stopReason: this.#stopReasonOf(content, cutOff),
      ...(this.#usage && { usage: this.#usage }),
    };
  }

  #stopReasonOf(content: readonly Block[], cutOff: CutOff | undefined): StopReason {
    const hasCalls = content.some(({ type }) => type === 'tool_use' || type === 'tool_use_error');
    // A limit reached inside a tool call leaves an answer that is as incomplete as one whose connection broke.
    if (cutOff === 'length') return hasCalls ? 'incomplete' : 'length';
    if (cutOff) return cutOff;
    if (hasCalls) return 'tool_use';
    return this.#finishReason === 'content_filter' ? 'content_filter' : 'stop';
  }

  #takeChoice(choice: Chunk): void {
    this.#finishReason ??= choice.finishReason ?? (choice.isWhole ? 'stop' : undefined);
    // Some servers close a stream with the whole message once more.
    if (choice.isWhole && this.#receivedCharacters > 0) return;
    const { text, thinking, calls } = choice;
    if (thinking !== '') {
      this.#receivedCharacters += thinking.length;
      const added = this.#thinkingDetector.push(thinking);
      if (added !== '') this.#takeReasoning(added);
    }
    if (text !== '') {
      this.#receivedCharacters += text.length;
      const added = this.#textDetector.push(text);
      if (added !== '') this.#channels.push(added);
    }
    for (const call of calls) this.#receivedCharacters += 1 + this.#calls.accept(call);
  }

  #takeReasoning(text: string): void {
    this.#reasoning += text;
    this.#thinkingScanner.push(text);
  }

  #takeTaggedThought(text: string): void {
    if (this.#reasoning === '') this.#thinkingScanner.push(text);
    else this.#taggedThought += text;
  }

  #endTaggedThought(): void {
    const thought = this.#taggedThought;
    this.#taggedThought = '';
    // Servers that fill the field and leave the tags in say the same in both.
    if (thought.trim() !== this.#reasoning.trim()) this.#thinkingScanner.push(thought);
    this.#thinkingScanner.end(true);
  }

  #turnTextIntoThinking(): void {
    this.#textScanner.restart();
    this.#space = undefined;
    if (this.#open?.type !== 'text') return;
    const { block, parts } = this.#open;
    this.#open = undefined;
    this.#endBlock(block, { type: 'thinking', text: parts.join('') });
  }

  #write(type: 'text' | 'thinking', text: string): void {
    const lastCalls = type === 'thinking' ? this.#thinkingCalls.at(-1) : undefined;
    if (lastCalls) {
      lastCalls.markup += text;
      if (text.trim() !== '') this.#releaseThinkingCalls(true);
      return;
    }
    if (this.#open?.type === type) {
      this.#append(this.#open, text);
      return;
    }
    const whole = this.#space?.type === type ? this.#space.text + text : text;
    if (!beginsBlank(whole) && whole.trim() === '') {
      this.#space = { type, text: whole };
      return;
    }
    this.#space = undefined;
    if (type === 'text') this.#thinkingScanner.end(true);
    this.#releaseThinkingCalls();
    this.#closeBlock();
    const isFirst = this.#blockCount === 0;
    this.#open = { block: this.#blockCount++, type, parts: [] };
    // What sets a block off from the one before it belongs to neither.
    this.#append(this.#open, isFirst || beginsBlank(whole) ? whole : whole.replace(/^\s*\n/, ''));
  }

  #append(open: OpenBlock, text: string): void {
    open.parts.push(text);
    const { block } = open;
    this.#pushDelta(
      open.type === 'text' ? { type: 'text_delta', block, text } : { type: 'thinking_delta', block, text },
    );
  }

  /** Something follows the calls in the reasoning: they were only thought of. */
  #releaseThinkingCalls(doesThoughtGoOn = false): void {
    if (this.#thinkingCalls.length === 0) return;
    const calls = this.#thinkingCalls.splice(0);
    const markup = calls.map((call) => call.markup).join('');
    this.#write('thinking', doesThoughtGoOn ? markup : markup.trimEnd());
  }

  #closeBlock(): void {
    if (!this.#open) return;
    const { block, type, parts } = this.#open;
    this.#open = undefined;
    this.#endBlock(block, { type, text: parts.join('') });
  }

  #endBlock(block: number, received: Block): void {
    const isCall = received.type === 'tool_use';
    const content = isCall ? { ...received, input: restoreControlTokens(received.input) } : received;
    this.#finished.push({ block, content });
    this.#events.push({ type: 'block_end', block, content });
  }

  #addTextCalls(calls: readonly TextCall[]): void {
    if (calls.length === 0) return;
    this.#releaseThinkingCalls();
    this.#closeBlock();
    for (const call of calls) {
      let id = this.#newId();
      while (this.#usedIds.has(id)) id = this.#newId();
      this.#usedIds.add(id);
      const block = this.#blockCount++;
      const name = this.#resolveName(call.name) ?? cleanToolName(call.name);
      const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
      this.#textCalls.push({ block, id, name, text, call });
      this.#events.push({ type: 'tool_use_start', block, id, name });
      this.#events.push({ type: 'tool_use_delta', block, id, argumentsDelta: text });
    }
  }

  #contentOf({ id, name, text, call }: PendingTextCall, cutOffReason: string | undefined): Block {
    const parsed = parseToolArguments(call.arguments, { lenient: this.#isLenient });
    if (cutOffReason === undefined && parsed.ok) return { type: 'tool_use', id, name, input: parsed.input };
    const error = cutOffReason ?? (parsed.ok ? '' : parsed.error);
    return { type: 'tool_use_error', error, rawData: text, toolUseId: id, toolName: name };
  }

  #addCutOff(markup: string): void {
    this.#closeBlock();
    this.#endBlock(this.#blockCount++, {
      type: 'tool_use_error',
      error: 'The answer was cut off inside this tool call. It was not executed.',
      rawData: markup,
    });
  }

  /** Adds a delta, to the one before it where both belong to one block. */
  #pushDelta(event: Delta): void {
    // Nobody has got it yet, so it may still grow: a new object for every chunk is what costs most here.
    const last = this.#events.at(-1) as GrowingDelta | undefined;
    if (last?.type === 'tool_use_delta' && event.type === 'tool_use_delta' && last.block === event.block) {
      last.argumentsDelta += event.argumentsDelta;
    } else if (last?.type === event.type && last.block === event.block && 'text' in last && 'text' in event) {
      last.text += event.text;
    } else {
      this.#events.push(event);
    }
  }
}

type GrowingDelta = Delta extends infer D ? { -readonly [K in keyof D]: D[K] } : never;

/** Why an answer did not end by itself. */
export type CutOff = 'incomplete' | 'interrupted' | 'length';
type Delta = Extract<ModelEvent, { readonly type: 'text_delta' | 'thinking_delta' | 'tool_use_delta' }>;

interface PendingTextCall {
  readonly block: number;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly call: TextCall;
}

/** What the model is told about a call that must not run. */
const CUT_OFF_REASONS: Readonly<Record<CutOff, string>> = {
  incomplete: 'The answer was cut off before it was complete. This tool call was not executed.',
  interrupted: 'The answer was interrupted. This tool call was not executed.',
  length:
    'The answer reached its length limit inside a tool call, which was not executed. Make smaller calls, one at a time.',
};

const NO_EVENTS: readonly ModelEvent[] = [];

/** Nine letters and digits: the one form that the templates of all model families accept. */
export function mintToolUseId(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => letters[byte % letters.length]).join('');
}
