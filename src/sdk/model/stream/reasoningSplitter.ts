import { HarmonySplitter, type HarmonySink } from './harmonyChannels';
import { ThinkTagSplitter, type ThinkTagSink } from './thinkTags';

/** Receives an answer split into text and thinking. */
export type ReasoningSink = Omit<HarmonySink, 'plain'> & Pick<ThinkTagSink, 'orphanEnd' | 'isLiteral'>;

/**
 * Second stage: tells the model's thinking from its text. Thinking comes in the reasoning field, in Harmony channels, or
 * between think tags in the text.
 */
export class ReasoningSplitter {
  readonly #sink: ReasoningSink;
  readonly #channels: HarmonySplitter;
  readonly #tags: ThinkTagSplitter;
  /** All of the reasoning field. */
  #reasoning = '';
  /** A thought between tags that may repeat the reasoning field. */
  #taggedThought = '';

  constructor(sink: ReasoningSink) {
    this.#sink = sink;
    const shared: Pick<HarmonySink, 'text' | 'thinking' | 'thinkingEnd'> = {
      text: (text) => sink.text(text),
      thinking: (text) => this.#takeThought(text),
      thinkingEnd: () => this.#endThought(),
    };
    this.#tags = new ThinkTagSplitter({
      ...shared,
      orphanEnd: () => sink.orphanEnd(),
      isLiteral: () => sink.isLiteral() || this.#reasoning !== '',
    });
    this.#channels = new HarmonySplitter({
      ...shared,
      plain: (text) => this.#tags.push(text),
      textEnd: () => sink.textEnd(),
      call: (call, markup) => sink.call(call, markup),
      cutOff: (markup) => sink.cutOff(markup),
    });
  }

  /** Takes more of the reasoning field. */
  pushReasoning(text: string): void {
    this.#reasoning += text;
    this.#sink.thinking(text);
  }

  pushText(text: string): void {
    this.#channels.push(text);
  }

  /** The answer is over. Unless it `isComplete`, a call whose JSON is not closed is cut off. */
  end(isComplete: boolean): void {
    this.#channels.end(isComplete);
    this.#tags.end();
  }

  #takeThought(text: string): void {
    if (this.#reasoning === '') this.#sink.thinking(text);
    else this.#taggedThought += text;
  }

  #endThought(): void {
    const thought = this.#taggedThought;
    this.#taggedThought = '';
    // Some servers fill the field and leave the tags in. Then both say the same.
    if (thought.trim() !== this.#reasoning.trim()) this.#sink.thinking(thought);
    this.#sink.thinkingEnd();
  }
}
