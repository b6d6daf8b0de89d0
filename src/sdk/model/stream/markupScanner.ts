import { RepetitionWatch } from './repeatedText';
import { CodeContext } from './codeContext';
import { JsonBalance } from '../calls/jsonBalance';
import { Markers } from './markers';
import type { TextCall, TextCallFormat } from '../calls/textCall';
import { isBareCall, looksLikeWholeAnswer, nameInCutAnswer, readWholeAnswer } from '../calls/wholeAnswer';

export interface MarkupSink {
  /** Text to show. */
  text(text: string): void;
  /** Calls and their text. */
  calls(calls: readonly TextCall[], markup: string): void;
  /** A call that the answer was cut off in. */
  cutOff(markup: string): void;
}

/** How many closing tags are tried on one call. After more, it is read at the end of the answer. */
const MAX_ATTEMPTS = 20;

/** How many characters of a call may repeat the ones before. Then it is given up. */
const MAX_REPEATED = 16_384;

/** Less of a tag may be the end of any text. */
const MIN_TAG_LENGTH = 5;

export interface MarkupScannerOptions {
  readonly sink: MarkupSink;
  /** Whether a tool of that name is offered. */
  readonly isOffered: (name: string) => boolean;
  readonly hasTools: boolean;
  /** The formats that the model may write. */
  readonly formats: readonly TextCallFormat[];
  /** Whether the whole text may be one call as JSON. */
  readonly mayBeWholeAnswer: boolean;
  /** Whether the server has read calls itself. Then an opening tag that it left in the text is no part of the answer. */
  readonly hasNativeCalls: () => boolean;
}

/**
 * Takes tool calls out of streamed text. Holds their markup back from its first character. Markup that is no call
 * comes out as text. So do calls in code or within a line, and calls to tools that are not offered if text follows them.
 */
export class MarkupScanner {
  readonly #options: MarkupScannerOptions;
  readonly #markers: Markers<TextCallFormat>;
  readonly #code = new CodeContext();
  #state: 'start' | 'whole' | 'text' | 'capture' = 'start';
  #held = '';
  #captured: string[] = [];
  #format: TextCallFormat | undefined;
  /** The call stands after text of its line, or inside of a tag that does. */
  #isWithinLine = false;
  /** An opening tag within a line was left as text, and only calls have followed it. */
  #isInQuote = false;
  /** Calls to unknown tools, calls within a line, and the white space after them. They count only if nothing comes after. */
  #unknown: { readonly calls: readonly TextCall[]; markup: string } | undefined;
  /** The end of the captured text, where a closing tag may have begun. */
  #tail = '';
  #attempts = 0;
  #isAfterCall = false;
  #loop = new RepetitionWatch(MAX_REPEATED);
  readonly #balance = new JsonBalance();

  constructor(options: MarkupScannerOptions) {
    this.#options = options;
    this.#markers = new Markers(options.formats);
    if (!options.mayBeWholeAnswer) this.#state = 'text';
  }

  /** Whether the next text belongs to a call. */
  get isCapturing(): boolean {
    return this.#state === 'capture' || this.#state === 'whole';
  }

  /** Whether only white space came after the last call. */
  get isAfterCall(): boolean {
    return this.#isAfterCall;
  }

  /** Whether the text ends in code. */
  get isInCode(): boolean {
    return !this.isCapturing && this.#code.isInCode();
  }

  push(chunk: string): void {
    if (!this.#options.hasTools) {
      this.#code.add(chunk);
      this.#options.sink.text(chunk);
      return;
    }
    const text = this.#held === '' ? chunk : this.#held + chunk;
    this.#held = '';
    this.#read(text);
  }

  /** Emits the held text and begins anew: the text so far was not the answer. */
  restart(): void {
    this.#dropUnknown();
    this.#emit(this.#held);
    this.#held = '';
    this.#state = this.#options.mayBeWholeAnswer ? 'start' : 'text';
  }

  /** The answer is over. Unless it `isComplete`, a call without an end is cut off. */
  end(isComplete: boolean): void {
    this.#end(isComplete);
    this.#takeUnknown();
  }

