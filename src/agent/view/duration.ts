import * as l10n from '../../util/l10n';

/** `7 s`, `2 min 5 s`, `3 h 20 min`; never negative. */
export function formatSeconds(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
  return minutes === 0 ? l10n.t('{0} s', seconds) : l10n.t('{0} min {1} s', minutes, seconds % 60);
}
