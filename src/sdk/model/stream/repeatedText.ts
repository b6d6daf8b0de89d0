/** The longest repeated unit, in characters. A longer one may be repeated on purpose. */
const MAX_PERIOD = 2_048;
/** The last characters, with which the start of the repetition is searched. */
const PROBE_LENGTH = 64;
const MAX_CANDIDATES = 8;
/** How many characters come between two searches. */
const STRIDE = 512;

/**
 * Watches a growing text for an end that repeats the same characters: at least three times, and for at least
 * `minRepeated` characters after the first. Lines that differ in any way are no repetition. The cost of each push does
 * not depend on the length of the text.
 */
export class RepetitionWatch {
  readonly #minRepeated: number;
  readonly #parts: string[] = [];
  /** The end of the searched text, and the number of its parts. */
  #tail = '';
  #seenParts = 0;
  #freshLength = 0;

  constructor(minRepeated: number) {
    this.#minRepeated = minRepeated;
  }

  /** Takes more of the text. Returns `true` once it repeats itself. */
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

  /** The text with one copy of the repeated end. */
  get textOnce(): string {
    const { text } = this;
    const period = periodOf(this.#tail, this.#minRepeated);
    if (period === undefined) return text;
    let start = text.length - period;
    while (start > 0 && text[start - 1] === text[start - 1 + period]) start -= 1;
    return text.slice(0, start + period).toWellFormed();
  }
}

/** The length of the unit that the text repeats at its end. */
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
