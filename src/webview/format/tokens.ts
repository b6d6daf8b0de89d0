import { decimal } from '../../util/locale';

/** `950`, `3.2k`, `32k`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const thousands = tokens / 1000;
  return thousands < 10 ? `${decimal(thousands)}k` : `${Math.round(thousands)}k`;
}

/** A context window: `32k` for 32768, because servers use powers of two. */
export function formatWindow(tokens: number): string {
  return tokens >= 1024 && tokens % 1024 === 0 ? `${tokens / 1024}k` : formatTokens(tokens);
}
