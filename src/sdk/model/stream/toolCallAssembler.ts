import { isJsonObject, parseJson, type JsonObject } from '../../../util/json';
import type { ToolUseBlock, ToolUseError } from '../../messages';
import { JsonBalance } from '../calls/jsonBalance';
import { missingBrackets, parseToolArguments } from '../calls/toolArguments';
import { takeFreshId } from './freshId';
import { cleanToolName, type ResolveToolName } from '../calls/resolveToolName';
import type { FinishReason } from '../wire/finishReason';

export interface ToolCallSink {
  /** Opens a block and returns its number. Called once for each call, in order. */
  open(): number;
  start(block: number, id: string, name: string): void;
  delta(block: number, id: string, argumentsDelta: string): void;
}

/** A call and the number of its block. */
export interface FinishedCall {
  readonly block: number;
  readonly content: ToolUseBlock | ToolUseError;
}

/** Why a call must not be executed: the answer was cut. `undefined`: that is no reason. `isClosed`: the call has its own end. */
export type ReasonFor = (isClosed: boolean) => string | undefined;

export interface ToolCallAssemblerOptions {
  readonly sink: ToolCallSink;
  readonly resolveName: ResolveToolName;
  /** Makes an id for a call without one, or with a used one. */
  readonly newId: () => string;
  readonly usedIds: ReadonlySet<string>;
  readonly isLenient: boolean;
}

/**
 * Assembles tool calls from the entries of `tool_calls`. It tells calls apart by index. Where servers omit the index
 * or always send zero, it uses the id, or a name after complete arguments.
 */
export class ToolCallAssembler {
  readonly #options: ToolCallAssemblerOptions;
  readonly #calls: PendingCall[] = [];
  readonly #ids: Set<string>;
  #hasLoss = false;
  #hasEnded = false;

