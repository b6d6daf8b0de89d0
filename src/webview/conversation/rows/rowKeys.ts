import type { Row } from './foldRows';

/** The keys of the rows, made again only for rows that changed. */
export class RowKeys {
  #rows: readonly Row[] = [];
  #keys: readonly string[] = [];
  /** The number of rows with each name. */
  readonly #counts = new Map<string, number>();

  /** A key for each row. Unique: some servers use the id of a call again. The same array when no key changed. */
  of(rows: readonly Row[]): readonly string[] {
    const before = this.#rows;
    if (rows === before) return this.#keys;
    let same = 0;
    while (same < rows.length && same < before.length && isSameRow(rows[same], before[same])) same += 1;
    this.#rows = rows;
    if (same === rows.length && same === before.length) return this.#keys;
    for (const row of before.slice(same)) this.#counts.set(nameOf(row), (this.#counts.get(nameOf(row)) ?? 1) - 1);
    const added = rows.slice(same).map((row) => {
      const name = nameOf(row);
      const count = (this.#counts.get(name) ?? 0) + 1;
      this.#counts.set(name, count);
      return count === 1 ? name : `${name} (${count})`;
    });
    this.#keys = [...this.#keys.slice(0, same), ...added];
    return this.#keys;
  }
}

function isSameRow(one: Row | undefined, other: Row | undefined): boolean {
  return one === other || (one?.kind === other?.kind && one?.id === other?.id);
}

/** Unique, unless an id is used again. */
export function nameOf({ kind, id }: Row): string {
  return `${kind} ${id}`;
}
