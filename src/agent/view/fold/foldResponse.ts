import * as l10n from '../../../util/l10n';
import type { AgentEvent } from '../../../sdk/events';
import type { AssistantMessage, StopReason } from '../../../sdk/messages';
import { changed } from '../../../util/changed';
import { findTool, insertAt, replaceAt } from './toolPlaces';
import { firstPieceTime, responseSpeed, type ResponseSpeed } from './responseSpeed';
import type { SessionView, TextItem, ThinkingItem, ToolItem, ViewItem } from '../sessionView';

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
type Block = AssistantMessage['content'][number];

/** Adds a piece of text or thinking; the first piece makes the item. */
export function foldDelta(
  view: SessionView,
  kind: 'text' | 'thinking',
  { block, text }: { readonly block: number; readonly text: string },
  ts: number,
): SessionView {
  const response = openResponse(view);
  const id = blockId(response, block);
  const index = indexOfId(response, id);
  const item = response.items[index];
  if (item && item.kind === kind) return replaceItem(response, index, { ...item, text: item.text + text });
  const made: TextItem | ThinkingItem =
    kind === 'text'
      ? { kind, id, text, isStreaming: true, ...firstPieceTime(view.responseTimes) }
      : { kind, id, text, isStreaming: true, startedMs: ts };
  return addItem(response, made, ts);
}

/** The model begins to write a call. */
export function foldToolUseStart(view: SessionView, { id, name }: EventOf<'tool_use_start'>, ts: number): SessionView {
  return addItem(openResponse(view), newCall(id, name, { state: 'writing' }), ts);
}

export function foldToolUseDelta(view: SessionView, { id, argumentsDelta }: EventOf<'tool_use_delta'>): SessionView {
  const index = findCall(view, id);
  const item = view.items[index];
  if (item?.kind !== 'tool') return view;
  return replaceItem(view, index, { ...item, argumentsText: item.argumentsText + argumentsDelta });
}

/** A block is complete: its item shows exactly this block. */
export function foldBlockEnd(view: SessionView, { block, content }: EventOf<'block_end'>, ts: number): SessionView {
  const response = openResponse(view);
  const item = itemOf(response, content, block, ts);
  if (!item) return response;
  const index = indexOfBlock(response, content, item.id);
  return index < 0 ? addItem(response, item, ts) : replaceItem(response, index, item);
}

/**
 * The whole message replaces the streamed items. A message outside a step is not shown: the client wrote it to keep the
 * conversation well-formed.
 */
export function foldMessage(view: SessionView, event: EventOf<'assistant_message'>, ts: number): SessionView {
  if (view.responseStart === undefined) return view;
  const response = openResponse(view);
  const { content, stopReason } = event.message;
  const shown: ViewItem[] = [];
  for (const [index, block] of content.entries()) {
    const item = itemOf(response, block, index, ts);
    if (item) shown.push(item);
  }
  const items = withSpeed(markCut(shown, stopReason), responseSpeed(view.responseTimes, event.usage, ts));
  const others = response.items.slice(response.responseStart).filter(isNoAnswer);
  const { responseStart, responseTimes: _over, ...rest } = response;
  return {
    ...rest,
    items: [...response.items.slice(0, responseStart), ...items, ...others],
    ...(event.usage && { usage: event.usage }),
  };
}

/** The response ended without a message: its text stays and says `cut`, its calls are removed. */
export function abandonResponse(view: SessionView, ts: number, cut: 'interrupted' | 'incomplete'): SessionView {
  if (view.responseStart === undefined) return view;
  const { responseStart, responseTimes: _over, ...rest } = view;
  const items = view.items.slice(responseStart).flatMap((item): ViewItem[] => {
    if (item.kind === 'tool') return [];
    if (item.kind === 'thinking') return [endThinking(item, ts)];
    return [item.kind === 'text' ? { ...item, isStreaming: false, cut } : item];
  });
  return { ...rest, items: [...view.items.slice(0, responseStart), ...items] };
}

type ResponseView = SessionView & { readonly responseStart: number };

/** Also opens a response without a `step_start`. */
function openResponse(view: SessionView): ResponseView {
  return isOpen(view) ? view : (changed(view, { responseStart: view.items.length }) as ResponseView);
}

function isOpen(view: SessionView): view is ResponseView {
  return view.responseStart !== undefined;
}

/** Unique in the session, and the same each time the session is folded. */
function blockId(response: ResponseView, block: number): string {
  return `${countItems(response, response.responseStart)}:${block}`;
}

/** The items of the session before an index. Does not count notices, which come and go. */
export function countItems({ items, settledCount = 0 }: SessionView, end: number = items.length): number {
  let count = settledCount;
  for (let index = 0; index < end; index += 1) if (items[index]?.kind !== 'notice') count += 1;
  return count;
}

