import { spellingsOfKey, withoutKey } from './withoutKey';

/** Takes the pieces of an answer, and gives them on without the key, wherever the pieces were cut. */
export interface KeyFilter {
  add(piece: Uint8Array): Uint8Array;
  /** What was held back at the end. */
  end(): Uint8Array;
}

/** A shorter key is a word such as `none` or `ollama`, which an answer may hold and which guards nothing. */
const MIN_SECRET = 16;

/** `undefined`: the key is none that has to be kept secret. */
export function createKeyFilter(key: string | undefined): KeyFilter | undefined {
  if (key === undefined || key.length < MIN_SECRET) return undefined;
  const spellings = spellingsOfKey(key);
  let held = '';
  return {
    add(piece) {
      // A character for each byte: the key has only those of ASCII.
      const text = withoutKey(held + textOf(piece), key);
      const kept = lengthOfBegin(text, spellings);
      held = text.slice(text.length - kept);
      return bytesOf(text.slice(0, text.length - kept));
    },
    end() {
      const rest = bytesOf(held);
      held = '';
      return rest;
    },
  };
}

/** The length of the longest end of the text with which one of the words begins. */
function lengthOfBegin(text: string, words: readonly string[]): number {
  const longest = Math.max(...words.map(({ length }) => length)) - 1;
  for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
    const end = text.slice(text.length - length);
    if (words.some((word) => word.startsWith(end))) return length;
  }
  return 0;
}

function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.byteLength; from += 8_192) {
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192));
  }
  return text;
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