  #end(isComplete: boolean): void {
    const { sink } = this.#options;
    const held = this.#held;
    this.#held = '';
    if (this.#state === 'capture') {
      this.#endCapture(this.#captured.join(''), isComplete);
      return;
    }
    if (this.#state === 'whole') {
      const answer = this.#captured.join('');
      this.#captured = [];
      this.#state = 'text';
      const call = isComplete ? readWholeAnswer(answer) : undefined;
      const name = isComplete ? call?.name : nameInCutAnswer(answer);
      const isOffered = name !== undefined && (this.#options.isOffered(name) || (isComplete && isBareCall(answer)));
      if (call && isOffered) sink.calls([call], answer);
      else if (isOffered) sink.cutOff(answer);
      else this.#emit(answer);
      return;
    }
    if (!this.#isLeftTag(held)) this.#emit(held);
  }

  /** Whether a text is an opening tag, or most of one, of a call that the server has read. */
  #isLeftTag(text: string): boolean {
    const tag = text.trim();
    if (tag.length < MIN_TAG_LENGTH || !this.#options.hasNativeCalls()) return false;
    return this.#options.formats.some((format) => format.text.startsWith(tag));
  }

  #read(chunk: string): void {
    let text = chunk;
    while (text !== '') {
      switch (this.#state) {
        case 'start':
          text = this.#readStart(text);
          break;
        case 'whole':
          text = this.#readWhole(text);
          break;
        case 'text':
          text = this.#readText(text);
          break;
        case 'capture':
          text = this.#readCapture(text);
          break;
      }
    }
  }

