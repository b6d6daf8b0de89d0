import { RepetitionWatch } from './repeatedText';
import { CodeContext } from './codeContext';
import { readHarmonyHeader } from '../calls/harmonyCalls';
import { JsonBalance } from '../calls/jsonBalance';
import { beginsBlank, MAX_SPACE } from '../leadingSpace';
import { Markers } from './markers';
import type { TextCall } from '../calls/textCall';

/** Receives the parts of an answer. `thinkingEnd` and `textEnd` follow the pieces of one message. */
export interface HarmonySink {
  /** Text of an answer that is not in the Harmony format. */
  plain(text: string): void;
  text(text: string): void;
  textEnd(): void;
  thinking(text: string): void;
  thinkingEnd(): void;
  /** A call and its text. */
  call(call: TextCall, markup: string): void;
  /** A call that the answer was cut off in. */
  cutOff(markup: string): void;
}

/**
 * Splits an answer in the Harmony format of gpt-oss that a server did not parse.
 * `<|channel|>analysis<|message|>…<|end|>` is thinking, `<|start|>assistant<|channel|>commentary to=functions.name
 * <|constrain|>json<|message|>{…}<|call|>` a call, `<|channel|>final<|message|>…<|return|>` text. An answer has the
 * format when it begins with a header. Then its markup is held back until it is complete. Markup anywhere else, and in
 * code, is text. Servers often drop the token after the last message, and llama-server with `--reasoning-format none` drops
 * the header after the thinking. Source: OpenAI's description of the Harmony
 * format.
 */
export class HarmonySplitter {
  readonly #sink: HarmonySink;
  readonly #code = new CodeContext();
  #state: 'start' | 'plain' | 'header' | 'thinking' | 'text' | 'call' | 'between' = 'start';
  /** The state in which a header began. A false header goes on in it. */
  #before: 'start' | 'thinking' | 'text' | 'between' = 'start';
  #held = '';
  /** The last character of the thinking or text. */
  #lastSaid = '';
  /** White space and tokens since the last message. */
  #dropped = 0;
  #call: OpenCall | undefined;

  constructor(sink: HarmonySink) {
    this.#sink = sink;
  }

  push(chunk: string): void {
    if (this.#state === 'plain') this.#sink.plain(chunk);
    else this.#read(this.#take(chunk), false);
  }

  /** The answer is over. Unless it `isComplete`, a call whose JSON is not closed is cut off. */
  end(isComplete: boolean): void {
    const held = this.#take('');
    // Drops half a header, and half a token after a call.
    const isHalf = this.#state === 'header' || (this.#state === 'between' && held !== '');
    if (isComplete || !isHalf) this.#read(held, true);
    const call = this.#call;
    this.#call = undefined;
    if (call && isComplete) this.#endCall(call, call.text.replace(END_TOKEN, ''), call.text);
    else if (call) this.#sink.cutOff(call.header + call.text);
    if (this.#spoken === 'thinking') this.#sink.thinkingEnd();
  }

  #take(chunk: string): string {
    const text = this.#held + chunk;
    this.#held = '';
    return text;
  }

  #read(chunk: string, isEnd: boolean): void {
    let text = chunk;
    while (text !== '') {
      switch (this.#state) {
        case 'start':
        case 'between':
          text = this.#readBoundary(text, isEnd);
          break;
        case 'header':
          text = this.#readHeader(text, isEnd);
          break;
        case 'thinking':
        case 'text':
          text = this.#readMessage(text, isEnd);
          break;
        case 'call':
          text = this.#readCall(text);
          break;
        case 'plain':
          this.#sink.plain(text);
          return;
      }
    }
  }

