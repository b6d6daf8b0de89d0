import * as l10n from '../../util/l10n';

const MAX_KEPT = 2_000;
// oxlint-disable-next-line no-control-regex -- finds the codes with which programs draw their progress
const CODES = /\u001B\[[0-9;?]{0,20}[A-Za-z]|[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
const SIZE = String.raw`\d{1,6}(?:\.\d{1,3})? ?[kKMGT]?B`;
const PERCENT = /(?<![\d.])(\d{1,3})(?:\.\d{1,3})?\s?%/g;
/** `612 MB/5.2 GB` of Ollama, `1.20 GB / 2.65 GB` of LM Studio. */
const AMOUNT = new RegExp(`(${SIZE})\\s?/\\s{0,6}(${SIZE})`);
const RATE = new RegExp(`(${SIZE})/s`);
/** `1m42s` of Ollama, `ETA 00:41` of LM Studio. */
const LEFT = /\/s\s{1,9}((?:\d{1,3}[hms]){1,3})|ETA ((?:\d{1,3}:){1,2}\d{2})/;

/** How far a pull is. A model has several files, so it may fall. */
export interface PullProgress {
  /** From 0 to 100. */
  readonly percent: number;
  /** For example `612 MB of 5.2 GB, 45 MB/s, 1m42s left`, as far as the program tells. */
  readonly text: string;
}

/** Reads what `ollama pull` and `lms get` print. It is foreign text: it is shown cleaned and shortened, and decides nothing. */
export class PullOutput {
  #kept = '';
  #text = '';

  /** Takes the next piece. Returns the newest progress. `undefined`: none was printed yet. */
  add(piece: string): PullProgress | undefined {
    this.#kept = (this.#kept + piece.slice(-MAX_KEPT)).slice(-MAX_KEPT);
    const found = [...this.#kept.matchAll(PERCENT)].at(-1);
    if (!found) return undefined;
    // What follows the percentage belongs to it, up to the next line that is drawn over it.
    const [after = ''] = this.#kept.slice(found.index).split(/[\r\n]/, 1);
    const line = after.replaceAll(CODES, ' ');
    const percent = Math.min(100, Number(found[1]));
    const [, done, all] = AMOUNT.exec(line) ?? [];
    const [, rate] = RATE.exec(line) ?? [];
    const [, left, eta = left] = LEFT.exec(line) ?? [];
    // A line may come in pieces, its percentage first.
    if (done !== undefined || percent === 100 || this.#text === '') {
      this.#text = [
        done === undefined ? `${percent} %` : l10n.t('{0} of {1}', done, all ?? ''),
        ...(rate === undefined ? [] : [`${rate}/s`]),
        ...(eta === undefined ? [] : [l10n.t('{0} left', eta)]),
      ].join(', ');
    }
    return { percent, text: this.#text };
  }

  /** The last line with words, at most 300 characters, without control characters. */
  get lastWords(): string {
    const lines = this.#kept.split(/[\r\n]/).map((line) => line.replaceAll(CODES, '').trim());
    return (lines.findLast((line) => /[A-Za-z]{2}/.test(line)) ?? '').slice(-300);
  }
}
