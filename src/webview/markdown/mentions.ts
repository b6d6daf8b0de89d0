import { MAX_PLACE_CHARACTERS } from '../../agent/view/messageLimits';

/** A part of an answer that may name a file or a symbol. Only the host knows whether there is one. */
export interface Mention {
  /** Or the name of a symbol. */
  readonly path: string;
  /** From 1. */
  readonly line?: number | undefined;
}

/** A mention in a text, from `start` to before `end`. */
export interface PlacedMention extends Mention {
  readonly start: number;
  readonly end: number;
}

const MAX_LINE = 10_000_000;

/** Inline code that is a path, with or without a line: `src/main.ts:12`, `main.ts`, `src/host/`. */
export function codeMention(code: string): Mention | undefined {
  const mention = code.length > MAX_PLACE_CHARACTERS + 20 || !IN_CODE.test(code) ? undefined : splitLine(code);
  return mention && (mention.path.includes('/') || hasEnding(mention.path)) ? mention : undefined;
}

/** Inline code that can be the name of a symbol: `applyDiscount`, `Cart.total()`. */
export function codeSymbol(code: string): Mention | undefined {
  const [, name = ''] = SYMBOL.exec(code) ?? [];
  return name.length < 3 || name.length > 80 || WORDS_OF_LANGUAGES.test(name) ? undefined : { path: name };
}

const SYMBOL = /^([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*){0,3})(?:\([^()]{0,80}\))?$/u;
const WORDS_OF_LANGUAGES =
  /^(?:true|false|null|none|nil|undefined|string|number|boolean|object|const|let|var|return|async|await|this|self|import|export|class|function|def)$/i;

/** Paths in ordinary text. They have an ending such as `.ts`, and a folder or a line, so that `Node.js` is none. */
export function proseMentions(text: string): readonly PlacedMention[] {
  if (!text.includes('/') && !text.includes(':')) return [];
  return [...text.matchAll(WORDS)].flatMap(({ 0: word, index }) => {
    const shown = withoutPunctuation(word);
    const mention = splitLine(shown);
    const isPath = mention && hasEnding(mention.path) && (mention.path.includes('/') || mention.line !== undefined);
    return isPath ? [{ ...mention, start: index, end: index + shown.length }] : [];
  });
}

const IN_CODE = /^[^\s:*?"'<>|`{}\\]+(?::\d+(?::\d+|-\d+)?)?$/;
const WORDS = /[^\s"'`“”‘’()<>[\]{},;|*\\]{4,320}/g;

function splitLine(reference: string): Mention | undefined {
  const end = /(?:#L(\d{1,8})(?:-L?\d{1,8})?|:(\d{1,8})(?:[:-]\d{1,8})?)$/.exec(reference);
  const path = end ? reference.slice(0, end.index) : reference;
  const isPath = path.length <= MAX_PLACE_CHARACTERS && !/[:#]|^\/\/|^~/.test(path) && /[\p{L}\p{N}_]/u.test(path);
  if (!isPath) return undefined;
  const line = Number(end?.[1] ?? end?.[2]);
  return line > 0 && line <= MAX_LINE ? { path, line } : { path };
}

function hasEnding(path: string): boolean {
  return /[^/]\.[A-Za-z]\w{0,15}$/.test(path);
}

/** A word without the punctuation that ends a sentence. */
function withoutPunctuation(word: string): string {
  let end = word.length;
  while (end > 0 && '.:!?…'.includes(word[end - 1] ?? '')) end -= 1;
  return word.slice(0, end);
}
