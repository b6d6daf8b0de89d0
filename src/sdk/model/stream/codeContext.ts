/** Tells whether a growing Markdown text ends inside code. Reads each character once, and only when asked. */
export class CodeContext {
  #unread: string[] = [];
  #line = '';
  #fence: string | undefined;
  /** A code span that began with markup is still open from the line before. */
  #isSpanOpen = false;

  add(text: string): void {
    this.#unread.push(text);
  }

  /**
   * Whether the text ends in a fenced block or in a code span. A span goes on in the next line only if it began with markup:
   * a stray backtick in a text must not hide a call after it.
   */
  isInCode(): boolean {
    this.#read();
    return this.#fence !== undefined || this.#endsInSpan(this.#line);
  }

  #endsInSpan(line: string): boolean {
    return ((line.match(/`/g)?.length ?? 0) + (this.#isSpanOpen ? 1 : 0)) % 2 === 1;
  }

  /** Whether the last line has only white space so far. */
  isAtLineStart(): boolean {
    this.#read();
    return this.#line.trim() === '';
  }

  /** Whether the last line ends a sentence, perhaps with a blank, so that nothing of it leads to what follows. */
  endsSentence(mayEndBlank = false): boolean {
    this.#read();
    return (mayEndBlank ? /[.!?…。！？] ?$/ : /[.!?:…。！？：]$/).test(this.#line);
  }

  #read(): void {
    if (this.#unread.length === 0) return;
    const text = this.#line + this.#unread.join('');
    this.#unread = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#endLine(text.slice(start, end));
      start = end + 1;
    }
    this.#line = text.slice(start);
  }

  #endLine(line: string): void {
    const marks = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line.trimEnd());
    const fence = marks?.[1];
    const isParagraph = fence === undefined && this.#fence === undefined && line.trim() !== '';
    const goesOn = (this.#isSpanOpen && !line.includes('`')) || /`(?:[<[{]|\]<\]|functools\[|>>>)[^`]*$/.test(line);
    this.#isSpanOpen = isParagraph && goesOn && this.#endsInSpan(line);
    if (fence === undefined) return;
    if (this.#fence === undefined) this.#fence = fence;
    else if (fence.startsWith(this.#fence) && marks?.[2] === '') this.#fence = undefined;
  }
}
