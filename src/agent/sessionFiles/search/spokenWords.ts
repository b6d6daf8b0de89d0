import type { SessionEntry } from '../../../sdk/session/entries';
import { findEntries, type ReadPieces } from '../findEntries';

/** The limit for all different words of a session; most sessions have a tenth of it. */
const MAX_CHARACTERS = 40_000;
/** Longer text is cut. In languages without spaces a word can be a sentence. */
const MAX_WORD_CHARACTERS = 500;
const SPACE = /\s+/;
/** Lines of a session's file that hold words of the person or the model. */
export const SPOKEN = /"type":"(?:user_message|assistant_message|assistant_partial)"/;

/**
 * The words of a conversation, for a search: each different word once, so that a long conversation takes little room.
 * Without thinking, tools and results.
 */
export class SpokenWords {
  readonly #words = new Set<string>();
  /** As written: comparing words costs more than finding known ones. */
  readonly #seen = new Set<string>(['']);
  #characters = 0;
  /** The words of an incomplete answer. */
  #partial = '';
  #count = 0;

  /** All words in lower case, separated by spaces. */
  get text(): string {
    const rest = this.#partial === '' ? [] : wordsOf(this.#partial);
    return [...this.#words, ...rest].join(' ');
  }

  /** Adds the entries that are new since the last call. */
  follow(entries: readonly SessionEntry[]): this {
    for (; this.#count < entries.length; this.#count += 1) this.#add(entries[this.#count]);
    return this;
  }

  #add(entry: SessionEntry | undefined): void {
    switch (entry?.type) {
      case 'user_message':
        this.#endPartial();
        return this.#take(entry.text);
      case 'assistant_partial':
        for (const { type, text } of entry.blocks) if (type === 'text') this.#partial += text;
        return;
      case 'assistant_message':
        // The whole message replaces its pieces.
        this.#partial = '';
        for (const block of entry.content) if (block.type === 'text') this.#take(block.text);
        return;
      default:
        return;
    }
  }

  #endPartial(): void {
    this.#take(this.#partial);
    this.#partial = '';
  }

  #take(text: string): void {
    for (const written of text.split(SPACE)) {
      if (this.#seen.has(written)) continue;
      if (this.#characters > MAX_CHARACTERS) return;
      this.#seen.add(written);
      const word = comparable(written);
      this.#characters += word.length;
      this.#words.add(word);
    }
  }
}

/** The words of a session's file. Parses as few lines as possible. */
export async function spokenIn(read: ReadPieces): Promise<string> {
  const entries = await findEntries(read, SPOKEN, ({ length }) => length > 0);
  return new SpokenWords().follow(entries).text;
}

/** The words of a text or a query, normalised for comparison. */
export function wordsOf(text: string): readonly string[] {
  return text.split(SPACE).flatMap((word) => (word === '' ? [] : [comparable(word)]));
}

/** A word as the search compares it. */
export function comparable(word: string): string {
  return word.slice(0, MAX_WORD_CHARACTERS).normalize('NFKC').toLowerCase();
}

/** Whether each word is in one of the texts, also as part of a word. */
export function holdsAll(words: readonly string[], texts: readonly string[]): boolean {
  return words.every((word) => texts.some((text) => text.includes(word)));
}
