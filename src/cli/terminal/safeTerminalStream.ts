import { safeTerminalText } from './safeTerminalText';

/** Makes a text safe that arrives in pieces, as if it came in one. */
export interface SafeTerminalStream {
  /** Returns what can be shown by now. */
  readonly push: (text: string) => string;
  /** Returns the rest. The next text starts anew. */
  readonly end: () => string;
}

/** Joiners inside a word or emoji, and half of a character, mean something else at the end of a piece. */
export function createSafeTerminalStream(): SafeTerminalStream {
  let before = '';
  let held = '';
  const show = (text: string): string => {
    const shown = safeTerminalText(before + text).slice(before.length);
    before = LAST_LETTER.exec(text)?.[0] ?? '';
    return shown;
  };
  return {
    push(text) {
      const all = held + text;
      const tail = UNDECIDED.exec(all)?.[0] ?? '';
      held = tail.length > MAX_HELD ? '' : tail;
      const ready = all.slice(0, all.length - held.length);
      return ready === '' ? '' : show(ready);
    },
    end() {
      const shown = show(held);
      before = '';
      held = '';
      return shown;
    },
  };
}

const MAX_HELD = 16;
const UNDECIDED = /(?:(?:[\u200B-\u200D]|\uFE0F){1,20}|\r|[\uD800-\uDBFF])$/;
/** A character that is shown as it is and decides how a joiner after it is shown. */
const LAST_LETTER = /[\p{L}\p{Extended_Pictographic}]$/u;
