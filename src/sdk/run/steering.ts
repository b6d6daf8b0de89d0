/** What a person says to a run that is already going, until the run takes it. */
export class Steering {
  readonly #texts: string[] = [];
  #isOpen = false;

  open(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Keeps the text for `take`; `false` when no run would take it, and then nothing is kept. */
  add(text: string): boolean {
    if (this.#isOpen) this.#texts.push(text);
    return this.#isOpen;
  }

  /** Everything said so far as one message. */
  take(): string | undefined {
    const texts = this.#texts.splice(0);
    return texts.length === 0 ? undefined : texts.join('\n\n');
  }
}