  constructor(options: ToolCallAssemblerOptions) {
    this.#options = options;
    this.#ids = new Set(options.usedIds);
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** A chunk is lost. It may belong to any call that its own brackets have not closed yet. */
  noteLoss(): void {
    this.#hasLoss = true;
    for (const call of this.#calls) {
      call.isBeforeLoss = true;
      if (!call.isComplete()) call.damage ??= NOT_EXECUTED.loss;
    }
  }

  /** The end marker has come. Entries after it make an error of their call. */
  noteEnd(): void {
    this.#hasEnded = true;
  }

  /** Takes one entry. Returns how many characters of arguments it brought. */
  accept(entry: JsonObject): number {
    const fields = isJsonObject(entry['function']) ? entry['function'] : entry;
    const name = typeof fields['name'] === 'string' ? fields['name'] : '';
    const id = idOf(entry['id']);
    const index = indexOf(entry['index']);
    // Some gateways keep the names of other APIs.
    const argument = fields['arguments'] ?? fields['parameters'] ?? fields['input'];
    let call = this.#find(index, id, name, argument);
    if (!call) {
      const previous = this.#calls.at(-1);
      // Its id would have come by now.
      if (previous) this.#start(previous);
      call = new PendingCall(this.#options.sink.open(), index);
      this.#calls.push(call);
    }
    this.#takeName(call, name);
    if (id !== undefined) call.serverId ??= id;
    if (this.#hasEnded) call.damage ??= NOT_EXECUTED.afterEnd;
    // The lost chunk may have begun another call, to which these arguments belong.
    else if (call.isBeforeLoss && !isEmptyArgument(argument)) call.damage ??= NOT_EXECUTED.loss;
    const added = call.addArguments(argument);
    if (call.id) {
      if (added !== '') this.#options.sink.delta(call.block, call.id, added);
    } else if (call.serverId !== undefined) {
      const isOffered = this.#options.resolveName(call.name) !== undefined;
      if (isOffered || (call.name !== '' && call.hasArguments)) this.#start(call);
    }
    return added.length;
  }

  /**
   * Ends all calls, in order. Calls with a reason come out as errors, because their rest is unknown. Damaged calls
   * are errors too, and so are calls with open brackets. Only the outermost may be missing where the server says that it
   * found `calls`: vLLM loses it.
   */
  finish(reasonFor: ReasonFor, finishReason: FinishReason | undefined): readonly FinishedCall[] {
    return this.#calls.map((call) => {
      if (call.name !== '' && !call.id) this.#start(call);
      const cutOffReason = reasonFor(call.isComplete());
      const unfinished = call.isWhole(finishReason) ? undefined : NOT_EXECUTED.unfinished;
      return { block: call.block, content: this.#contentOf(call, cutOffReason ?? call.damage ?? unfinished) };
    });
  }

  #contentOf(call: PendingCall, cutOffReason: string | undefined): ToolUseBlock | ToolUseError {
    const name = this.#nameOf(call);
    const rawData = call.text;
    const mayLackBeginning = this.#hasLoss && !call.isBeforeLoss;
    if (name === '' || !call.id) {
      const error = mayLackBeginning ? NOT_EXECUTED.loss : 'The model called a tool without naming it.';
      return { type: 'tool_use_error', error: cutOffReason ?? error, rawData };
    }
    const toolUseId = call.id;
    const failure = (error: string): ToolUseError => ({
      type: 'tool_use_error',
      error,
      rawData,
      toolUseId,
      toolName: name,
    });
    if (cutOffReason !== undefined) return failure(cutOffReason);
    // Arguments that are valid without repair are whole, because brackets cannot balance without their beginning.
    if (mayLackBeginning && !(call.hasArguments && call.parse(false).ok)) return failure(NOT_EXECUTED.loss);
    const parsed = call.parse(this.#options.isLenient);
    return parsed.ok ? { type: 'tool_use', id: toolUseId, name, input: parsed.input } : failure(parsed.error);
  }

  #find(index: number | undefined, id: string | undefined, name: string, argument: unknown): PendingCall | undefined {
    const last = this.#calls.at(-1);
    // Most entries go on with the last call.
    if (name === '' && index !== undefined && last?.index === index) return last;
    const byId = id === undefined ? undefined : this.#calls.findLast((call) => call.serverId === id);
    const candidate = index === undefined ? (byId ?? last) : this.#calls.findLast((call) => call.index === index);
    // Only a name can begin another call. Some servers send another id in every chunk.
    if (!candidate || name === '') return candidate;
    const isNewId = id !== undefined && candidate.serverId !== undefined && id !== candidate.serverId;
    const isRepeated = name === candidate.name || candidate.name === '';
    if (!candidate.hasArguments) {
      return isNewId && this.#options.resolveName(name) !== undefined ? undefined : candidate;
    }
    if (!candidate.isComplete()) return isRepeated ? candidate : undefined;
    if (!isRepeated || isNewId) return undefined;
    const saysNothingNew =
      isEmptyArgument(argument) || (typeof argument === 'string' && argument.startsWith(candidate.text));
    return saysNothingNew ? candidate : undefined;
  }

  /** Names come whole, again with every chunk, growing, or rarely in pieces. */
  #takeName(call: PendingCall, name: string): void {
    if (name === '' || name === call.name || call.id) return;
    const isWhole = this.#options.resolveName(call.name) !== undefined;
    if (call.name === '' || name.startsWith(call.name)) call.name = name;
    else if (!isWhole && !call.hasArguments) call.name += name;
  }

  #nameOf(call: PendingCall): string {
    return this.#options.resolveName(call.name) ?? cleanToolName(call.name);
  }

  #start(call: PendingCall): void {
    if (call.id || call.name === '') return;
    const { sink, newId } = this.#options;
    const { serverId } = call;
    const id = serverId === undefined || this.#ids.has(serverId) ? takeFreshId(newId, this.#ids) : serverId;
    this.#ids.add(id);
    call.id = id;
    sink.start(call.block, id, this.#nameOf(call));
    if (call.text !== '') sink.delta(call.block, id, call.text);
  }
}

/** Why calls of a damaged stream are not executed, for the model. */
export const NOT_EXECUTED = {
  loss: 'Part of the answer was damaged on its way from the server, so this tool call was not executed. Call it again.',
  afterEnd:
    'The server sent this tool call after it had marked the end of the answer. It was not executed. Call it again.',
  unfinished:
    'The answer ended before the arguments of this tool call were complete. It was not executed. Call it again.',
} as const;

