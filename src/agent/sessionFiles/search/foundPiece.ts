import type { SessionEntry } from '../../../sdk/session/entries';
import { findEntries, type ReadPieces } from '../findEntries';
import { comparable, SPOKEN } from './spokenWords';

/** A piece of a conversation around a word that a search found. On one line. */
export interface FoundPiece {
  readonly before: string;
  /** As the conversation has it. */
  readonly found: string;
  readonly after: string;
}

/** Few, so that the found word is in sight in a narrow panel. */
const CHARACTERS_BEFORE = 16;
const CHARACTERS_AFTER = 120;
const WORD = /\S+/g;

/**
 * The piece of the message that holds most of the words, the newest of such messages; `undefined` if none holds one. `words`
 * are from `wordsOf`.
 */
export function foundPiece(entries: readonly SessionEntry[], words: readonly string[]): FoundPiece | undefined {
  let best: { readonly held: readonly string[]; readonly text: string } | undefined;
  for (const text of messagesIn(entries)) {
    const whole = text.normalize('NFKC').toLowerCase();
    const held = words.filter((word) => whole.includes(word));
    if (held.length > 0 && held.length >= (best?.held.length ?? 0)) best = { held, text };
  }
  // The longest word says most about the place.
  const [wanted] = best?.held.toSorted((a, b) => b.length - a.length) ?? [];
  return best && wanted !== undefined ? pieceAround(wanted, best.text) : undefined;
}

/** The piece of a session's file. Parses as few lines as possible. */
export async function foundPieceIn(read: ReadPieces, words: readonly string[]): Promise<FoundPiece | undefined> {
  return foundPiece(await findEntries(read, SPOKEN, ({ length }) => length > 0), words);
}

function* messagesIn(entries: readonly SessionEntry[]): Generator<string> {
  let partial = '';
  for (const entry of entries) {
    if (entry.type === 'assistant_partial') {
      for (const { type, text } of entry.blocks) if (type === 'text') partial += text;
    } else if (entry.type === 'assistant_message') {
      // The whole message replaces its pieces.
      partial = '';
      for (const block of entry.content) if (block.type === 'text') yield block.text;
    } else if (entry.type === 'user_message') {
      yield partial;
      partial = '';
      yield entry.text;
    }
  }
  yield partial;
}

function pieceAround(wanted: string, text: string): FoundPiece | undefined {
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const word = comparable(written);
    const at = word.indexOf(wanted);
    if (at === -1) continue;
    // Where normalising changed the length, the place inside the word is not known.
    const [from, to] = word.length === written.length ? [at, at + wanted.length] : [0, written.length];
    const end = index + Math.min(to, from + CHARACTERS_AFTER);
    return {
      before: endOf(text.slice(0, index + from)),
      found: text.slice(index + from, end),
      after: startOf(text.slice(end)),
    };
  }
  return undefined;
}

function endOf(text: string): string {
  const cut = text.slice(-CHARACTERS_BEFORE);
  if (cut.length === text.length) return oneLine(cut).trimStart();
  // Begins with a whole word, unless one word fills it.
  return `…${oneLine(cut.replace(/^(?:\S+(?=\s)|[\uDC00-\uDFFF])/, '')).trimStart()}`;
}

function startOf(text: string): string {
  const cut = text.slice(0, CHARACTERS_AFTER);
  if (cut.length === text.length) return oneLine(cut).trimEnd();
  return `${oneLine(cut.replace(/[\uD800-\uDBFF]$/, '')).trimEnd()}…`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
