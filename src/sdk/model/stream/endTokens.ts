/**
 * Removes the tokens that end a turn from the end of an answer: servers that do not know a model's tokens, or read a call
 * themselves, leave them there. A token anywhere else, in code, in quotes or after a blank in a sentence is text.
 */
export class EndTokens {
  readonly #options: EndTokensOptions;
  #held = '';
  /** The end of the text before the held tokens, in pieces. */
  #recent: string[] = [];

  constructor(options: EndTokensOptions) {
    this.#options = options;
  }

  /** Takes more of the answer. Returns the text that is no token at its end. */
  push(piece: string): string {
    if (this.#held === '' && !piece.includes('<') && !piece.includes('[')) return this.#remember(piece);
    const text = this.#held + piece;
    const from = startOfTokens(text);
    this.#held = text.slice(from);
    return this.#remember(text.slice(0, from));
  }

  /** The answer is over. Returns the held text, unless it is only tokens. A cut answer has no end. */
  end(isComplete: boolean): string {
    const held = this.#held;
    this.#held = '';
    const isLeft = held !== '' && isComplete && ALL_TOKENS.test(held) && this.#isAtEnd(held);
    return isLeft && (this.#isAfterFence || !this.#options.isInCode()) ? '' : held;
  }

  #remember(text: string): string {
    if (text === '') return text;
    if (this.#recent.length >= MAX_PIECES) this.#recent = [this.#before];
    this.#recent.push(text);
    return text;
  }

  get #before(): string {
    return this.#recent.join('').slice(-MAX_BEFORE);
  }

  /** The line of a fence that ends code has no line break yet. */
  get #isAfterFence(): boolean {
    return /\n *(?:`{3,}|~{3,})\s*$/.test(this.#before);
  }

  #isAtEnd(held: string): boolean {
    const before = this.#before;
    // An answer of a token alone names it.
    if (before === '' && !this.#options.hasOther()) return false;
    // A text about tokens ends with one more.
    if (!this.#options.isInCall() && /<[|｜][^\s<>]{1,60}[|｜]>\s*$/.test(before)) return false;
    // HTML ends struck text so, and a file in a call may.
    const isHtml = this.#options.isInCall() ? !/[}\]>]\s*$/.test(before) : before.includes('<s>');
    if (held.includes('</s>') && isHtml) return false;
    const isLineStart = before === '' || /\n[ \t]*$/.test(before);
    return (
      isLineStart || this.#isAfterFence || /[^\s"'`“‘«([{]$/.test(before) || /[.!?…。！？>\]})][ \t]+$/.test(before)
    );
  }
}

interface EndTokensOptions {
  /** Whether the text before the tokens ends in code. */
  readonly isInCode: () => boolean;
  /** Whether it ends in a call, or right after one. */
  readonly isInCall: () => boolean;
  /** Whether the answer has a thought or a call beside the text. */
  readonly hasOther: () => boolean;
}

/** Sources: the published tokenizers and chat templates of these models. */
const TOKENS: readonly string[] = [
  // ChatML and Qwen; Llama 3 and 4; Phi and gpt-oss; Granite; Command; GLM.
  '<|im_end|> <|endoftext|> <|eot_id|> <|eom_id|> <|eot|> <|eom|> <|end|> <|return|> <|end_of_text|>',
  '<|END_OF_TURN_TOKEN|> <|user|> <|observation|> <|endofturn|> <|end_of_turn|>',
  // Llama 2 and Mistral; Gemma; DeepSeek; Seed-OSS; EXAONE; MiniMax; GigaChat; Hunyuan.
  '</s> <eos> <end_of_turn> <turn|> <｜end▁of▁sentence｜> <seed:eos> [|endofturn|] [e~[ <|message_sep|> <|eos|> <|hy_eos|>',
].flatMap((tokens) => tokens.split(' '));

const ALL_TOKENS = new RegExp(
  String.raw`^(?:(?:${TOKENS.map((token) => token.replaceAll(/[|[\]]/g, String.raw`\$&`)).join('|')})\s*)+$`,
);
const LONGEST = Math.max(...TOKENS.map(({ length }) => length));
/** More of them, or more white space around them, is text. */
const MAX_HELD = 200;
const MAX_BEFORE = 200;
const MAX_PIECES = 128;

/** Where the tokens at the end of a text begin, with the last one perhaps only begun; its length without any. */
function startOfTokens(text: string): number {
  const from = startBefore(text, text.length);
  if (from < text.length) return from;
  const begun = Math.max(text.lastIndexOf('<'), text.lastIndexOf('['));
  const length = text.length - begun;
  if (begun === -1 || length >= LONGEST || (length > 1 && !SECONDS.has(text.charAt(begun + 1)))) return from;
  const rest = text.slice(begun);
  return TOKENS.some((token) => token.startsWith(rest)) ? startBefore(text, begun) : from;
}

/** Where the whole tokens before `end` begin. */
function startBefore(text: string, end: number): number {
  let from = end;
  for (;;) {
    let last = from;
    while (last > 0 && from - last < MAX_HELD && /\s/.test(text.charAt(last - 1))) last--;
    if (!LASTS.has(text.charAt(last - 1))) return from;
    const token = TOKENS.find((each) => text.endsWith(each, last));
    if (token === undefined || text.length - last + token.length > MAX_HELD) return from;
    from = last - token.length;
  }
}

/** The second and the last characters of the tokens. */
const SECONDS = new Set(TOKENS.map((token) => token.charAt(1)));
const LASTS = new Set(TOKENS.map((token) => token.charAt(token.length - 1)));
