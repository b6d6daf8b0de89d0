import { PassThrough } from 'node:stream';

/** A stream that takes itself for a terminal and remembers what was written to it. */
export class Screen extends PassThrough {
  readonly isTTY = true;
  text = '';
  #seen = 0;
  #wake: (() => void) | undefined;

  constructor() {
    super();
    this.on('data', (part: Buffer) => {
      this.text += part.toString('utf8');
      this.#wake?.();
    });
  }

  /** Waits until these words have been written after the last ones waited for, and answers what was written until then. */
  async shows(words: string): Promise<string> {
    const from = this.#seen;
    for (;;) {
      const at = this.text.indexOf(words, from);
      if (at >= 0) {
        this.#seen = at + words.length;
        return this.text.slice(from, this.#seen);
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
