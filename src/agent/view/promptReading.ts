import { decimal } from '../../util/locale';
import * as l10n from '../../util/l10n';
import type { PromptProgress } from '../../sdk/events';

/** How far a server is with a prompt, for screens. */
export interface PromptReading {
  /** Of all tokens, from 0 to 100. */
  readonly percent: number;
  /** Without the cached tokens. Absent: not known yet. */
  readonly tokensPerSecond?: number | undefined;
  /** At the speed so far. Absent: not known yet, or all is read. */
  readonly leftMs?: number | undefined;
}

/** `undefined` where the server reports no sensible numbers. */
export function promptReading({ total, processed, cached, elapsedMs }: PromptProgress): PromptReading | undefined {
  const share = processed / total;
  if (!(total > 0) || !Number.isFinite(share)) return undefined;
  const percent = Math.min(100, Math.max(0, Math.floor(share * 100)));
  const tokensPerSecond = ((processed - cached) / (elapsedMs ?? 0)) * 1_000;
  if (!isMeasure(tokensPerSecond)) return { percent };
  const leftMs = ((total - processed) / tokensPerSecond) * 1_000;
  return { percent, tokensPerSecond, ...(isMeasure(leftMs) && { leftMs }) };
}

function isMeasure(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}

/** `850 tokens/s`, `7.5 tokens/s`. */
export function formatSpeed(tokensPerSecond: number): string {
  const shown = tokensPerSecond < 10 ? decimal(tokensPerSecond) : Math.round(tokensPerSecond);
  return l10n.t('{0} tokens/s', shown);
}
