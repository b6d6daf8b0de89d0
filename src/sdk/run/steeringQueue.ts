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

  /** All messages so far as one. */
  take(): string | undefined {
    const texts = this.#texts.splice(0);
    return texts.length === 0 ? undefined : texts.join('\n\n');
  }
}
