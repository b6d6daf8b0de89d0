import { runAtOnce, runInSlices, PIECES_OF_STEP, type Steps } from '../../util/slices/steps';
import { assertNever } from '../../util/assertNever';
import { applyCompaction } from '../context/applyCompaction';
import type { AssistantMessage, ImagePart, Message, ToolResultBlock } from '../messages';
import type { EntryOf, SessionEntry } from './entries';
import { contentOfEntry, imagesOfResult, type ImageOf } from './images/imageStore';
import type { StoredImage } from './images/storedImage';

/** What the entries of a session leave behind. */
export interface Replay {
  /** The history for a new client. Every call has exactly one result, right after it. */
  readonly messages: readonly Message[];
  /** The last run or prompt has no end on file, because the window closed or the process died. */
  readonly isUnfinished: boolean;
}

export const OUTCOME_UNKNOWN =
  'The outcome of this call is unknown: the session ended while it was running. It was not run again. ' +
  'Check what it has done before you go on.';

export const NOT_STARTED = 'This call was not run: the session ended before it started.';

/**
 * The history of the model from the start to `leafId`, by default the newest entry. Depends on the entries, and on the images
 * that `imageOf` finds. An image that it does not find is replaced by a note.
 */
export function replayMessages(
  entries: readonly SessionEntry[],
  leafId?: string,
  imageOf: (image: StoredImage) => ImagePart | undefined = () => undefined,
): Replay {
  return runAtOnce(replaySteps(branchOf(entries, leafId), imageOf));
}

/** As `replayMessages`, without blocking for long. Entries that are added meanwhile do not count. */
export async function replayInSlices(
  entries: readonly SessionEntry[],
  imageOf: ImageOf = () => undefined,
): Promise<Replay> {
  return runInSlices(replaySteps(branchOf([...entries]), imageOf));
}

function* replaySteps(branch: readonly SessionEntry[], imageOf: ImageOf): Steps<Replay> {
  const replay = new HistoryBuilder(imageOf);
  let index = 0;
  for (const entry of branch) {
    replay.add(entry);
    if (index++ % PIECES_OF_STEP === 0) yield;
  }
  return replay.end();
}

/** The id of the first kept entry for a `compaction` that keeps this many of the newest messages; `null` for none. */
export function firstKeptEntryId(entries: readonly SessionEntry[], keptMessages: number): string | null {
  if (keptMessages === 0) return null;
  const replay = new HistoryBuilder(() => undefined);
  for (const entry of branchOf(entries)) replay.add(entry);
  return replay.entryIdOf(replay.end().messages.length - keptMessages) ?? null;
}

/** The entries from the first one to `leafId`, by default the newest, without other branches. */
export function branchOf(entries: readonly SessionEntry[], leafId = entries.at(-1)?.id): readonly SessionEntry[] {
  if (leafId === entries.at(-1)?.id && isOneLine(entries)) return entries;
  const indexes = new Map(entries.map(({ id }, index) => [id, index]));
  const branch: SessionEntry[] = [];
  let index = leafId === undefined ? undefined : indexes.get(leafId);
  while (index !== undefined) {
    const entry = entries[index] as SessionEntry;
    branch.push(entry);
    const parent: number | undefined = entry.parentId === null ? undefined : indexes.get(entry.parentId);
    // A parent is older than its child, so there are no cycles.
    index = parent !== undefined && parent < index ? parent : undefined;
  }
  return branch.reverse();
}

/** Whether there are no branches, as in most sessions. */
function isOneLine(entries: readonly SessionEntry[]): boolean {
  let before: string | null = null;
  for (const { id, parentId } of entries) {
    if (parentId !== before) return false;
    before = id;
  }
  return true;
}

interface OpenCall {
  readonly toolUseId: string;
  readonly toolName: string | undefined;
  isStarted: boolean;
  result: ToolResultBlock | undefined;
}

/** Builds the messages and closes what a missing end left open. */
class HistoryBuilder {
  #messages: { readonly message: Message; readonly entryIndex: number }[] = [];
  readonly #ids: string[] = [];
  /** The indexes of the first of these ids. Most sessions need none. */
  readonly #indexes = new Map<string, number>();
  #indexedCount = 0;
  #calls: OpenCall[] = [];
  #partial = new PartialBlocks();
  #isRunning = false;
  readonly #imageOf: ImageOf;

  constructor(imageOf: ImageOf) {
    this.#imageOf = imageOf;
  }

