import { PassThrough } from 'node:stream';

/** A stream that claims to be a terminal and keeps what is written to it. */
export class Screen extends PassThrough {
  readonly isTTY = true;
  text = '';
  #seen = 0;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  constructor() {
    super();
    this.on('data', (part: Buffer) => {
      this.text += part.toString('utf8');
      this.#wake?.();
    });
  }

  /**
   * Waits for words after the match of the last call. Resolves to everything written since then.
   * Rejects if the program ends first.
   */
  async shows(words: string): Promise<string> {
    const from = this.#seen;
    for (;;) {
      const at = this.text.indexOf(words, from);
      if (at >= 0) {
        this.#seen = at + words.length;
        return this.text.slice(from, this.#seen);
      }
      if (this.#hasEnded) throw new Error(`The program ended without showing ${JSON.stringify(words)}:\n${this.text}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Marks the program as ended. */
  markEnded(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }
}
