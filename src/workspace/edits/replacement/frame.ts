import { diffRuns } from '../diff/lineDiff';
import { partsOf } from './indentation';
import { toPlain } from '../typography';
import type { QuotedPlace } from './quotedPlace';

/**
 * Decides how the new text is written: as the misquoted old text, or as the file. The lines that the model kept show
 * it. In the second case, returns the place with the lines of the file as quote. `undefined` if both are possible.
 */
export function settleFrame(place: QuotedPlace): QuotedPlace | undefined {
  if (place.isFirstPartial) return place;
  const { oldLines, newLines, actual, actualOf } = place;
  const fileLines = oldLines.map((line, index) => actual[actualOf[index] ?? -1]?.text ?? line);
  const isOther = oldLines.map((line, index) => line.trim() !== '' && line !== fileLines[index]);
  if (!isOther.includes(true)) return place;
  if (depthOf(oldLines) !== depthOf(fileLines) && changesOnlyBlanks(place)) return undefined;
  const isOtherOnlyInMarks = oldLines.map(
    (line, index) => isOther[index] === true && toPlain(line.trim()) === toPlain(fileLines[index]?.trim() ?? ''),
  );
  // A word that the new text has right says nothing about indentation and quotation marks.
  const differs = isOtherOnlyInMarks.includes(true) ? isOtherOnlyInMarks : isOther;
  // A tab that the file has nowhere is not written as the file is.
  const isForeign = newLines.some((line) => TABBED.test(line)) && !TABBED.test(place.fileText);
  const asFile = isForeign || mayBeMisquoted(place, fileLines) ? undefined : { ...place, oldLines: fileLines };
  const [likeQuote, likeFile] = [oldLines, fileLines].map((lines) => countKept(lines, newLines, differs)) as [
    number,
    number,
  ];
  const byDepth = frameByDepth(newLines, oldLines, fileLines);
  // A line can equal a deeper line of the other frame by chance, above all a bracket. The depths must not show the opposite.
  if (likeQuote > 0 && likeFile === 0) return byDepth === 'file' ? undefined : place;
  const isTelling = differs.map((isOne, index) => isOne && /\w/.test(oldLines[index] ?? ''));
  // A bracket can have the depth of the file by chance. Then the depths must show it.
  const isKept = byDepth === 'file' ? isTelling.includes(true) : countKept(fileLines, newLines, isTelling) > 0;
  const isAsDeepAsQuote = depthOf(newLines) === depthOf(oldLines) && depthOf(newLines) !== depthOf(fileLines);
  if (likeFile > 0 && likeQuote === 0) return byDepth === 'quote' || !isKept || isAsDeepAsQuote ? undefined : asFile;
  // Words are kept from the other frame, and only brackets from this one.
  if (byDepth === 'file' && countKept(oldLines, newLines, isTelling) > countKept(fileLines, newLines, isTelling))
    return undefined;
  // More lines are kept from the other frame than have the depths of this one.
  if (byDepth === 'quote' ? likeFile > likeQuote : likeQuote > likeFile) return undefined;
  // Without a kept line, the depth of the file may also be another depth as the quote has them.
  const isProven = likeFile > 0 || !isScaled(place);
  if (byDepth === 'file') return isProven ? asFile : undefined;
  // The depth of the quote may also be that of a line that is continued: in the file or in the new text, or the quote has no
  // other depth.
  const isOnlyOne = indentationsOf(oldLines).filter((one) => one !== '').length === 1;
  const isDoubtful = isOnlyOne || continuesLine(newLines) || isContinued(place.fileText, levelOf(newLines));
  const continues = likeQuote === 0 && isScaled(place) && isDoubtful;
  if (byDepth === 'quote') return continues ? undefined : place;
  const isMoved = [outerDepths, levelOf].some((depths) => depths(oldLines) !== depths(fileLines));
  return likeFile > 0 || (isMoved && newLines.some((line) => line.trim() !== '')) ? undefined : place;
}

/** Whether the new text differs from the quote in blanks within its lines and at their starts, and in nothing else. */
function changesOnlyBlanks({ oldLines, newLines }: QuotedPlace): boolean {
  const [old, fresh] = [oldLines, newLines].map((lines) => lines.map((line) => line.trim()).join('\n')) as [
    string,
    string,
  ];
  return old !== fresh && old.replaceAll(/[ \t]+/g, '') === fresh.replaceAll(/[ \t]+/g, '');
}

