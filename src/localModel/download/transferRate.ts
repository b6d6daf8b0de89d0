import * as l10n from '../../util/l10n';
import { fixed } from '../../util/locale';

/** How far a download is. */
export interface Progress {
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** Of the last seconds. Absent: not known yet. */
  readonly bytesPerSecond?: number | undefined;
}

const SPAN_MS = 5_000;

/** Measures the rate of the last seconds. */
export class TransferRate {
  readonly #now: () => number;
  #samples: { readonly ms: number; readonly bytes: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Adds the number of bytes that are there now. Returns the rate. `undefined`: not known yet. */
  add(bytes: number): number | undefined {
    const ms = this.#now();
    this.#samples.push({ ms, bytes });
    while (this.#samples.length > 2 && (this.#samples[1]?.ms ?? ms) < ms - SPAN_MS) this.#samples.shift();
    const [first] = this.#samples;
    if (!first || ms - first.ms < 500) return undefined;
    return ((bytes - first.bytes) / (ms - first.ms)) * 1_000;
  }
}

/** For example `1.2 of 4.7 GB, 12.3 MB/s, 5 minutes left`. */
export function progressText({ doneBytes, totalBytes, bytesPerSecond }: Progress): string {
  const done = l10n.t('{0} of {1}', sizeText(doneBytes), sizeText(totalBytes));
  if (bytesPerSecond === undefined || bytesPerSecond <= 0) return done;
  return l10n.t(
    '{0}, {1}/s, {2} left',
    done,
    sizeText(bytesPerSecond),
    timeText((totalBytes - doneBytes) / bytesPerSecond),
  );
}

/** In decimal units, as disks and hosts count. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${fixed(bytes / 1e9)} GB`;
  if (bytes >= 1e6) return `${bytes >= 1e7 ? Math.round(bytes / 1e6) : fixed(bytes / 1e6)} MB`;
  return `${Math.ceil(bytes / 1e3)} kB`;
}

function timeText(seconds: number): string {
  if (seconds < 60) return l10n.t('{0} s', Math.max(1, Math.round(seconds)));
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return l10n.t('{0} min', minutes);
  return l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}
