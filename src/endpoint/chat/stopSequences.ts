/** Cuts a text that comes in pieces before the first of some sequences. Holds back what may be the begin of one. */
export class StopSequences {
  readonly #sequences: readonly string[];
  #held = '';
  #hasStopped = false;

  /** Without sequences every text passes at once. */
  constructor(sequences: readonly string[]) {
    this.#sequences = sequences;
  }

  /** A sequence has come: all text after it is left out. */
  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  /** Returns the text that cannot be part of a sequence. */
  take(piece: string): string {
    if (this.#hasStopped) return '';
    const text = this.#held + piece;
    const ends = this.#sequences.map((sequence) => text.indexOf(sequence)).filter((index) => index >= 0);
    if (ends.length > 0) {
      this.#hasStopped = true;
      this.#held = '';
      return text.slice(0, Math.min(...ends));
    }
    const kept = text.length - Math.max(0, ...this.#sequences.map((sequence) => overlap(text, sequence)));
    this.#held = text.slice(kept);
    return text.slice(0, kept);
  }

  /** Returns the text that was held back, at the end of the answer. */
  rest(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

/** How many characters at the end of the text are the begin of the sequence. */
function overlap(text: string, sequence: string): number {
  let length = Math.min(text.length, sequence.length - 1);
  while (length > 0 && !text.endsWith(sequence.slice(0, length))) length -= 1;
  return length;
}
