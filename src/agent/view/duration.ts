/** `7 s`, `2 min 5 s`, `3 h 20 min`; never negative. */
export function formatSeconds(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}
