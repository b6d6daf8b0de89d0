import type { SessionView, ViewItem } from '../sessionView';

/**
 * Where the newest item of each call is in a list of items. A list never changes, so its places are found once and handed on to the list
 * made of it. Without them, each event of a response with thousands of calls would look through all of them.
 */
const knownPlaces = new WeakMap<readonly ViewItem[], Map<string, number>>();

/** Lists up to this length are searched without a map. */
const SHORT = 50;

/** The index of the newest call with this id, or -1. Some servers use an id again in a later response. */
export function findTool(items: readonly ViewItem[], toolUseId: string): number {
  if (items.length <= SHORT) return items.findLastIndex((item) => isTool(item, toolUseId));
  const known = knownPlaces.get(items);
  const place = known?.get(toolUseId);
  if (known && place === undefined) return -1;
  if (place !== undefined && isTool(items[place], toolUseId)) return place;
  return placesIn(items).get(toolUseId) ?? -1;
}

/** The items with another one at an index. */
export function replaceAt(items: readonly ViewItem[], index: number, item: ViewItem): readonly ViewItem[] {
  const next = items.with(index, item);
  const known = knownPlaces.get(items);
  if (known && (item.kind !== 'tool' || isTool(items[index], item.id))) knownPlaces.set(next, known);
  return next;
}

/** The items with one more at an index. */
export function insertAt(items: readonly ViewItem[], index: number, item: ViewItem): readonly ViewItem[] {
  const next = items.toSpliced(index, 0, item);
  const known = knownPlaces.get(items);
  // Between others, the places behind it change.
  if (known && index === items.length) {
    knownPlaces.set(next, known);
    // The list before does not have this item: `findTool` notices, and looks again.
    if (item.kind === 'tool') known.set(item.id, index);
  }
  return next;
}

/** The view with another item in the place of the newest call with this id. */
export function changeTool(
  view: SessionView,
  toolUseId: string,
  change: (item: Extract<ViewItem, { kind: 'tool' }>) => ViewItem,
): SessionView {
  const index = findTool(view.items, toolUseId);
  const item = view.items[index];
  return item?.kind === 'tool' ? { ...view, items: replaceAt(view.items, index, change(item)) } : view;
}

function placesIn(items: readonly ViewItem[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, item] of items.entries()) if (item.kind === 'tool') places.set(item.id, index);
  knownPlaces.set(items, places);
  return places;
}

function isTool(item: ViewItem | undefined, id: string): boolean {
  return item?.kind === 'tool' && item.id === id;
}
