import type { AssistantMessage, Usage } from '../../../sdk/messages';
import type { EntryOf, SessionEntry } from '../../../sdk/session/entries';
import { changed } from '../../../util/changed';
import type { ToolItem, ViewItem } from '../sessionView';
import { resultText } from './foldTools';

/** A response that is whole in a file: the items of its message, and how its calls ended. */
export interface WholeResponse {
  readonly items: readonly ViewItem[];
  readonly usage: Usage | undefined;
  /** The index of the first entry after it. */
  readonly next: number;
}

/**
 * Reads a response at once: what was kept while it streamed, its message, and the entries of its calls right behind it. To
 * fold the events of each takes several times as long, and nearly all responses of a file are whole. `undefined`: this one
 * has to be folded. `itemsBefore`: the items of the session before it, without notices.
 */
export function readWholeResponse(
  branch: readonly SessionEntry[],
  index: number,
  itemsBefore: number,
): WholeResponse | undefined {
  const streamed = readPartials(branch, index);
  if (!streamed) return undefined;
  const entry = branch[streamed.next];
  if (entry?.type !== 'assistant_message' || entry.isBridge === true || isCut(entry)) return undefined;
  const { content, usage, ts } = entry;
  const calls = readCalls(branch, streamed.next + 1, content);
  if (!calls) return undefined;
  const items: ViewItem[] = [];
  let lastText = -1;
  for (const [place, block] of content.entries()) {
    const id = `${itemsBefore}:${place}`;
    if (block.type === 'tool_use') {
      const item = calls.items.get(block.id);
      if (item) items.push(item);
    } else if (block.type === 'tool_use_error') {
      return undefined;
    } else if (block.text.trim() !== '') {
      const { text } = block;
      if (block.type === 'text') lastText = items.push({ kind: 'text', id, text, isStreaming: false }) - 1;
      else items.push({ kind: 'thinking', id, text, isStreaming: false, ...thinkingTimes(streamed, place, ts) });
    }
  }
  const text = items[lastText];
  if (text?.kind === 'text' && usage?.writtenPerSecond !== undefined)
    items[lastText] = { ...text, tokensPerSecond: usage.writtenPerSecond };
  return { items, usage, next: calls.next };
}

/** The blocks of a response that began while it streamed, in their order. */
interface Streamed {
  readonly blocks: readonly StreamedBlock[];
  readonly next: number;
}

interface StreamedBlock {
  readonly block: number;
  readonly type: 'text' | 'thinking';
  readonly startedMs: number;
  /** Of thinking: when the next block began. */
  endedMs: number | undefined;
}

/** `undefined`: one block has two types. */
function readPartials(branch: readonly SessionEntry[], index: number): Streamed | undefined {
  if (branch[index]?.type !== 'assistant_partial') return { blocks: NO_BLOCKS, next: index };
  const begun: StreamedBlock[] = [];
  let next = index;
  for (let entry = branch[next]; entry?.type === 'assistant_partial'; entry = branch[++next]) {
    for (const { block, type } of entry.blocks) {
      const known = begun.find((one) => one.block === block);
      if (known?.type === type) continue;
      if (known) return undefined;
      const before = begun.at(-1);
      if (before) before.endedMs = entry.ts;
      begun.push({ block, type, startedMs: entry.ts, endedMs: undefined });
    }
  }
  return { blocks: begun, next };
}

const NO_BLOCKS: readonly StreamedBlock[] = [];

function thinkingTimes(
  { blocks }: Streamed,
  place: number,
  endMs: number,
): { readonly startedMs: number; readonly endedMs: number } {
  const known = blocks.find(({ block, type }) => block === place && type === 'thinking');
  return { startedMs: known?.startedMs ?? endMs, endedMs: known?.endedMs ?? endMs };
}

interface WholeCalls {
  /** By the ids of the calls. */
  readonly items: ReadonlyMap<string, ToolItem>;
  readonly next: number;
}

/** The calls of a message. `undefined`: two have one id, or not all results are the next entries. */
function readCalls(
  branch: readonly SessionEntry[],
  index: number,
  content: AssistantMessage['content'],
): WholeCalls | undefined {
  const uses = content.filter((block) => block.type === 'tool_use');
  if (uses.length === 0) return { items: NO_CALLS, next: index };
  const starts = new Map<string, EntryOf<'tool_call'>>();
  const items = new Map<string, ToolItem>();
  let next = index;
  while (items.size < uses.length) {
    const entry = branch[next++];
    if (entry?.type === 'checkpoint' && entry.cause !== 'restore') continue;
    if (entry?.type !== 'tool_call' && entry?.type !== 'tool_result') return undefined;
    const { toolUseId: id } = entry;
    const use = uses.find((block) => block.id === id);
    if (!use || items.has(id)) return undefined;
    if (entry.type === 'tool_result') items.set(id, endedCall(use, starts.get(id), entry));
    else if (starts.has(id)) return undefined;
    else starts.set(id, entry);
  }
  return { items, next };
}

const NO_CALLS: ReadonlyMap<string, ToolItem> = new Map();

/** Written out, because Node 20 takes ten times as long to copy an object and add to it. */
function endedCall(
  { id, name, input }: Extract<AssistantMessage['content'][number], { type: 'tool_use' }>,
  start: EntryOf<'tool_call'> | undefined,
  { outcome: state, content, ts: endedMs, display, approval }: EntryOf<'tool_result'>,
): ToolItem {
  const result = resultText(content);
  const argumentsText = '';
  const liveOutput = '';
  const item: ToolItem = start
    ? {
        kind: 'tool',
        id,
        toolName: name,
        argumentsText,
        liveOutput,
        state,
        input: start.input,
        startedMs: start.ts,
        result,
        endedMs,
      }
    : { kind: 'tool', id, toolName: name, argumentsText, liveOutput, state, input, result, endedMs };
  if (display === undefined && !approval) return item;
  return changed(item, {
    ...(display !== undefined && { display }),
    ...(approval && { approvalOutcome: approval.outcome }),
    ...(approval?.reason !== undefined && { denialReason: approval.reason }),
  });
}

function isCut({ stopReason }: EntryOf<'assistant_message'>): boolean {
  return stopReason === 'interrupted' || stopReason === 'incomplete' || stopReason === 'length';
}
