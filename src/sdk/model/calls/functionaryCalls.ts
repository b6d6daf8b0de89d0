import { JsonBalance } from './jsonBalance';
import type { FoundCalls, TextCall } from './textCall';

/** Stands before the recipient of each part of an answer. */
const RECIPIENT = '>>>';

/** A longer beginning names no recipient. */
const MAX_LENGTH = 128;

/** Functionary 3.2: `>>>read_file`, and in the next line the arguments as JSON, repeated. `>>>all` leads to text for the person. */
export function readRecipients(markup: string): FoundCalls | undefined {
  const calls: TextCall[] = [];
  const head = /\s*>>>([\w.-]{1,128})\n\s*(?=\{)/y;
  let end = 0;
  for (;;) {
    head.lastIndex = end;
    const name = head.exec(markup)?.[1];
    if (name === undefined) break;
    const length = new JsonBalance().feed(markup.slice(head.lastIndex));
    if (length === -1) break;
    calls.push({ name, arguments: markup.slice(head.lastIndex, head.lastIndex + length) });
    end = head.lastIndex + length;
  }
  if (calls.length > 0) return { calls, end };
  const all = `${RECIPIENT}all\n`;
  return markup.startsWith(all) ? { calls, end: all.length } : undefined;
}

/**
 * The prompt of Functionary ends with the first mark, so an answer begins with the name of its recipient alone. Puts the mark
 * before it. A text that begins in another way comes out as it is.
 */
export class FirstRecipient {
  readonly #isOffered: (name: string) => boolean;
  #held: string | undefined = '';

  constructor(isOffered: (name: string) => boolean) {
    this.#isOffered = isOffered;
  }

  /** The text that can be read on. */
  push(text: string): string {
    if (this.#held === undefined) return text;
    const held = this.#held + text;
    const line = /^([\w.-]+)(\n\s*)?/.exec(held);
    const [whole = '', name = '', space] = line ?? [];
    const isOpen = whole === held && held.length <= MAX_LENGTH;
    if (held === '' || (isOpen && (space === undefined || name !== 'all'))) {
      this.#held = held;
      return '';
    }
    this.#held = undefined;
    const isName = space !== undefined && (name === 'all' || (this.#isOffered(name) && held[whole.length] === '{'));
    return isName ? RECIPIENT + held : held;
  }

  /** The text that was held back. */
  end(): string {
    const held = this.#held ?? '';
    this.#held = undefined;
    return held;
  }
}
