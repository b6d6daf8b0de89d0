import type { EntryOf } from '../../sdk/session/entries';
import type { Disposable } from '../../util/disposable';
import type { SetTimer } from '../../util/timer';

export const PARTIAL_INTERVAL_MS = 2_000;

type PartialBlock = EntryOf<'assistant_partial'>['blocks'][number];

/**
 * Collects an answer while it streams and gives it to `write` in pieces, at most one every two seconds, so that a crash
 * costs no more than that. The pieces together are as long as the answer, however long it takes.
 */
export class PartialAnswer implements Disposable {
  readonly #setTimer: SetTimer;
  readonly #write: (blocks: readonly PartialBlock[]) => void;
  readonly #blocks = new Map<number, { readonly type: 'text' | 'thinking'; text: string }>();
  #timer: Disposable | undefined;

  constructor(parts: { readonly setTimer: SetTimer; readonly write: (blocks: readonly PartialBlock[]) => void }) {
    this.#setTimer = parts.setTimer;
    this.#write = parts.write;
  }

  add(block: number, type: 'text' | 'thinking', text: string): void {
    const known = this.#blocks.get(block);
    if (known) known.text += text;
    else this.#blocks.set(block, { type, text });
    this.#timer ??= this.#setTimer(() => this.flush(), PARTIAL_INTERVAL_MS);
  }

  /** Writes what came since the last time. */
  flush(): void {
    const blocks = [...this.#blocks].map(([block, { type, text }]) => ({ block, type, text }));
    this.reset();
    if (blocks.length > 0) this.#write(blocks);
  }

  /** Forgets what was not written: the whole answer is in the history now. */
  reset(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#blocks.clear();
  }

  dispose(): void {
    this.reset();
  }
}
