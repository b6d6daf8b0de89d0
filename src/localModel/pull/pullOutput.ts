const MAX_KEPT = 2_000;
// oxlint-disable-next-line no-control-regex -- finds the codes with which programs draw their progress
const CODES = /\u001B\[[0-9;?]{0,20}[A-Za-z]|[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/** Reads what `ollama pull` and `lms get` print. It is foreign text: it is shown cleaned and shortened, and decides nothing. */
export class PullOutput {
  #kept = '';

  /** Takes the next piece. Returns the newest percentage, from 0 to 100. `undefined`: none was printed yet. */
  add(piece: string): number | undefined {
    this.#kept = (this.#kept + piece.slice(-MAX_KEPT)).slice(-MAX_KEPT);
    const percent = [...this.#kept.matchAll(/(?<![\d.])(\d{1,3})(?:\.\d{1,3})?\s?%/g)].at(-1)?.[1];
    return percent === undefined ? undefined : Math.min(100, Number(percent));
  }

  /** The last line with words, at most 300 characters, without control characters. */
  get lastWords(): string {
    const lines = this.#kept.split(/[\r\n]/).map((line) => line.replaceAll(CODES, '').trim());
    return (lines.findLast((line) => /[A-Za-z]{2}/.test(line)) ?? '').slice(-300);
  }
}