  add(entry: SessionEntry): void {
    this.#ids.push(entry.id);
    switch (entry.type) {
      case 'user_message':
        this.#close();
        this.#isRunning = true;
        // Several steering messages were sent as one. The other entries are only for people.
        if (entry.content !== '' || entry.images)
          this.#push({ role: 'user', content: contentOfEntry(entry, this.#imageOf) });
        return;
      case 'assistant_message':
        this.#partial.clear();
        this.#close();
        this.#calls = callsOf(entry);
        return this.#push({
          role: 'assistant',
          content: entry.content,
          ...(entry.stopReason !== undefined && { stopReason: entry.stopReason }),
        });
      case 'assistant_partial':
        this.#closeCalls();
        return this.#partial.add(entry);
      case 'tool_call':
        for (const call of this.#calls) if (call.toolUseId === entry.toolUseId) call.isStarted = true;
        return;
      case 'tool_result':
        return this.#addResult(entry);
      case 'status_update':
        // The run has ended, so streamed text that it did not keep is not part of the history.
        // Calls stay open when a run begins: a run that was resumed gives their results.
        if (entry.status !== 'RUNNING') this.#partial.clear();
        else this.#closePartial();
        this.#isRunning = entry.status === 'RUNNING';
        return;
      case 'compaction':
        return this.#compact(entry);
      case 'epoch':
        if (!entry.omitsHistory) return;
        this.#close();
        this.#messages = [];
        return;
      case 'system_message':
      case 'error':
      case 'checkpoint':
      case 'title':
      case 'run_summary':
      case 'waiting_prompt':
      case 'unknown':
        return;
      default:
        return assertNever(entry);
    }
  }

  end(): Replay {
    this.#close();
    return { messages: this.#messages.map(({ message }) => message), isUnfinished: this.#isRunning };
  }

  #push(message: Message): void {
    this.#messages.push({ message, entryIndex: this.#ids.length - 1 });
  }

  /** Ignores a result without an open call: the model never saw that call. */
  #addResult(entry: EntryOf<'tool_result'>): void {
    const { toolUseId, toolName, content, isError } = entry;
    const call = this.#calls.find((open) => open.toolUseId === toolUseId && !open.result);
    if (!call) return;
    const images = imagesOfResult(entry, this.#imageOf);
    call.result = {
      type: 'tool_result',
      toolUseId,
      ...(toolName !== undefined && { toolName }),
      content,
      ...(images.length > 0 && { images }),
      isError,
    };
    if (this.#calls.every(({ result }) => result)) this.#closeCalls();
  }

  #close(): void {
    this.#closeCalls();
    this.#closePartial();
  }

  #closePartial(): void {
    const message = this.#partial.toMessage();
    this.#partial.clear();
    if (message) this.#push(message);
  }

  #closeCalls(): void {
    for (const call of this.#calls) this.#push({ role: 'tool', content: call.result ?? lostResult(call) });
    this.#calls = [];
  }

  #compact({ summary, firstKeptId, maxResultCharacters, dropsImages }: EntryOf<'compaction'>): void {
    this.#close();
    const before = this.#messages;
    const firstKept = firstKeptId === null ? Infinity : (this.#indexOf(firstKeptId) ?? Infinity);
    const kept = before.filter(({ entryIndex }) => entryIndex >= firstKept);
    const messages = applyCompaction(
      before.map(({ message }) => message),
      { summary, keptMessages: kept.length, maxResultCharacters, dropsImages },
    );
    const added = messages.length - kept.length;
    const ownIndex = this.#ids.length - 1;
    this.#messages = messages.map((message, index) => ({
      message,
      entryIndex: index < added ? ownIndex : (kept[index - added]?.entryIndex ?? ownIndex),
    }));
  }

  #indexOf(id: string): number | undefined {
    for (; this.#indexedCount < this.#ids.length; this.#indexedCount += 1)
      this.#indexes.set(this.#ids[this.#indexedCount] as string, this.#indexedCount);
    return this.#indexes.get(id);
  }

  /** The id of the entry behind a message. Messages of one entry share it. */
  entryIdOf(messageIndex: number): string | undefined {
    this.#close();
    const entryIndex = this.#messages[messageIndex]?.entryIndex;
    return this.#ids[entryIndex ?? -1];
  }
}

/** The pieces of an answer that did not become a message. */
class PartialBlocks {
  readonly #blocks = new Map<number, { readonly type: 'text' | 'thinking'; text: string }>();

  clear(): void {
    // Clearing makes a new table, also where nothing is in the old one.
    if (this.#blocks.size > 0) this.#blocks.clear();
  }

  add({ blocks }: EntryOf<'assistant_partial'>): void {
    for (const { block, type, text } of blocks) {
      const known = this.#blocks.get(block);
      if (known) known.text += text;
      else this.#blocks.set(block, { type, text });
    }
  }

  /** The answer so far; `undefined` before its first word. The prompt is then simply unanswered. */
  toMessage(): AssistantMessage | undefined {
    if (this.#blocks.size === 0) return undefined;
    const content = [...this.#blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
    const hasText = content.some(({ type, text }) => type === 'text' && text.trim() !== '');
    return hasText ? { role: 'assistant', content, stopReason: 'interrupted' } : undefined;
  }
}

function callsOf({ content }: EntryOf<'assistant_message'>): OpenCall[] {
  const calls: OpenCall[] = [];
  for (const block of content) {
    if (block.type === 'tool_use')
      calls.push({ toolUseId: block.id, toolName: block.name, isStarted: false, result: undefined });
    if (block.type === 'tool_use_error' && block.toolUseId !== undefined)
      calls.push({ toolUseId: block.toolUseId, toolName: block.toolName, isStarted: false, result: undefined });
  }
  return calls;
}

function lostResult({ toolUseId, toolName, isStarted }: OpenCall): ToolResultBlock {
  return {
    type: 'tool_result',
    toolUseId,
    ...(toolName !== undefined && { toolName }),
    content: isStarted ? OUTCOME_UNKNOWN : NOT_STARTED,
    isError: true,
  };
}
