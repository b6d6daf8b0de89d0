import type { Disposable } from '../../util/disposable';
import type { SetTimer } from '../../util/timer';
import type { EntryOf } from './entries';

const PARTIAL_INTERVAL_MS = 1_000;

type PartialBlock = EntryOf<'assistant_partial'>['blocks'][number];

/**
 * Collects an answer while it streams and gives it to `write` in pieces, at most one a second. A crash loses no more
 * than that. The pieces together are as long as the answer. When the window closes, `agent/session/agentSession.ts`
 * calls `flush` first.
 */
export class PartialAnswer implements Disposable {
  readonly #setTimer: SetTimer;
  readonly #write: (blocks: readonly PartialBlock[]) => void;
  readonly #blocks = new Map<number, { readonly type: 'text' | 'thinking'; text: string }>();
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(parts: { readonly setTimer: SetTimer; readonly write: (blocks: readonly PartialBlock[]) => void }) {
    this.#setTimer = parts.setTimer;
    this.#write = parts.write;
  }

  add(block: number, type: 'text' | 'thinking', text: string): void {
    if (this.#isDisposed) return;
    const known = this.#blocks.get(block);
    if (known) known.text += text;
    else this.#blocks.set(block, { type, text });
    this.#timer ??= this.#setTimer(() => this.flush(), PARTIAL_INTERVAL_MS);
  }

  /** Writes the text since the last write. */
  flush(): void {
    const blocks = [...this.#blocks].map(([block, { type, text }]) => ({ block, type, text }));
    this.reset();
    if (blocks.length > 0) this.#write(blocks);
  }

  /** Forgets the unwritten text: the history has the whole answer now. */
  reset(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#blocks.clear();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.reset();
  }
}
