import { parseEntry, type SessionEntry } from '../../sdk/session/entries';
import { readEntries } from '../../sdk/session/readEntries';
import { migratedBytes } from './migrateSession';
import { parseJson } from '../../util/json';

/** Of all different words of a session together; most have a tenth of it. */
const MAX_CHARACTERS = 40_000;
/** What is longer is no word. Languages without spaces have whole sentences here. */
const MAX_WORD_CHARACTERS = 500;
/** An entry's type comes after its ids and numbers. */
const TYPE_WITHIN = 500;
const SPACE = /\s+/;
const SPOKEN = /"type":"(?:user_message|assistant_message|assistant_partial)"/;

/**
 * What the person and the agent have said in a session, for a search by words: each different word once, so that a long
 * conversation takes little room. Thoughts, tools and their results are left out.
 */
export class SpokenWords {
  readonly #words = new Set<string>();
  /** As they were written: making a word comparable costs more than knowing it. */
  readonly #seen = new Set<string>(['']);
  #characters = 0;
  /** Of an answer that is not complete. */
  #partial = '';
  #count = 0;

  /** All words, in small letters, with a space between them. */
  get text(): string {
    const rest = this.#partial === '' ? [] : wordsOf(this.#partial);
    return [...this.#words, ...rest].join(' ');
  }

  /** Takes what was added to the entries since the last call. */
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
        // It holds what the pieces before it were pieces of.
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

/** The words of the session in these bytes. Parses as few lines as it can. */
export function spokenIn(bytes: Uint8Array): string {
  const entries: SessionEntry[] = [];
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    if (!SPOKEN.test(line.slice(0, TYPE_WITHIN))) continue;
    const parsed = parseEntry(parseJson(line));
    if (parsed.ok) entries.push(parsed.entry);
  }
  // Somebody else's spelling of JSON, an older version, or damage: the long way.
  return new SpokenWords().follow(entries.length > 0 ? entries : readEntries(migratedBytes(bytes)).entries).text;
}

/** The words of a text or of a query, as they are compared. */
export function wordsOf(text: string): readonly string[] {
  return text.split(SPACE).flatMap((word) => (word === '' ? [] : [comparable(word)]));
}

function comparable(word: string): string {
  return word.slice(0, MAX_WORD_CHARACTERS).normalize('NFKC').toLowerCase();
}

/** Whether each of these words is somewhere in one of the texts, if only as a part of a word. */
export function holdsAll(words: readonly string[], texts: readonly string[]): boolean {
  return words.every((word) => texts.some((text) => text.includes(word)));
}
