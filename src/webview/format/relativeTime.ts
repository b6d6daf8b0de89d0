import { day } from '../../util/locale';
import * as l10n from '../../util/l10n';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago: `just now`, `5 min ago`, `3 h ago`, `yesterday`, `4 days ago`, then the date. */
export function relativeTime(thenMs: number, nowMs: number): string {
  const ageMs = nowMs - thenMs;
  if (ageMs < minuteMs) return l10n.t('just now');
  if (ageMs < hourMs) return l10n.t('{0} min ago', Math.floor(ageMs / minuteMs));
  if (ageMs < dayMs) return l10n.t('{0} h ago', Math.floor(ageMs / hourMs));
  const days = Math.floor(ageMs / dayMs);
  if (days === 1) return l10n.t('yesterday');
  if (days < 7) return l10n.t('{0} days ago', days);
  return day(thenMs);
}
