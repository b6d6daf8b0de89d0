import type { ViewItem } from '../../../agent/view/sessionView';

/** The keys of the rows, made again only for items that changed. */
export class RowKeys {
  #items: readonly ViewItem[] = [];
  #keys: readonly string[] = [];
  /** The number of rows with each name. */
  readonly #counts = new Map<string, number>();

  /** A key for each item. Unique: some servers use the id of a call again. The same array when no key changed. */
  of(items: readonly ViewItem[]): readonly string[] {
    const before = this.#items;
    let same = 0;
    while (same < items.length && same < before.length && isSameRow(items[same], before[same])) same += 1;
    this.#items = items;
    if (same === items.length && same === before.length) return this.#keys;
    for (const item of before.slice(same)) this.#counts.set(nameOf(item), (this.#counts.get(nameOf(item)) ?? 1) - 1);
    const added = items.slice(same).map((item) => {
      const name = nameOf(item);
      const count = (this.#counts.get(name) ?? 0) + 1;
      this.#counts.set(name, count);
      return count === 1 ? name : `${name} (${count})`;
    });
    this.#keys = [...this.#keys.slice(0, same), ...added];
    return this.#keys;
  }
}

function isSameRow(one: ViewItem | undefined, other: ViewItem | undefined): boolean {
  return one === other || (one?.kind === other?.kind && one?.id === other?.id);
}

function nameOf({ kind, id }: ViewItem): string {
  return `${kind} ${id}`;
}
