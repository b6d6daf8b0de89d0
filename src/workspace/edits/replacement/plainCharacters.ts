import { withoutHidden } from '../typography';
import type { QuotedPlace } from './quotedPlace';

/**
 * Takes characters that do not show out of both texts, composes their letters, and writes an ellipsis as three dots, if
 * the quote has this wrongly and the file has it nowhere. `undefined` if it is unclear which ellipses are wrong.
 */
export function withPlainCharacters(given: QuotedPlace): QuotedPlace | undefined {
  const quote = given.oldLines.join('\n');
  const ways = [(text: string) => withoutHidden(text, quote), (text: string) => text.normalize('NFC')];
  const place = ways.reduce(applyWay, given);
  const count = (text: string): number => text.split(ELLIPSIS).length;
  const isMisquoted = place.oldLines.some(
    (line, index) => count(line) !== count(place.actual[place.actualOf[index] ?? -1]?.text ?? ''),
  );
  if (!isMisquoted) return place;
  const writesDots = place.newLines.some((line) => line.includes('...'));
  const hasEllipsis = place.newLines.some((line) => line.includes(ELLIPSIS));
  return place.fileText.includes(ELLIPSIS) || (writesDots && hasEllipsis) ? undefined : applyWay(place, withDots);
}

const ELLIPSIS = '\u2026';

function withDots(text: string): string {
  return text.replaceAll(ELLIPSIS, '...');
}

function applyWay(place: QuotedPlace, way: (text: string) => string): QuotedPlace {
  const isMisquoted = place.oldLines.some((line) => way(line) !== line);
  if (!isMisquoted || way(place.fileText) !== place.fileText) return place;
  return { ...place, oldLines: place.oldLines.map(way), newLines: place.newLines.map(way) };
}