/** The index of the newest call with this id in the response. */
function findCall({ items, responseStart = 0 }: SessionView, toolUseId: string): number {
  const index = findTool(items, toolUseId);
  return index < responseStart ? -1 : index;
}

function indexOfId({ items, responseStart }: ResponseView, id: string): number {
  const index = items.findLastIndex((item) => item.id === id);
  return index < responseStart ? -1 : index;
}

function indexOfBlock(response: ResponseView, content: Block, id: string): number {
  if (content.type === 'tool_use') return findCall(response, content.id);
  if (content.type === 'tool_use_error' && content.toolUseId !== undefined)
    return findCall(response, content.toolUseId);
  return indexOfId(response, id);
}

/** The item of a complete block, based on the streamed item. The same object if nothing changed. */
function itemOf(response: ResponseView, content: Block, block: number, ts: number): ViewItem | undefined {
  const id = blockId(response, block);
  const before = response.items[indexOfBlock(response, content, id)];
  switch (content.type) {
    case 'text': {
      if (content.text.trim() === '') return undefined;
      const item = before?.kind === 'text' ? before : undefined;
      return item && !item.isStreaming && item.text === content.text
        ? item
        : { ...item, kind: 'text', id, text: content.text, isStreaming: false };
    }
    case 'thinking': {
      if (content.text.trim() === '') return undefined;
      const item = before?.kind === 'thinking' ? before : undefined;
      return item && !item.isStreaming && item.text === content.text
        ? item
        : endThinking({ kind: 'thinking', id, isStreaming: true, startedMs: ts, ...item, text: content.text }, ts);
    }
    case 'tool_use': {
      const { name, input } = content;
      // A question about the call may arrive before its message, because the run goes on while events are read.
      if (before?.kind === 'tool' && before.state !== 'writing') {
        return before.input === input ? before : { ...before, input };
      }
      return newCall(content.id, name, { state: 'ready', input });
    }
    case 'tool_use_error': {
      const { error, rawData = '', toolUseId = id, toolName = l10n.t('unknown tool') } = content;
      if (before?.kind === 'tool' && before.state === 'failed' && before.result === error) return before;
      return newCall(toolUseId, toolName, { state: 'failed', argumentsText: rawData, result: error });
    }
  }
}

function newCall(id: string, toolName: string, more: Pick<ToolItem, 'state'> & Partial<ToolItem>): ToolItem {
  return { kind: 'tool', id, toolName, argumentsText: '', liveOutput: '', ...more };
}

/** Adds an item of the response above later prompts of the person. Ends the thinking before it. */
function addItem(response: ResponseView, item: ViewItem, ts: number): SessionView {
  let { items } = response;
  let place = items.length;
  for (let known = items[place - 1]; known && place > response.responseStart && isNoAnswer(known);) {
    place -= 1;
    known = items[place - 1];
  }
  // An item that was added ended the thinking before it, so only the last one can go on.
  const before = items[place - 1];
  if (place > response.responseStart && before?.kind === 'thinking')
    items = replaceAt(items, place - 1, endThinking(before, ts));
  return { ...response, items: insertAt(items, place, item) };
}

function replaceItem(view: SessionView, index: number, item: ViewItem): SessionView {
  return view.items[index] === item ? view : { ...view, items: replaceAt(view.items, index, item) };
}

function endThinking(item: ThinkingItem, ts: number): ThinkingItem {
  return item.isStreaming ? { ...item, isStreaming: false, endedMs: ts } : item;
}

function isNoAnswer({ kind }: ViewItem): boolean {
  return kind === 'prompt' || kind === 'notice';
}

function markCut(items: readonly ViewItem[], stopReason: StopReason | undefined): readonly ViewItem[] {
  if (stopReason !== 'interrupted' && stopReason !== 'incomplete' && stopReason !== 'length') return items;
  const index = items.findLastIndex(({ kind }) => kind === 'text');
  const item = items[index];
  return item?.kind === 'text' ? items.with(index, { ...item, cut: stopReason }) : items;
}

/** The last text of a response shows how fast the response was. */
function withSpeed(items: readonly ViewItem[], speed: ResponseSpeed): readonly ViewItem[] {
  const index = items.findLastIndex(({ kind }) => kind === 'text');
  const item = items[index];
  if (item?.kind !== 'text') return items;
  const isKnown = item.tokensPerSecond === speed.tokensPerSecond && item.firstTokenMs === speed.firstTokenMs;
  return isKnown ? items : items.with(index, { ...item, ...speed });
}