/**
 * Whether a line that the file does not have is written in a way that the quote has wrongly: with blanks at its end, or with
 * a special or encoded character that the file's line does not have. Or the quote has another depth, and nothing but blanks
 * would change: they may be the same mistake.
 */
function mayBeMisquoted({ oldLines, newLines }: QuotedPlace, fileLines: readonly string[]): boolean {
  const textOf = (lines: readonly string[]): string => lines.map((line) => line.trim()).join('\n');
  if (depthOf(oldLines) !== depthOf(fileLines) && textOf(newLines) === textOf(fileLines)) return true;
  const waysOf = (line: string): ReadonlySet<string> => new Set(line.match(SPECIAL));
  const wrong = new Set<string>();
  for (const [index, line] of oldLines.entries()) {
    const [quoted, real] = [waysOf(line), waysOf(fileLines[index] ?? '')];
    for (const one of quoted) if (!real.has(one)) wrong.add(one);
  }
  const known = new Set(fileLines);
  return wrong.size > 0 && newLines.some((line) => !known.has(line) && [...waysOf(line)].some((one) => wrong.has(one)));
}

/** Characters that are no plain ones, encoded ones, and blanks at the end of a line. */
const SPECIAL = /[^\0-\x7F]|&#?\w+;|\\+.?|(?<=\S)[ \t]+$/g;

/** Whether the quote has levels of another width than the file, in spaces. */
function isScaled({ oldLines, actual, actualOf }: QuotedPlace): boolean {
  return oldLines.some((line, index) => {
    const [quoted, real] = [line, actual[actualOf[index] ?? -1]?.text ?? ''].map((one) => partsOf(one).indentation);
    return /^ +$/.test(quoted ?? '') && /^ +$/.test(real ?? '') && quoted !== real;
  });
}

/** Whether the first line that is deeper than the one before it continues that one. */
function continuesLine(lines: readonly string[]): boolean {
  const depths = lines.map((line) => partsOf(line).indentation.length);
  const deeper = lines.findIndex(
    (line, index) => index > 0 && line.trim() !== '' && depths[index]! > depths[index - 1]!,
  );
  return deeper > 0 && /(?:=>|[^=]=|[<(,+&|?])\s*$/.test(lines[deeper - 1] ?? '');
}

/** Whether the file has a line of this indentation behind one without any. */
function isContinued(fileText: string, indentation: string): boolean {
  return indentation !== '' && new RegExp(`^\\S.*\\r?\\n${indentation}\\S`, 'm').test(fileText);
}

const TABBED = /^ *\t/m;

/** Which frame has the depths of the new text. `undefined`: both or none. */
function frameByDepth(
  newLines: readonly string[],
  quoteLines: readonly string[],
  fileLines: readonly string[],
): 'quote' | 'file' | undefined {
  for (const depths of [outerDepths, levelOf]) {
    const [ofNew, ofQuote, ofFile] = [depths(newLines), depths(quoteLines), depths(fileLines)];
    if (ofQuote === ofFile) continue;
    return ofNew === ofQuote ? 'quote' : ofNew === ofFile ? 'file' : undefined;
  }
  return undefined;
}

/** How many of the lines that differ are in the new text, in the same order. */
function countKept(lines: readonly string[], newLines: readonly string[], differs: readonly boolean[]): number {
  let count = 0;
  for (const { isEqual, oldStart, oldEnd } of diffRuns(lines, newLines)) {
    for (let index = oldStart; isEqual && index < oldEnd; index++) if (differs[index]) count++;
  }
  return count;
}

/** The indentation of the first line, and the smallest one. */
function outerDepths(lines: readonly string[]): string {
  return `${indentationsOf(lines)[0] ?? ''}|${depthOf(lines)}`;
}

/** The smallest indentation. */
function depthOf(lines: readonly string[]): string {
  return smallest(indentationsOf(lines));
}

/** The smallest indentation that is not empty. */
function levelOf(lines: readonly string[]): string {
  return smallest(indentationsOf(lines).filter((one) => one !== ''));
}

function indentationsOf(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.trim() !== '').map((line) => partsOf(line).indentation);
}

function smallest(some: readonly string[]): string {
  return some.reduce((a, b) => (b.length < a.length ? b : a), some[0] ?? '');
}
