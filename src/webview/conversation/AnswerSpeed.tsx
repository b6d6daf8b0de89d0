import * as l10n from '../../util/l10n';
import { formatSeconds } from '../../agent/view/duration';
import { formatSpeed } from '../../agent/view/promptReading';
import type { TextItem } from '../../agent/view/sessionView';

/** How fast an answer was. Shows under the pointer; Tab reaches it too. */
export function AnswerSpeed({ item }: { readonly item: TextItem }) {
  const { tokensPerSecond, firstTokenMs } = item;
  const parts = [
    ...(tokensPerSecond === undefined ? [] : [formatSpeed(tokensPerSecond)]),
    ...(firstTokenMs === undefined ? [] : [l10n.t('first token after {0}', shortTime(firstTokenMs))]),
  ];
  if (item.isStreaming || parts.length === 0) return null;
  // Without text of its own, so that nobody copies it with the answer.
  return (
    <span
      class="answer-speed"
      role="note"
      aria-label={l10n.t('Speed: {0}', parts.join(', '))}
      data-text={parts.join(' · ')}
      tabIndex={0}
    />
  );
}

function shortTime(timeMs: number): string {
  if (timeMs < 100) return '< 0.1 s';
  return timeMs < 10_000 ? `${(timeMs / 1_000).toFixed(1)} s` : formatSeconds(timeMs);
}
