/** The longest unit that is looked for, in characters. A longer one, said twice, is a text that was asked for twice. */
const MAX_PERIOD = 2_048;
/** Where the unit begins again is looked for by the last characters. */
const PROBE_LENGTH = 64;
const MAX_CANDIDATES = 8;
/** How much comes between two looks. */
const STRIDE = 512;

/**
 * Watches a text as it grows for an end that only repeats itself: the same characters again and again, at least three
 * times and for at least `minRepeated` characters beyond the first. Rows and lines that differ in anything are no
 * repetition. Costs the same however long the text gets.
 */
export class RepetitionWatch {
  readonly #minRepeated: number;
  readonly #parts: string[] = [];
  /** The end of what was looked at, and how many of the parts that was. */
  #tail = '';
  #seenParts = 0;
  #freshLength = 0;

  constructor(minRepeated: number) {
    this.#minRepeated = minRepeated;
  }

  /** Takes more of the text; `true` once it repeats itself. */
  push(text: string): boolean {
    this.#parts.push(text);
    this.#freshLength += text.length;
    if (this.#freshLength < STRIDE) return false;
    const tailLength = Math.max(this.#minRepeated, 2 * MAX_PERIOD) + MAX_PERIOD;
    this.#tail = (this.#tail + this.#parts.slice(this.#seenParts).join('')).slice(-tailLength);
    this.#seenParts = this.#parts.length;
    this.#freshLength = 0;
    return periodOf(this.#tail, this.#minRepeated) !== undefined;
  }

  /** All of the text. */
  get text(): string {
    return this.#parts.join('');
  }

  /** The text with one copy of what it ended in. */
  get textOnce(): string {
    const { text } = this;
    const period = periodOf(this.#tail, this.#minRepeated);
    if (period === undefined) return text;
    let start = text.length - period;
    while (start > 0 && text[start - 1] === text[start - 1 + period]) start -= 1;
    return text.slice(0, start + period).toWellFormed();
  }
}

/** The length of the unit the text ends in repeating, if it does. */
function periodOf(text: string, minRepeated: number): number | undefined {
  const probe = text.slice(-PROBE_LENGTH);
  let from = text.length - PROBE_LENGTH - 1;
  for (let candidate = 0; candidate < MAX_CANDIDATES && from >= 0; candidate++) {
    const at = text.lastIndexOf(probe, from);
    if (at < 0) return undefined;
    const period = text.length - PROBE_LENGTH - at;
    const repeated = Math.max(minRepeated, 2 * period);
    if (period > MAX_PERIOD || repeated + period > text.length) return undefined;
    if (text.slice(-repeated) === text.slice(-repeated - period, -period)) return period;
    from = at - 1;
  }
  return undefined;
}
