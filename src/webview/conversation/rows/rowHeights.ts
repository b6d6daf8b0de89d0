/**
 * The heights of the rows of a list, in pixels: measured, or estimated until then. A row that leaves the page keeps its
 * measured height. Sums are computed again only from the first changed row on.
 */
export class RowHeights {
  readonly #estimate: (key: string) => number;
  readonly #measured = new Map<string, number>();
  #keys: readonly string[] = [];
  /** The top of each row, and the height of the list at the end. */
  #tops = new Float64Array(1);
  /** The last index of `#tops` that holds. */
  #valid = 0;

  constructor(estimate: (key: string) => number) {
    this.#estimate = estimate;
  }

  /** The keys are unique. */
  setKeys(keys: readonly string[]): void {
    if (keys === this.#keys) return;
    let same = 0;
    while (same < keys.length && keys[same] === this.#keys[same]) same += 1;
    this.#keys = keys;
    this.#valid = Math.min(this.#valid, same);
    if (this.#tops.length > keys.length) return;
    const tops = new Float64Array(keys.length * 2 + 1);
    tops.set(this.#tops.subarray(0, this.#valid + 1));
    this.#tops = tops;
  }

  /** Sets the measured height of the row at `index`. Returns whether it is new. */
  measure(index: number, height: number): boolean {
    const key = this.#keys[index];
    if (key === undefined || this.#measured.get(key) === height) return false;
    this.#measured.set(key, height);
    this.#valid = Math.min(this.#valid, index);
    return true;
  }

  /** The top of the row at `index`. The number of rows: the height of the list. */
  top(index: number): number {
    for (let row = this.#valid; row < index; row += 1) {
      const key = this.#keys[row] ?? '';
      this.#tops[row + 1] = (this.#tops[row] ?? 0) + (this.#measured.get(key) ?? this.#estimate(key));
    }
    this.#valid = Math.max(this.#valid, index);
    return this.#tops[index] ?? 0;
  }

  get total(): number {
    return this.top(this.#keys.length);
  }

  /** The row at the height `y`, or the nearest. The last of rows without a height. */
  at(y: number): number {
    let low = 0;
    let high = this.#keys.length - 1;
    this.top(this.#keys.length);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.top(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }
}