class PendingCall {
  readonly block: number;
  readonly index: number | undefined;
  name = '';
  serverId: string | undefined;
  /** Our id, from the start of the call. */
  id: string | undefined;
  isBeforeLoss = false;
  /** Why the call must not be executed. */
  damage: string | undefined;
  /** The arguments, read as new pieces. Joined when needed: a string that grows by pieces costs more for each. */
  #pieces: string[] = [];
  /** How many of them the balance has read. */
  #balanced = 0;
  /** The last chunk, while each extends the one before. */
  #snapshot: string | undefined;
  #snapshots = 0;
  #isIncremental = false;
  #object: JsonObject | undefined;
  #balance = new JsonBalance();

  constructor(block: number, index: number | undefined) {
    this.block = block;
    this.index = index;
  }

  get hasArguments(): boolean {
    return this.#object !== undefined || this.#pieces.length > 0;
  }

  get text(): string {
    if (this.#object) return JSON.stringify(this.#object);
    return (this.#snapshots > 0 ? this.#snapshot : undefined) ?? this.#pieces.join('');
  }

  /** Takes a piece, a snapshot or an object. Returns the new text. */
  addArguments(value: unknown): string {
    if (isJsonObject(value)) {
      const isFirst = this.#object === undefined;
      this.#object = value;
      return isFirst && Object.keys(value).length > 0 ? JSON.stringify(value) : '';
    }
    if (typeof value !== 'string' || value === '') return '';
    if (this.#isIncremental) {
      this.#pieces.push(value);
      return value;
    }
    const last = this.#snapshot;
    this.#snapshot = value;
    if (last === undefined) {
      this.#pieces.push(value);
      return value;
    }
    if (value.startsWith(last)) {
      this.#snapshots++;
      // Two extensions in a row are proof: a piece of JSON cannot start with all of the text before it again.
      if (this.#snapshots < 2) this.#pieces.push(value);
      return value.slice(last.length);
    }
    if (this.#snapshots >= 2) this.#pieces = [last];
    this.#pieces.push(value);
    this.#isIncremental = true;
    this.#snapshot = undefined;
    this.#snapshots = 0;
    this.#balance = new JsonBalance();
    this.#balanced = 0;
    return value;
  }

  isComplete(): boolean {
    if (this.#object) return true;
    if (this.#snapshots > 0) return this.parse(false).ok;
    while (this.#balanced < this.#pieces.length) this.#balance.feed(this.#pieces[this.#balanced++] ?? '');
    return this.#balance.isClosed;
  }

  /** Whether nothing of the arguments is missing, or else their own error says what is wrong. */
  isWhole(finishReason: FinishReason | undefined): boolean {
    if (this.isComplete()) return true;
    if (finishReason !== 'stop' && finishReason !== 'calls') return false;
    if (this.parse(false).ok) return true;
    const missing = missingBrackets(this.text) ?? 0;
    return missing <= (finishReason === 'calls' ? 1 : 0);
  }

  parse(isLenient: boolean): ReturnType<typeof parseToolArguments> {
    if (this.#object) return parseToolArguments(this.#object, { lenient: isLenient });
    const asSnapshot = this.#snapshots > 0 && this.#snapshot !== undefined ? this.#snapshot : undefined;
    // At most one reading is valid JSON, because brackets cannot balance in both.
    if (asSnapshot !== undefined && this.#snapshots < 2) {
      const incremental = parseToolArguments(this.#pieces.join(''), { lenient: false });
      if (incremental.ok) return incremental;
    }
    const { text } = this;
    const newest = asSnapshot ?? this.#pieces.at(-1) ?? '';
    return parseToolArguments(wholeOfRepeated(text, newest) ?? text, { lenient: isLenient });
  }
}

/**
 * Some parsers of vLLM send the arguments in pieces, and then all of them once more. `undefined`: nothing is repeated. The repetition
 * must be valid, and begin as the pieces do.
 */
function wholeOfRepeated(text: string, newest: string): string | undefined {
  const before = text.slice(0, text.length - newest.length).trim();
  if (before === '' || !newest.trimStart().startsWith('{') || parseJson(text) !== undefined) return undefined;
  const whole = newest.trim();
  const key = /^\{\s*"[^"]+"\s*:/.exec(whole)?.[0];
  return key !== undefined && before.startsWith(key) && isJsonObject(parseJson(whole)) ? whole : undefined;
}

/** Some servers send an empty id, or a word for none. */
function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'null' && value !== 'None' ? value : undefined;
}

function indexOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
}

function isEmptyArgument(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
