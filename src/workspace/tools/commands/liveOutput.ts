import type { Disposable } from '../../../util/disposable';

const INTERVAL_MS = 100;
/** What a screen shows of a running command is its newest output; a flood in between is not passed on. */
const MAX_PENDING_CHARS = 8000;

/** Passes on what a command prints: at once after a pause, else gathered, so that a flood does not bury its listener. */
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
