/** Finds the end of the outermost object or array in JSON that arrives in pieces. Reads every character once. */
export class JsonBalance {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isClosed = false;

  /** Whether the last bracket of an object or array has come. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes the next piece. Returns the index after the closing bracket, or -1 when the piece does not have it. */
  feed(piece: string): number {
    if (this.#isClosed) return -1;
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i);
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === BACKSLASH) this.#isEscaped = true;
        else if (code === QUOTE) this.#isInString = false;
      } else if (code === QUOTE) this.#isInString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth++;
      else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && this.#depth > 0 && --this.#depth === 0) {
        this.#isClosed = true;
        return i + 1;
      }
    }
    return -1;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