  /** Reads the text before a message, which may be a header. */
  #readBoundary(text: string, isEnd: boolean): string {
    const isStart = this.#state === 'start';
    const rest = isStart ? text.trimStart() : text.replace(/^(?:\s|<\|(?:end|return|call)\|>)+/, '');
    if (!isStart) this.#dropped += text.length - rest.length;
    if (this.#dropped > MAX_SPACE) {
      this.#state = 'text';
      return text;
    }
    const begins = isStart && beginsBlank(text) ? 'no' : beginsHeader(rest);
    if (begins === 'yes') {
      this.#before = isStart ? 'start' : 'between';
      this.#state = 'header';
      return rest;
    }
    const isOpen = begins === 'open' || (!isStart && isPartOf(rest, END_TOKENS));
    if (isOpen && !isEnd) {
      this.#held = isStart ? text : rest;
      return '';
    }
    this.#state = isStart ? 'plain' : 'text';
    return isStart ? text : rest;
  }

  #readHeader(text: string, isEnd: boolean): string {
    const at = text.indexOf(MESSAGE);
    const lineEnd = text.search(/[\r\n]/);
    const isNone = lineEnd !== -1 && (at === -1 || lineEnd < at);
    if (at === -1 && !isNone && !isEnd && text.length < MAX_HEADER_LENGTH) {
      this.#held = text;
      return '';
    }
    if (at === -1 || isNone) {
      // A false header: its first character is text, and the rest may be.
      if (this.#before === 'start') {
        this.#state = 'plain';
        return text;
      }
      this.#state = this.#before === 'between' ? 'text' : this.#before;
      this.#say(text.slice(0, 1));
      return text.slice(1);
    }
    this.#endMessage();
    const header = text.slice(0, at + MESSAGE.length);
    const { channel, recipient } = readHarmonyHeader(header);
    if (recipient !== undefined) {
      const loop = new RepetitionWatch(MAX_REPEATED);
      this.#call = { name: recipient, header, text: '', isJson: undefined, balance: new JsonBalance(), loop };
      this.#state = 'call';
    } else this.#state = channel === 'analysis' ? 'thinking' : 'text';
    return text.slice(header.length);
  }

  #readMessage(text: string, isEnd: boolean): string {
    const match = BOUNDARIES.find(text, 0);
    if (match.kind === 'none') {
      this.#say(text);
      return '';
    }
    this.#say(text.slice(0, match.index));
    const rest = text.slice(match.index);
    if (match.kind === 'partial') {
      if (isEnd) this.#say(rest);
      else this.#held = rest;
      return '';
    }
    const after = text.slice(match.end);
    const isToken = END_TOKENS.includes(match.marker.text);
    const next = isToken ? after.trimStart() : rest;
    const isBlank = isToken && beginsBlank(after);
    if (isToken && next === '' && !isBlank) {
      if (isEnd) this.#endMessage();
      else this.#held = rest;
      return '';
    }
    const begins = isBlank || (this.#state === 'text' && this.#code.isInCode()) ? 'no' : beginsHeader(next);
    if (begins === 'open' && !isEnd) {
      this.#held = rest;
      return '';
    }
    const isThoughtEnd =
      this.#state === 'thinking' && match.marker.text === '<|end|>' && !/[ \t"'`(]/.test(this.#lastSaid);
    if ((begins === 'no' || begins === 'open') && !isThoughtEnd) {
      // The text only mentions a token.
      this.#say(text.slice(match.index, match.end));
      return after;
    }
    if (isToken) this.#endMessage();
    else this.#before = this.#state as 'thinking' | 'text';
    this.#state = isToken ? 'between' : 'header';
    return isToken ? after : rest;
  }

  #readCall(text: string): string {
    const call = this.#call as OpenCall;
    const before = call.text.length;
    call.text += text;
    if (call.loop.push(text)) {
      // The call repeats itself. The text after it is watched by other code.
      this.#call = undefined;
      this.#state = 'text';
      this.#sink.cutOff(call.header + call.text);
      return '';
    }
    if (call.isJson === undefined) {
      const first = call.text.trimStart().charAt(0);
      if (first === '') return '';
      call.isJson = first === '{' || first === '[';
    }
    // The balance may miss white space. A call that is no JSON ends at the next token.
    const from = Math.max(0, before - MAX_TOKEN_LENGTH);
    const end = call.isJson ? call.balance.feed(text) : call.text.slice(from).search(ANY_END_TOKEN);
    if (end === -1) return '';
    const length = (call.isJson ? before : from) + end;
    const { text: whole } = call;
    this.#endCall(call, whole.slice(0, length));
    return whole.slice(length);
  }

  #endCall({ name, header }: OpenCall, json: string, written = json): void {
    this.#call = undefined;
    this.#state = 'between';
    this.#dropped = 0;
    this.#sink.call({ name, arguments: json.trim() }, header + written);
  }

  /** The type of the open message, also while a header may end it. */
  get #spoken(): string {
    return this.#state === 'header' ? this.#before : this.#state;
  }

  #endMessage(): void {
    if (this.#spoken === 'thinking') this.#sink.thinkingEnd();
    if (this.#spoken === 'text') this.#sink.textEnd();
    this.#dropped = 0;
    this.#state = 'between';
  }

  #say(text: string): void {
    if (text === '') return;
    this.#lastSaid = text.at(-1) ?? '';
    if (this.#state === 'thinking') this.#sink.thinking(text);
    else {
      this.#code.add(text);
      this.#sink.text(text);
    }
  }
}

interface OpenCall {
  readonly name: string;
  readonly header: string;
  readonly balance: JsonBalance;
  readonly loop: RepetitionWatch;
  text: string;
  /** `undefined` before its first character. */
  isJson: boolean | undefined;
}

const MESSAGE = '<|message|>';
const MAX_HEADER_LENGTH = 300;
const END_TOKENS: readonly string[] = ['<|end|>', '<|return|>', '<|call|>'];
/** How many characters of a call may repeat the ones before. */
const MAX_REPEATED = 16_384;
const ANY_END_TOKEN = /<\|(?:call|end|return)\|>/;
const MAX_TOKEN_LENGTH = '<|return|>'.length;
const END_TOKEN = /<\|(?:end|return|call)\|>\s*$/;
const HEADERS: readonly string[] = [
  '<|start|>assistant',
  '<|channel|>analysis',
  '<|channel|>commentary',
  '<|channel|>final',
];
const BOUNDARIES = new Markers([...END_TOKENS, ...HEADERS].map((text) => ({ text })));

function beginsHeader(text: string): 'yes' | 'open' | 'no' {
  if (HEADERS.some((header) => text.startsWith(header))) return 'yes';
  return isPartOf(text, HEADERS) ? 'open' : 'no';
}

function isPartOf(text: string, tokens: readonly string[]): boolean {
  return tokens.some((token) => token.length > text.length && token.startsWith(text));
}
