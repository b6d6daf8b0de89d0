import type { Usage } from '../../../sdk/messages';
import type { ResponseTimes, SessionView, TextItem } from '../sessionView';

export type ResponseSpeed = Pick<TextItem, 'tokensPerSecond' | 'firstTokenMs'>;

/** In a shorter time nothing can be measured. */
const SHORTEST_MS = 1_000;

/** A piece of the response has come. The first one counts. */
export function timeFirstPiece(view: SessionView, ts: number): SessionView {
  const { responseTimes: times } = view;
  if (times === undefined || times.firstMs !== undefined) return view;
  // A file that is loaded does not know when the request began.
  if (ts <= times.requestedMs) return { ...view, responseTimes: undefined };
  return { ...view, responseTimes: { ...times, firstMs: ts } };
}

/** How fast a response was that ended at `endedMs`. The server's own measure counts more than the time on this side. */
export function responseSpeed(
  times: ResponseTimes | undefined,
  usage: Usage | undefined,
  endedMs: number,
): ResponseSpeed {
  const tokensPerSecond = usage?.writtenPerSecond ?? measured(times, usage, endedMs);
  return { ...(tokensPerSecond !== undefined && { tokensPerSecond }), ...firstPieceTime(times) };
}

export function firstPieceTime(times: ResponseTimes | undefined): Pick<TextItem, 'firstTokenMs'> {
  return times?.firstMs === undefined ? {} : { firstTokenMs: times.firstMs - times.requestedMs };
}

function measured(times: ResponseTimes | undefined, usage: Usage | undefined, endedMs: number): number | undefined {
  if (times?.firstMs === undefined || usage === undefined || usage.completionTokens < 2) return undefined;
  const elapsedMs = endedMs - times.firstMs;
  // The first token was written before the clock starts.
  return elapsedMs < SHORTEST_MS ? undefined : ((usage.completionTokens - 1) / elapsedMs) * 1_000;
}
