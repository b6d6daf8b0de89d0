import type { Disposable } from '../../../util/disposable';

const INTERVAL_MS = 100;
/** A screen shows only the newest output, so older pending output is dropped. */
const MAX_PENDING_CHARS = 8000;

/** Passes on the output of a command: at once after a pause, else collected every 100 ms. */
export class LiveOutput implements Disposable {
  readonly #show: (output: string) => void;
  #pending = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(show: (output: string) => void) {
    this.#show = show;
  }

  append(text: string): void {
    this.#pending += text;
    if (this.#pending.length > MAX_PENDING_CHARS) this.#pending = `…${this.#pending.slice(-MAX_PENDING_CHARS)}`;
    if (!this.#timer) this.#flush();
  }

  /** Passes on the rest. */
  dispose(): void {
    clearTimeout(this.#timer);
    if (this.#pending !== '') this.#show(this.#pending);
    this.#pending = '';
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#pending === '') return;
    const output = this.#pending;
    this.#pending = '';
    this.#timer = setTimeout(() => this.#flush(), INTERVAL_MS);
    this.#show(output);
  }
}
