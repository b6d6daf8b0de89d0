import * as l10n from '../../../../util/l10n';
import { enumeration } from '../../../../util/locale';
import type { Remedy } from '../../../view/server/doctorReport';
import { withoutAnswer, type Check } from '../check';

/** Fewer pieces than this may arrive together by chance. */
const MIN_PIECES = 8;

/** Checks that the answer streams and ends properly. Uses the earlier answer. */
export const streamingCheck: Check = {
  id: 'streaming',
  title: () => l10n.t('Streaming'),
  skip: withoutAnswer,
  run({ answer }) {
    if (!answer) return { status: 'unknown', detail: l10n.t('There was no answer.') };
    const { raw, rejections, error } = answer;
    if (error) return { status: 'problem', detail: error.message };
    if (!raw.isStream) {
      return {
        status: 'advice',
        detail: l10n.t(
          'The answer came in one piece although a stream was asked for, so nothing shows until it is complete.',
        ),
        remedy: proxy(),
      };
    }
    if (raw.pieces >= MIN_PIECES && raw.arrivals === 1) {
      return {
        status: 'advice',
        detail: l10n.t(
          'All {0} pieces of the answer arrived at once, so nothing shows until it is complete. Something between here and the model holds them back.',
          raw.pieces,
        ),
        remedy: proxy(),
      };
    }
    if (raw.finishReason === undefined && !raw.isDone) {
      return {
        status: 'problem',
        detail: l10n.t(
          'The stream ends with neither a finish_reason nor [DONE], so an answer that was cut off cannot be told from a complete one.',
        ),
        remedy: { text: l10n.t('Update the server, or look at what stands between it and Open Agent.') },
      };
    }
    const ending = [raw.finishReason !== undefined && 'finish_reason', raw.isDone && '[DONE]'].filter(
      (word) => word !== false,
    );
    const arrives = l10n.t(
      'The answer arrives while it is written ({0} pieces) and ends with {1}.',
      raw.pieces,
      enumeration(ending),
    );
    if (!raw.hasUsage) {
      const why = rejections.length > 0 ? ` ${rejections.join(' ')}` : '';
      return {
        status: 'advice',
        detail: `${arrives} ${l10n.t('The server does not report token counts with it, so sizes are estimated.')}${why}`,
        remedy: { text: l10n.t('Update the server: current ones take stream_options.include_usage.') },
      };
    }
    return { status: 'ok', detail: `${arrives} ${l10n.t('Token counts come with it.')}` };
  },
};

const proxy = (): Remedy => ({
  text: l10n.t('If a proxy stands before the server, turn its response buffering off; for nginx: proxy_buffering off;'),
  copy: 'proxy_buffering off;',
});
