/** Keeps only the start and the end of a text that arrives in pieces. */
export class BoundedOutput {
  readonly #maxHead: number;
  readonly #maxTail: number;
  #head = '';
  #tail = '';
  #omittedBytes = 0;

  /** Limits in UTF-16 units. Holds up to twice `maxTail`. */
  constructor({ maxHead, maxTail }: { readonly maxHead: number; readonly maxTail: number }) {
    this.#maxHead = maxHead;
    this.#maxTail = maxTail;
  }

  append(text: string): void {
    const room = this.#tail === '' ? this.#maxHead - this.#head.length : 0;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    if (this.#tail.length > 2 * this.#maxTail) this.#trimTail();
  }

  /** Head, a line about the missing part, tail; or the whole text. `whole`: where the whole text is, for that line. */
  finish(whole?: string): { readonly output: string; readonly omittedBytes: number } {
    this.#trimTail();
    if (this.#omittedBytes === 0) return { output: this.#head + this.#tail, omittedBytes: 0 };
    const where = whole === undefined ? '' : `; all of it: read_file "${whole}"`;
    const gap = `\n[… ${this.#omittedBytes} bytes left out${where} …]\n`;
    return { output: this.#head + gap + this.#tail, omittedBytes: this.#omittedBytes };
  }

  #trimTail(): void {
    let cut = this.#tail.length - this.#maxTail;
    if (cut <= 0) return;
    // Does not split a surrogate pair.
    if (/[\udc00-\udfff]/.test(this.#tail.charAt(cut))) cut++;
    this.#omittedBytes += Buffer.byteLength(this.#tail.slice(0, cut));
    this.#tail = this.#tail.slice(cut);
  }
}
