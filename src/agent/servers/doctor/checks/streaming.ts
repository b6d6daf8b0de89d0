import type { Remedy } from '../../../view/server/doctorReport';
import { withoutAnswer, type Check } from '../check';

/** Fewer pieces than this may arrive together by chance. */
const MIN_PIECES = 8;

/** Checks that the answer streams and ends properly. Uses the earlier answer. */
export const streamingCheck: Check = {
  id: 'streaming',
  title: 'Streaming',
  skip: withoutAnswer,
  run({ answer }) {
    if (!answer) return { status: 'unknown', detail: 'There was no answer.' };
    const { raw, rejections, error } = answer;
    if (error) return { status: 'problem', detail: error.message };
    if (!raw.isStream) {
      return {
        status: 'advice',
        detail: 'The answer came in one piece although a stream was asked for, so nothing shows until it is complete.',
        remedy: proxy,
      };
    }
    if (raw.pieces >= MIN_PIECES && raw.arrivals === 1) {
      return {
        status: 'advice',
        detail: `All ${raw.pieces} pieces of the answer arrived at once, so nothing shows until it is complete. Something between here and the model holds them back.`,
        remedy: proxy,
      };
    }
    if (raw.finishReason === undefined && !raw.isDone) {
      return {
        status: 'problem',
        detail:
          'The stream ends with neither a finish_reason nor [DONE], so an answer that was cut off cannot be told from a complete one.',
        remedy: { text: 'Update the server, or look at what stands between it and Open Agent.' },
      };
    }
    const ending = [raw.finishReason !== undefined && 'finish_reason', raw.isDone && '[DONE]'].filter(Boolean);
    const arrives = `The answer arrives while it is written (${raw.pieces} pieces) and ends with ${ending.join(' and ')}.`;
    if (!raw.hasUsage) {
      const why = rejections.length > 0 ? ` ${rejections.join(' ')}` : '';
      return {
        status: 'advice',
        detail: `${arrives} The server does not report token counts with it, so sizes are estimated.${why}`,
        remedy: { text: 'Update the server: current ones take stream_options.include_usage.' },
      };
    }
    return { status: 'ok', detail: `${arrives} Token counts come with it.` };
  },
};

const proxy: Remedy = {
  text: 'If a proxy stands before the server, turn its response buffering off; for nginx: proxy_buffering off;',
  copy: 'proxy_buffering off;',
};
