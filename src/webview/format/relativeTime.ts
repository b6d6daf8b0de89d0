const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago: `just now`, `5 min ago`, `3 h ago`, `yesterday`, `4 days ago`, then the date. */
export function relativeTime(thenMs: number, nowMs: number): string {
  const ageMs = nowMs - thenMs;
  if (ageMs < minuteMs) return 'just now';
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min ago`;
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)} h ago`;
  const days = Math.floor(ageMs / dayMs);
  if (days === 1) return 'yesterday';
  if (days < 7) return `${days} days ago`;
  return new Date(thenMs).toLocaleDateString(undefined, { year: 'numeric', month: 'short', day: 'numeric' });
}
