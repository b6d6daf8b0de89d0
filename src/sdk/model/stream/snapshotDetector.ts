/**
 * Tells streams whose every chunk repeats the whole text so far from those that send only what is new, without eating
 * text that merely repeats itself: `"ha", "ha", "!"` is `haha!`.
 *
 * Nothing is decided by one resemblance. Chunks are held back while each extends the one before it, which in a stream of
 * new pieces ends almost at once (there the whole text would have to double with every chunk), and a chunk that is only
 * a repetition of the one before it counts for neither side.
 */
export class SnapshotDetector {
  #mode: 'undecided' | 'incremental' | 'snapshots' = 'undecided';
  /** Chunks in doubt; the first was shown and leaves an empty place. */
  #held: string[] = [];
  #first = '';
  #last = '';
  #evidence = 0;

  /** Takes the next chunk; returns the text that is new, empty while that is not known. */
  push(chunk: string): string {
    if (this.#mode === 'incremental' || chunk === '') return chunk;
    if (this.#mode === 'snapshots') return this.#extend(chunk);
    if (!chunk.startsWith(this.#last)) return this.#settleIncremental(chunk);

    const isFirst = this.#held.length === 0;
    if (!isFirst && isNewsAfter(this.#last, chunk)) this.#evidence++;
    this.#last = chunk;
    if (isFirst) {
      // Shown at once; only what follows it may be in doubt.
      this.#held.push('');
      this.#first = chunk;
      return chunk;
    }
    this.#held.push(chunk);
    if (this.#evidence >= 2) return this.#settleSnapshots();
    return this.#held.length < MAX_HELD ? '' : this.#settle();
  }

  /** What was held back when the stream ends. */
  end(): string {
    return this.#mode !== 'undecided' || this.#held.length < 2 ? '' : this.#settle();
  }

  /** Decides by the little there is. */
  #settle(): string {
    const isLikely = this.#evidence > 0 && this.#first.trim().length >= MIN_CERTAIN_LENGTH;
    return isLikely ? this.#settleSnapshots() : this.#settleIncremental('');
  }

  #settleIncremental(chunk: string): string {
    this.#mode = 'incremental';
    const text = this.#held.join('') + chunk;
    this.#held = [];
    return text;
  }

  #settleSnapshots(): string {
    this.#mode = 'snapshots';
    this.#held = [];
    return this.#last.slice(this.#first.length);
  }

  #extend(chunk: string): string {
    if (chunk.startsWith(this.#last)) {
      const added = chunk.slice(this.#last.length);
      this.#last = chunk;
      return added;
    }
    // A server that repeats an older state adds nothing; anything else is new text after all.
    if (this.#last.startsWith(chunk)) return '';
    this.#last += chunk;
    return chunk;
  }
}

/** How many chunks may stay in doubt: a model that writes one token for ever has to be seen doing it. */
const MAX_HELD = 256;

/** How long a first chunk must be for one extension of it to be no accident, in characters. */
const MIN_CERTAIN_LENGTH = 8;

/** Whether `chunk` adds something to `last` that is not `last` over again. */
function isNewsAfter(last: string, chunk: string): boolean {
  const added = chunk.slice(last.length);
  if (added === '' || last.trim() === '') return false;
  const length = Math.min(added.length, last.length);
  return added.slice(0, length) !== last.slice(0, length);
}
