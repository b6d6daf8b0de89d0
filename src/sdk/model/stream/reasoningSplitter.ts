import { beginsBlank } from '../leadingSpace';
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
  /** The beginning of the reasoning field, while it may be an opening tag. `undefined` after it. */
  #beginning: string | undefined = '';
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
      hasThoughtElsewhere: () => this.#reasoning !== '',
    });
    this.#channels = new HarmonySplitter({
      ...shared,
      plain: (text) => this.#tags.push(text),
      textEnd: () => sink.textEnd(),
      call: (call, markup) => sink.call(call, markup),
      cutOff: (markup) => sink.cutOff(markup),
    });
  }

  /** Takes more of the reasoning field. Some servers leave the opening tag in it. */
  pushReasoning(text: string): void {
    if (this.#beginning === undefined) return this.#think(text);
    this.#beginning += text;
    const begun = this.#beginning.trimStart();
    if (begun.length < OPEN.length && OPEN.startsWith(begun) && !beginsBlank(this.#beginning)) return;
    this.#endBeginning();
  }

  pushText(text: string): void {
    this.#endBeginning();
    this.#channels.push(text);
  }

  /** The answer is over. Unless it `isComplete`, a call whose JSON is not closed is cut off. */
  end(isComplete: boolean): void {
    this.#endBeginning();
    this.#channels.end(isComplete);
    this.#tags.end();
  }

  #think(text: string): void {
    this.#reasoning += text;
    this.#sink.thinking(text);
  }

  #endBeginning(): void {
    const beginning = this.#beginning ?? '';
    if (beginning === '') return;
    this.#beginning = undefined;
    const begun = beginning.trimStart();
    const text = begun.startsWith(OPEN) ? begun.slice(OPEN.length).replace(/^\r?\n/, '') : beginning;
    if (text !== '') this.#think(text);
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

const OPEN = '<think>';
