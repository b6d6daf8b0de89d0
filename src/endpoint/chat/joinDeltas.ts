import type { Disposable } from '../../util/disposable';
import type { ReplyPart } from './reply';

export interface JoinOptions {
  readonly write: (part: ReplyPart) => void;
  /** Calls `run` once, a moment later. */
  readonly setTimer: (run: () => void) => Disposable;
}

/** Sends the joined text at this length at the latest, in UTF-16 units. */
const MAX_LENGTH = 1_000;

/** Joins small pieces of the same kind that arrive shortly after each other. Saves a chunk per token. */
export class DeltaJoiner implements Disposable {
  readonly #options: JoinOptions;
  #kind: 'text' | 'thinking' = 'text';
  #text = '';
  #timer: Disposable | undefined;

  constructor(options: JoinOptions) {
    this.#options = options;
  }

  add(part: ReplyPart): void {
    if (part.type === 'tool') {
      this.flush();
      this.#options.write(part);
      return;
    }
    if (part.type !== this.#kind) this.flush();
    this.#kind = part.type;
    this.#text += part.text;
    if (this.#text.length >= MAX_LENGTH) this.flush();
    else this.#timer ??= this.#options.setTimer(() => this.flush());
  }

  /** Sends the joined text now. */
  flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#options.write({ type: this.#kind, text });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#text = '';
  }
}
