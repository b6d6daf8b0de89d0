/** How many files of a kind get no report before nothing is awaited for that kind. */
const MAX_SILENT_FILES = 3;
const REMEMBERED_DELAYS = 5;
const MIN_FIRST_MS = 500;

interface Kind {
  hasReports: boolean;
  readonly silentFiles: Set<string>;
  readonly trials: Set<Promise<void>>;
  /** How long recent reports took after a change, in milliseconds. */
  delays: readonly number[];
}

/**
 * Learns for which kinds of files something reports problems, and how soon. A kind is any text that the caller chooses.
 * Nothing but waiting can show it: VS Code does not tell which language server checks a file, and when it is done.
 */
export class ReportingKinds {
  readonly #kinds = new Map<string, Kind>();
  readonly #longestMs: number;

  /** @param longestMs The wait for a first report of a kind that has not reported yet, and the longest wait. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** Whether several files of this kind got no report, and none did. */
  isSilent(kind: string): boolean {
    const known = this.#kinds.get(kind);
    return known !== undefined && !known.hasReports && known.silentFiles.size >= MAX_SILENT_FILES;
  }

  hasReports(kind: string): boolean {
    return this.#kinds.get(kind)?.hasReports ?? false;
  }

  /** Notes a report. `delayMs`: its time after the change of a file. */
  noteReport(kind: string, delayMs?: number): void {
    const known = this.#kindOf(kind);
    known.hasReports = true;
    if (delayMs !== undefined) known.delays = [...known.delays, delayMs].slice(-REMEMBERED_DELAYS);
  }

  /** Notes that a file got no report in time. */
  noteSilence(kind: string, file: string): void {
    const known = this.#kindOf(kind);
    if (known.silentFiles.size < MAX_SILENT_FILES) known.silentFiles.add(file);
  }

  /** How long to wait for the first report after a change, in milliseconds: twice the slowest of recent reports. */
  firstMs(kind: string): number {
    const delays = this.#kinds.get(kind)?.delays ?? [];
    if (delays.length === 0) return this.#longestMs;
    return Math.min(this.#longestMs, Math.max(MIN_FIRST_MS, 2 * Math.max(...delays)));
  }

  /**
   * Runs `tryIt`, which waits for a report, unless the kind is silent. Of a kind that is not known yet, as many files are
   * tried at once as its silence needs; others wait for their outcome. Returns whether it ran. Rejects as `tryIt` does.
   */
  async tryFile(kind: string, tryIt: () => Promise<void>): Promise<boolean> {
    const { trials, silentFiles } = this.#kindOf(kind);
    while (!this.hasReports(kind) && !this.isSilent(kind) && trials.size + silentFiles.size >= MAX_SILENT_FILES) {
      await Promise.race(trials);
    }
    if (this.isSilent(kind)) return false;
    const running = tryIt();
    const trial = running.catch(() => {}).finally(() => trials.delete(trial));
    trials.add(trial);
    await running;
    return true;
  }

  #kindOf(kind: string): Kind {
    const known = this.#kinds.get(kind) ?? { hasReports: false, silentFiles: new Set(), trials: new Set(), delays: [] };
    this.#kinds.set(kind, known);
    return known;
  }
}