  #readStart(text: string): string {
    const guess = looksLikeWholeAnswer(text);
    if (guess === 'open') {
      this.#held = text;
      return '';
    }
    this.#state = guess === 'yes' ? 'whole' : 'text';
    return text;
  }

  /** Collects the object. Only a closing fence may follow it; other text shows that it was quoted. */
  #readWhole(text: string): string {
    this.#captured.push(text);
    if (this.#loop.push(text)) {
      this.#giveUp('');
      return '';
    }
    const end = this.#balance.isClosed ? 0 : this.#balance.feed(text);
    if (end === -1) return '';
    this.#tail += text.slice(end);
    const isOver = /^\s*(?:`{1,3}\s*)?$/.test(this.#tail);
    if (isOver) return '';
    const answer = this.#captured.join('');
    this.#captured = [];
    this.#tail = '';
    this.#state = 'text';
    return answer;
  }

  #readText(text: string): string {
    let from = 0;
    for (;;) {
      const match = this.#markers.find(text, from);
      if (match.kind === 'none') {
        this.#emit(text.slice(from));
        return '';
      }
      this.#emit(text.slice(from, match.index));
      if (match.kind === 'partial') {
        this.#held = text.slice(match.index);
        return '';
      }
      const isCall = this.#maybeCall(match.marker);
      if (isCall) {
        this.#format = match.marker;
        this.#isWithinLine = match.marker.isToken !== true && (this.#isInQuote || !this.#code.isAtLineStart());
        this.#captured = [match.marker.text];
        this.#tail = '';
        this.#attempts = 0;
        this.#loop = new RepetitionWatch(MAX_REPEATED);
        this.#state = 'capture';
        return text.slice(match.end);
      }
      this.#emit(text.slice(match.index, match.end));
      this.#isInQuote = match.marker.isRemnant !== true;
      from = match.end;
    }
  }

  #maybeCall(format: TextCallFormat): boolean {
    if (format.isRemnant === true) return this.#isAfterCall;
    if (this.#code.isInCode()) return false;
    // GLM and others write a call right after a sentence. In a quote something leads to it, or follows it.
    const mayFollowSentence = this.#options.mayBeWholeAnswer && this.#code.endsSentence(format.followsBlank);
    return format.isToken === true || this.#code.isAtLineStart() || mayFollowSentence;
  }

  #readCapture(text: string): string {
    const close = this.#format?.close;
    if (this.#loop.push(text)) {
      this.#giveUp(text);
      return '';
    }
    if (close === undefined) {
      this.#captured.push(text);
      return '';
    }
    const window = this.#tail + text;
    const found = window.indexOf(close);
    if (found === -1) {
      this.#captured.push(text);
      this.#tail = window.slice(-(close.length - 1));
      return '';
    }
    const end = found + close.length - this.#tail.length;
    this.#captured.push(text.slice(0, end));
    this.#tail = '';
    const markup = this.#captured.join('');
    this.#captured = [markup];
    const rest = this.#attempts++ < MAX_ATTEMPTS ? this.#deliver(markup, false) : undefined;
    return (rest ?? '') + text.slice(end);
  }

  /** Gives up a call that repeats itself. The text after it is watched by other code. */
  #giveUp(text: string): void {
    this.#options.sink.cutOff(this.#captured.join('') + text);
    this.#captured = [];
    this.#tail = '';
    this.#state = 'text';
  }

  /** Emits the calls at the beginning of the markup. Returns the text after them; `undefined` without calls. */
  #deliver(markup: string, isEnd: boolean): string | undefined {
    const found = this.#format?.read(markup, isEnd);
    if (!found) return undefined;
    this.#captured = [];
    this.#state = 'text';
    const own = markup.slice(0, found.end);
    const areOffered = found.calls.every((call) => this.#options.isOffered(call.name));
    if (this.#unknown && (found.calls.length === 0 || this.#isInQuote)) {
      this.#unknown = { calls: [...this.#unknown.calls, ...found.calls], markup: this.#unknown.markup + own };
    } else if (areOffered && !this.#isWithinLine) {
      this.#takeUnknown();
      this.#isAfterCall = true;
      this.#options.sink.calls(found.calls, own);
    } else if (this.#options.mayBeWholeAnswer && (areOffered || !this.#isWithinLine)) {
      this.#takeUnknown();
      this.#isAfterCall = true;
      this.#unknown = { calls: found.calls, markup: own };
    } else this.#emit(own);
    return markup.slice(found.end);
  }

  /** Emits the calls that are complete before a cut. Returns the text after them; empty if nothing of another call has come. */
  #deliverBefore(markup: string): string {
    const format = this.#format;
    const { text = '', close, innerClose } = format ?? {};
    const end =
      innerClose === undefined ? markup.lastIndexOf(text) : markup.lastIndexOf(innerClose) + innerClose.length;
    const mayHaveSeveral = innerClose === undefined ? close === undefined && end > 0 : end >= innerClose.length;
    const found = mayHaveSeveral ? format?.read(markup.slice(0, end), true) : undefined;
    if (!found || found.calls.length === 0) return markup;
    if (!found.calls.every((call) => this.#options.isOffered(call.name))) return markup;
    this.#options.sink.calls(found.calls, markup.slice(0, found.end));
    const rest = markup.slice(found.end);
    return (close ?? '').startsWith(rest.trim()) ? '' : rest;
  }

  #endCapture(markup: string, isComplete: boolean): void {
    if (!isComplete) {
      const rest = this.#deliverBefore(markup);
      if (rest !== '') this.#options.sink.cutOff(rest);
      return;
    }
    let rest: string | undefined = markup;
    while (rest !== undefined && this.#state === 'capture') {
      const after = this.#deliver(rest, true);
      if (after === undefined) {
        this.#state = 'text';
        this.#captured = [];
        if (!this.#isLeftTag(rest)) this.#emit(rest);
        return;
      }
      // The rest may have further calls, and ends like other text.
      this.#read(after);
      rest = this.#state === 'capture' ? this.#captured.join('') : undefined;
    }
    this.#emit(this.#held);
    this.#held = '';
  }

  /** Nothing but calls follows the calls to unknown tools, so the model is told of the names. */
  #takeUnknown(): void {
    const unknown = this.#unknown;
    this.#unknown = undefined;
    if (unknown) this.#options.sink.calls(unknown.calls, unknown.markup);
  }

  /** Text follows the calls to unknown tools, so they were only quoted. */
  #dropUnknown(): void {
    const unknown = this.#unknown;
    this.#unknown = undefined;
    if (unknown) this.#emit(unknown.markup);
  }

  #emit(text: string): void {
    if (text === '') return;
    const unknown = this.#unknown;
    if (unknown && text.trim() === '') {
      unknown.markup += text;
      return;
    }
    this.#dropUnknown();
    if (text.trim() !== '') {
      this.#isAfterCall = false;
      this.#isInQuote = false;
    }
    this.#code.add(text);
    this.#options.sink.text(text);
  }
}
