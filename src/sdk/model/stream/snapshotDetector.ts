/**
 * Tells streams whose chunks repeat the whole text from streams of new pieces. Keeps text that repeats itself: `"ha",
 * "ha", "!"` is `haha!`.
 * Holds chunks back while each extends the one before. In a stream of new pieces that ends soon, because the whole
 * text would have to double with every chunk. A chunk that only repeats the one before is no evidence.
 */
export class SnapshotDetector {
  #mode: 'undecided' | 'incremental' | 'snapshots' = 'undecided';
  /** Undecided chunks. The first was shown, so its place is empty. */
  #held: string[] = [];
  #first = '';
  #last = '';
  #evidence = 0;

  /** Takes the next chunk. Returns its new text, empty while undecided. */
  push(chunk: string): string {
    if (this.#mode === 'incremental' || chunk === '') return chunk;
    if (this.#mode === 'snapshots') return this.#extend(chunk);
    if (!chunk.startsWith(this.#last)) return this.#settleIncremental(chunk);

    const isFirst = this.#held.length === 0;
    if (!isFirst && isNewsAfter(this.#last, chunk)) this.#evidence++;
    this.#last = chunk;
    if (isFirst) {
      // The first chunk is shown at once.
      this.#held.push('');
      this.#first = chunk;
      return chunk;
    }
    this.#held.push(chunk);
    if (this.#evidence >= 2) return this.#settleSnapshots();
    return this.#held.length < MAX_HELD ? '' : this.#settle();
  }

  /** The text that is held back at the end of the stream. */
  end(): string {
    return this.#mode !== 'undecided' || this.#held.length < 2 ? '' : this.#settle();
  }

  /** Decides by the evidence so far. */
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
    // An older state adds nothing. Anything else is new text after all.
    if (this.#last.startsWith(chunk)) return '';
    this.#last += chunk;
    return chunk;
  }
}

/** How many chunks may stay undecided: a model that writes one token for ever must be visible. */
const MAX_HELD = 256;

/** The length of a first chunk, in characters, from which one extension of it is evidence enough. */
const MIN_CERTAIN_LENGTH = 8;

/** Whether `chunk` adds more to `last` than a repetition of it. */
function isNewsAfter(last: string, chunk: string): boolean {
  const added = chunk.slice(last.length);
  if (added === '' || last.trim() === '') return false;
  const length = Math.min(added.length, last.length);
  return added.slice(0, length) !== last.slice(0, length);
}
