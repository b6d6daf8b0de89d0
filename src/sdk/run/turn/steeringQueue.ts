/** Messages of a person to a run that is executing, until the run takes them. */
export class SteeringQueue {
  readonly #texts: string[] = [];
  #isOpen = false;

  open(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Keeps the text for `take`. Returns `false`, and keeps nothing, when no run would take it. */
  add(text: string): boolean {
    if (this.#isOpen) this.#texts.push(text);
    return this.#isOpen;
  }

  /** Removes a text that was not taken yet. Returns `false` when there is none. */
  remove(text: string): boolean {
    const index = this.#texts.indexOf(text);
    if (index >= 0) this.#texts.splice(index, 1);
    return index >= 0;
  }

  /** All messages so far as one. */
  take(): string | undefined {
    const texts = this.#texts.splice(0);
    return texts.length === 0 ? undefined : texts.join('\n\n');
  }
}
