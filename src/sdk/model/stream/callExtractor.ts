import { familiesOf, mayCallInThoughts } from '../calls/families';
import type { TextCall } from '../calls/textCall';
import { FirstRecipient } from '../calls/functionaryCalls';
import { formatsFor } from '../calls/textToolCalls';
import { EndTokens } from './endTokens';
import { MarkupScanner, type MarkupScannerOptions } from './markupScanner';

/** Receives text and thinking without the calls that were written into them. */
export interface ExtractedSink {
  write(type: 'text' | 'thinking', text: string): void;
  /** Calls and their text. */
  calls(calls: readonly TextCall[], markup: string): void;
  /** A call that the answer was cut off in. */
  cutOff(markup: string): void;
}

/**
 * Third stage: takes calls that are written as text out of text and thinking. Calls in the thinking are held: they count
 * only if nothing comes after them.
 */
export class CallExtractor {
  readonly #sink: ExtractedSink;
  readonly #text: MarkupScanner;
  readonly #thinking: MarkupScanner;
  readonly #newFirst: () => FirstRecipient | undefined;
  #first: FirstRecipient | undefined;
  readonly #ends: EndTokens;
  #hasThought = false;
  /** Calls in the thinking, each with its markup and the white space after it. */
  readonly #held: { readonly calls: readonly TextCall[]; markup: string }[] = [];

  constructor(
    sink: ExtractedSink,
    {
      model,
      ...options
    }: Pick<MarkupScannerOptions, 'isOffered' | 'hasTools' | 'hasNativeCalls'> & { readonly model: string },
  ) {
    this.#sink = sink;
    const families = familiesOf(model);
    const formats = formatsFor(families);
    this.#newFirst = () => (families.has('functionary') ? new FirstRecipient(options.isOffered) : undefined);
    this.#first = this.#newFirst();
    this.#ends = new EndTokens({
      isInCode: () => this.#text.isInCode,
      isInCall: () => this.#text.isCapturing || this.#text.isAfterCall,
      hasOther: () => this.#hasThought || options.hasNativeCalls(),
    });
    this.#text = new MarkupScanner({
      ...options,
      formats,
      mayBeWholeAnswer: true,
      sink: {
        text: (text) => sink.write('text', text),
        calls: (calls, markup) => sink.calls(calls, markup),
        cutOff: (markup) => sink.cutOff(markup),
      },
    });
    this.#thinking = new MarkupScanner({
      ...options,
      formats: mayCallInThoughts(families) ? formats : [],
      mayBeWholeAnswer: false,
      sink: {
        text: (text) => this.#think(text),
        calls: (calls, markup) => this.#held.push({ calls, markup }),
        cutOff: (markup) => this.#think(markup),
      },
    });
  }

  /** Whether the next text belongs to a call. */
  get isCapturing(): boolean {
    return this.#text.isCapturing;
  }

  pushText(text: string): void {
    this.#push(this.#first?.push(text) ?? text);
  }

  pushThinking(text: string): void {
    this.#hasThought = true;
    this.#thinking.push(text);
  }

  /** Reads the text after this as a new answer. */
  restartText(): void {
    this.#endInput(false);
    this.#hasThought = true;
    this.#text.restart();
    this.#first = this.#newFirst();
  }

  endText(isComplete: boolean): void {
    this.#endInput(isComplete);
    this.#text.end(isComplete);
  }

  endThinking(isComplete: boolean): void {
    this.#thinking.end(isComplete);
  }

  /** Something follows the held calls, so they were only thought of: they become thinking. */
  releaseHeld(doesThoughtGoOn = false): void {
    if (this.#held.length === 0) return;
    const markup = this.#held.map((held) => held.markup).join('');
    this.#held.length = 0;
    this.#sink.write('thinking', doesThoughtGoOn ? markup : markup.trimEnd());
  }

  /** Removes the held calls and returns them. */
  takeHeld(): readonly TextCall[] {
    return this.#held.splice(0).flatMap(({ calls }) => calls);
  }

  #push(text: string): void {
    const read = this.#ends.push(text);
    if (read !== '') this.#text.push(read);
  }

  /** Reads the text that was held back. */
  #endInput(isComplete: boolean): void {
    this.#push(this.#first?.end() ?? '');
    const read = this.#ends.end(isComplete);
    if (read !== '') this.#text.push(read);
  }

  #think(text: string): void {
    const last = this.#held.at(-1);
    if (!last) return this.#sink.write('thinking', text);
    last.markup += text;
    if (text.trim() !== '') this.releaseHeld(true);
  }
}
