import { renamedTo } from '../../format/toolTitle';
import type { ThinkingItem, ToolItem, ViewItem } from '../../../agent/view/sessionView';

/** One line for cards that only read, and for the thoughts between them. */
export interface ReadingsRow {
  readonly kind: 'readings';
  /** Of its first card. */
  readonly id: string;
  readonly cards: readonly (ToolItem | ThinkingItem)[];
  /** Its cards follow it as rows of their own. */
  readonly isOpen: boolean;
}

/** What has a place in the list: an item, or the line of folded cards. */
export type Row = ViewItem | ReadingsRow;

interface FoldOptions {
  /** The person has opened the line that begins with the card `id`. */
  readonly isOpen: (id: string) => boolean;
  /** The card stays as it is, because the person looks at it. */
  readonly isHeld: (item: ViewItem) => boolean;
  /** A run goes on: its newest card stays. */
  readonly isRunning: boolean;
}

/** The tools that only read. */
const readingTools: ReadonlySet<string> = new Set([
  'read_file',
  'list_directory',
  'search_text',
  'find_symbol',
  'get_diagnostics',
]);
const MIN_CARDS = 2;

/** The rows of a conversation: consecutive cards that have read without a question and without an error become one. */
export function foldRows(items: readonly ViewItem[], options: FoldOptions): readonly Row[] {
  const rows: Row[] = [];
  const end = options.isRunning ? items.length - 1 : items.length;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (item === undefined) break;
    const next = isReading(item) ? endOfReadings(items, index, end, options.isHeld) : index + 1;
    const cards = next > index + 1 ? items.slice(index, next).filter(isCard) : [];
    if (cards.filter(({ kind }) => kind === 'tool').length < MIN_CARDS) {
      rows.push(item);
      continue;
    }
    const isOpen = options.isOpen(item.id);
    rows.push({ kind: 'readings', id: item.id, cards, isOpen });
    if (isOpen) for (const card of cards) rows.push(card);
    index = next - 1;
  }
  return rows;
}

/** The index after the last card that belongs to the cards from `start` on. */
function endOfReadings(items: readonly ViewItem[], start: number, end: number, isHeld: FoldOptions['isHeld']): number {
  let next = start;
  for (let index = start; index < end; index += 1) {
    const item = items[index];
    if (item === undefined || (!isReading(item) && !isThought(item)) || isHeld(item)) break;
    if (item.kind === 'tool') next = index + 1;
  }
  return next;
}

function isCard(item: ViewItem): item is ToolItem | ThinkingItem {
  return item.kind === 'tool' || item.kind === 'thinking';
}

function isThought(item: ViewItem): boolean {
  return item.kind === 'thinking' && !item.isStreaming;
}

function isReading(item: ViewItem): item is ToolItem {
  return (
    item.kind === 'tool' &&
    item.state === 'succeeded' &&
    item.approval === undefined &&
    item.approvalOutcome === undefined &&
    readingTools.has(item.toolName) &&
    renamedTo(item.input) === undefined
  );
}
