import { CodeContext } from './codeContext';
import { beginsBlank, MAX_SPACE } from '../leadingSpace';
import { Markers } from './markers';

/** Receives the parts of an answer. `thinkingEnd` follows the thinking between tags. */
export interface ThinkTagSink {
  text(text: string): void;
  thinking(text: string): void;
  thinkingEnd(): void;
  /** A closing tag without an opening one: the text so far is thinking. */
  orphanEnd(): void;
  /** Whether tags have no meaning here, as inside a tool call. */
  isLiteral(): boolean;
  /** Whether thinking came in a field of its own. A closing tag that begins the text belongs to it. */
  hasThoughtElsewhere(): boolean;
}

/**
 * Splits text at the think tags that some servers leave in. Thinking stands between tags at the beginning, or before
 * the first closing tag when the template has removed the opening one. Tags in prose and in code are text.
 */
export class ThinkTagSplitter {
  readonly #sink: ThinkTagSink;
  readonly #code = new CodeContext();
  #state: 'start' | 'thinking' | 'afterThinking' | 'text' | 'plain' = 'start';
  #held = '';
  #close: Markers<CloseTag> | undefined;
  #isThoughtStart = true;
  #droppedSpace = 0;

  constructor(sink: ThinkTagSink) {
    this.#sink = sink;
  }

  push(chunk: string): void {
    const text = this.#held === '' ? chunk : this.#held + chunk;
    this.#held = '';
    this.#read(text, false);
  }

  end(): void {
    const text = this.#held;
    this.#held = '';
    this.#read(text, true);
    if (this.#state === 'thinking') this.#sink.thinkingEnd();
  }

  #read(chunk: string, isEnd: boolean): void {
    let text = chunk;
    while (text !== '') {
      switch (this.#state) {
        case 'start':
          text = this.#readStart(text, isEnd);
          break;
        case 'thinking':
          text = this.#readThinking(text, isEnd);
          break;
        case 'afterThinking':
          text = this.#withoutSpace(text, /^\s+/);
          if (text !== '') this.#state = 'plain';
          break;
        case 'text':
          text = this.#readText(text, isEnd);
          break;
        case 'plain':
          this.#sink.text(text);
          return;
      }
    }
  }

  /** Holds white space until it is clear whether a tag follows. */
  #readStart(text: string, isEnd: boolean): string {
    const trimmed = text.trimStart();
    const closing = this.#sink.hasThoughtElsewhere() ? leftClosing(trimmed, isEnd) : 'no';
    if (closing === 'open') {
      this.#held = text;
      return '';
    }
    if (closing !== 'no') {
      this.#state = 'afterThinking';
      return trimmed.slice(closing.length);
    }
    for (const tag of beginsBlank(text) ? [] : TAGS) {
      if (trimmed.startsWith(tag.open)) {
        this.#state = 'thinking';
        this.#close = new Markers([{ text: tag.close }]);
        return trimmed.slice(tag.open.length);
      }
      if (!isEnd && tag.open.startsWith(trimmed)) {
        this.#held = text;
        return '';
      }
    }
    this.#state = 'text';
    return text;
  }

  #readThinking(chunk: string, isEnd: boolean): string {
    const text = this.#isThoughtStart ? this.#withoutSpace(chunk, /^[\r\n]+/) : chunk;
    if (text === '') return '';
    this.#isThoughtStart = false;
    const match = this.#close?.find(text, 0) ?? NO_MATCH;
    if (match.kind === 'found') {
      if (match.index > 0) this.#sink.thinking(text.slice(0, match.index));
      this.#sink.thinkingEnd();
      this.#state = 'afterThinking';
      return text.slice(match.end);
    }
    const end = match.kind === 'partial' && !isEnd ? match.index : text.length;
    if (end > 0) this.#sink.thinking(text.slice(0, end));
    this.#held = text.slice(end);
    return '';
  }

  #readText(text: string, isEnd: boolean): string {
    const match = TEXT_TAGS.find(text, 0);
    if (match.kind === 'none') {
      this.#emit(text);
      return '';
    }
    this.#emit(text.slice(0, match.index));
    const rest = text.slice(match.index);
    if (match.kind === 'partial') {
      if (isEnd) this.#emit(rest);
      else this.#held = rest;
      return '';
    }
    // An opening tag within text is prose about tags, and so are the closing ones after it.
    const isProse = match.marker.isOpening || this.#sink.isLiteral() || this.#code.isInCode();
    const next = text.slice(match.end).charAt(0);
    if (!isProse && next === '' && !isEnd) {
      this.#held = rest;
      return '';
    }
    const isOnLineEdge = next === '' || next === '\n' || next === '\r' || this.#code.isAtLineStart();
    if (!isProse && isOnLineEdge) {
      this.#sink.orphanEnd();
      this.#state = 'afterThinking';
      return text.slice(match.end);
    }
    if (!this.#sink.isLiteral()) this.#state = 'plain';
    this.#emit(text.slice(match.index, match.end));
    return text.slice(match.end);
  }

  /** Removes the white space around a part, up to a limit. */
  #withoutSpace(text: string, space: RegExp): string {
    const length = space.exec(text)?.[0].length ?? 0;
    const dropped = Math.min(length, MAX_SPACE - this.#droppedSpace);
    this.#droppedSpace += dropped;
    return text.slice(dropped);
  }

  #emit(text: string): void {
    if (text === '') return;
    this.#code.add(text);
    this.#sink.text(text);
  }
}

interface CloseTag {
  readonly text: string;
}

/** The closing tag that begins a text. A blank after it shows that it is part of a sentence. `open`: too short to tell. */
function leftClosing(text: string, isEnd: boolean): string {
  for (const { close } of text === '' ? [] : TAGS) {
    if (text.length > close.length && text.startsWith(close) && !/[ \t]/.test(text.charAt(close.length))) return close;
    if (close.startsWith(text)) return isEnd ? (text === close ? close : 'no') : 'open';
  }
  return 'no';
}

const NO_MATCH = { kind: 'none' } as const;

const TAGS = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  // Gemma 4
  { open: '<|channel>thought', close: '<channel|>' },
  { open: '[THINK]', close: '[/THINK]' },
  // Command
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
  // Seed-OSS, MiniMax M3, Hy3
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '<mm:think>', close: '</mm:think>' },
  { open: '<think:opensource>', close: '</think:opensource>' },
] as const;

const TEXT_TAGS = new Markers(
  TAGS.flatMap(({ open, close }) => [
    { text: open, isOpening: true },
    { text: close, isOpening: false },
  ]),
);
