import { isBlank } from '../lineEnds';
import { alignLines, type LineOrigin } from './alignLines';
import { findGaps, settleGaps } from './blankGaps';
import { settleFrame } from './frame';
import { learnIndentation, partsOf, type IndentationRule } from './indentation';
import { withoutMissingBlanks } from './missingBlanks';
import { mergeLine, misquotedPieces } from './mergeLine';
import { withPlainCharacters } from './plainCharacters';
import type { ActualLine, QuotedPlace } from './quotedPlace';
import { toPlain, TypographyEvidence, writesBareMark } from '../typography';

/**
 * The replacement for the quoted lines: the model's change, applied to the file's own lines. Unchanged lines keep the bytes of
 * the file. New lines are translated as the quote shows. `undefined` if that would be a guess. Without a final line end.
 */
export function restoreReplacement(given: QuotedPlace): string | undefined {
  const plain = withPlainCharacters(given);
  const complete = plain && withoutMissingBlanks(plain);
  const place = complete && settleFrame(complete);
  if (!place) return undefined;
  const ways = learnWays(place);
  if (!ways) return undefined;
  const { oldLines, newLines, actual, actualOf } = place;
  const known = new Set(oldLines);
  if (ways.isAlignedAgain(newLines.filter((line) => !known.has(line)))) return undefined;
  const origins = alignLines(oldLines, newLines);
  const gaps = settleGaps(findGaps(place), oldLines, newLines, origins);
  if (!gaps) return undefined;
  // The file has blanks on a line that the edit removes. A blank line that it adds may be this one, moved.
  const kept = new Set(origins.map((origin) => (origin.kind === 'new' ? -1 : origin.oldIndex)));
  const losesLineOfBlanks = oldLines.some(
    (line, index) => line === '' && !kept.has(index) && (actual[actualOf[index] ?? -1]?.text ?? '') !== '',
  );
  if (losesLineOfBlanks && newLines.some((line, index) => line === '' && origins[index]?.kind === 'new'))
    return undefined;
  const inserted: string[] = [];
  const note = (text: string): string | undefined => {
    inserted.push(text);
    return ways.restoreText(text);
  };

  const lines: ActualLine[] = [];
  let lineEnd = actual[0]?.lineEnd || place.lineEnd;
  for (const [index, line] of newLines.entries()) {
    const origin = origins[index] ?? { kind: 'new' };
    if (gaps.covered.has(index)) continue;
    const own = gaps.inPlace.get(index);
    if (own) {
      lines.push(own);
      continue;
    }
    if (origin.kind === 'new') {
      const text = ways.sameElsewhere(line) ?? restoreLine(line, ways, note);
      if (text === undefined) return undefined;
      lines.push({ text, lineEnd });
      continue;
    }
    const match = actual[actualOf[origin.oldIndex] ?? -1];
    // The file does not have this blank line.
    if (!match) continue;
    if (origin.kind === 'same' && ways.isOneOfSeveral(line)) return undefined;
    if (ways.isStretched && match.text === line && /\S[ \t]{2,}\S/.test(line)) return undefined;
    if (isBlank(line) && match.text !== '' && match.text !== line && !isBetweenSame(origins, index)) return undefined;
    const text = origin.kind === 'same' ? match.text : mergeParts(place, origin.oldIndex, line, ways, note);
    if (text === undefined) return undefined;
    lineEnd = match.lineEnd || lineEnd;
    lines.push({ text, lineEnd });
    lines.push(...(gaps.keptAfter.get(index) ?? []));
  }
  if (inserted.some((text) => ways.misquoted.some((word) => text.includes(word)))) return undefined;
  return lines.map((line, index) => (index + 1 < lines.length ? line.text + line.lineEnd : line.text)).join('');
}

/** Whether the lines on both sides are the same in both texts. Other blank lines may be aligned by chance. */
function isBetweenSame(origins: readonly LineOrigin[], index: number): boolean {
  const at = origins[index];
  if (at === undefined || at.kind === 'new') return false;
  return [-1, 1].every((step) => {
    const next = origins[index + step];
    return next === undefined || (next.kind !== 'new' && next.oldIndex === at.oldIndex + step);
  });
}

/** How the model's quote differs from the file, and how to translate new text back. */
interface Ways {
  readonly restoreIndentation: IndentationRule;
  readonly restoreText: (text: string) => string | undefined;
  readonly restoreTrailing: (trailing: string, body: string) => string | undefined;
  /** The quote has tabs for spaces or the reverse, and the file has both, so a changed line may get the others. */
  readonly isMixed: boolean;
  /** At least one quoted line ends with these blanks, and ends otherwise in the file. */
  readonly isTrailingAdded: (trailing: string) => boolean;
  /** The entities of the new text are text, those of the quote are not. */
  readonly keepsEntities: boolean;
  readonly losesAlignment: (actual: string) => boolean;
  readonly changesBlanks: (quoted: string, wanted: string) => boolean;
  readonly isAlignedAgain: (lines: readonly string[]) => boolean;
  /** The quote has several blanks where the file has one, so those of a line that it has right may be wrong in the new text. */
  readonly isStretched: boolean;
  /** The file's version of a line that the quote has in the same words. */
  readonly sameElsewhere: (line: string) => string | undefined;
  /** The quoted line means several different lines of the file, and their number changes. */
  readonly isOneOfSeveral: (line: string) => boolean;
  /** Words with wrong letters. */
  readonly misquoted: readonly string[];
}

function learnWays({ oldLines, newLines, actual, actualOf, isFirstPartial, fileText }: QuotedPlace): Ways | undefined {
  const keepsEntities = writesBareMark(oldLines.join('\n'), newLines.join('\n'));
  const evidence = new TypographyEvidence(fileText, keepsEntities);
  const counts = { old: countsOf(oldLines), fresh: countsOf(newLines) };
  const indentations: { quoted: string; actual: string }[] = [];
  const trailings = { blank: new Map<string, Set<string>>(), solid: new Map<string, Set<string>>() };
  const versions = new Map<string, Set<string>>();
  const added: string[] = [];
  const misquoted: string[] = [];
  // On blank lines, the model wrote tabs for spaces or the reverse, or more or fewer blanks.
  let hasOtherBlanks = false;
  for (const [index, line] of oldLines.entries()) {
    const match = actual[actualOf[index] ?? -1];
    if (!match) continue;
    versions.set(line, (versions.get(line) ?? new Set()).add(match.text));
    const quoted = partsOf(line);
    const real = partsOf(match.text);
    const known = quoted.body === '' ? trailings.blank : trailings.solid;
    if (quoted.body !== '' && quoted.trailing !== real.trailing) added.push(quoted.trailing);
    known.set(quoted.trailing, (known.get(quoted.trailing) ?? new Set()).add(real.trailing));
    if (quoted.body === '') {
      const isOther = quoted.trailing !== '' && real.trailing !== '' && quoted.trailing !== real.trailing;
      if (isOther || quoted.trailing.includes('\t') !== real.trailing.includes('\t')) hasOtherBlanks = true;
      continue;
    }
    if (!(isFirstPartial && index === 0)) {
      indentations.push({ quoted: quoted.indentation, actual: real.indentation });
    }
    if (toPlain(quoted.body) === toPlain(real.body)) evidence.add(quoted.body, real.body);
    else {
      evidence.addUnlike(quoted.body, real.body);
      misquoted.push(...misquotedPieces(toPlain(quoted.body), toPlain(real.body)));
    }
  }
  const restoreIndentation = learnIndentation(indentations);
  if (!restoreIndentation) return undefined;
  const adds = (all: ReadonlyMap<string, ReadonlySet<string>>): boolean =>
    [...all].some(([quoted, reals]) => [...reals].some((real) => quoted.length > real.length));
  const addsTrailing = adds(trailings.blank) || adds(trailings.solid);
  const addsToBlankOnly = !adds(trailings.solid);
  const hasTrailing = [...trailings.solid.values()].some((all) => [...all].some((real) => real !== ''));
  const ofBlank = oldLines.flatMap((line, index) => (line === '' ? [actual[actualOf[index] ?? -1]?.text ?? ''] : []));
  const losesBlanks = ofBlank.length > 1 && !ofBlank.includes('');
  let ofFile: ReadonlySet<string> | undefined;
  const endsSo = (trailing: string): boolean => (ofFile ??= trailingsOf(fileText)).has(trailing);
  const addsAlways = added.length >= MIN_ALWAYS && new Set(added).size === 1;
  const isMoved = indentations.some(({ quoted, actual }) => quoted !== actual);
  const isSeen = !hasOtherBlanks || indentations.some(({ quoted, actual }) => quoted !== '' || actual !== '');
  const swapsTabs = indentations.some(({ quoted, actual }) => quoted.includes('\t') !== actual.includes('\t'));
  const isMixed = swapsTabs && mixesTabsAndSpaces(fileText);
  const isSure = isSeen && !isMixed;
  return {
    restoreIndentation: (quoted, body) => {
      const real = isSure || quoted === '' ? restoreIndentation(quoted, body) : undefined;
      return real !== undefined && ODD_BLANK.test(real) && !ODD_BLANK.test(fileText) ? undefined : real;
    },
    restoreText: (text) => evidence.restore(text),
    restoreTrailing: (trailing, body) => {
      // New text has only the blanks at its end that the model wrote, unless the quote lost those of all blank lines.
      if (trailing === '') return body === '' && losesBlanks ? undefined : '';
      const real = (body === '' ? trailings.blank : trailings.solid).get(trailing);
      if (body === '' && !real) {
        const ofSolid = trailings.solid.get(trailing);
        const isAdded = ofSolid?.size === 1 && ofSolid.has('');
        if (isMoved || (addsTrailing && !isAdded)) return undefined;
      }
      // The model writes other blanks on blank lines, so those at the end of others may be its own too.
      if (hasOtherBlanks && body !== '' && !real) return undefined;
      // The file has lines that end so, or the model adds other blanks everywhere, or none to lines that are not blank.
      if (addsTrailing && body !== '' && (endsSo(trailing) || (!real && addsAlways) || addsToBlankOnly))
        return undefined;
      // If some lines of the file end with spaces, a new line may be meant to end so too.
      if (addsTrailing && body !== '' && hasTrailing) {
        const [only] = real?.size === 1 ? real : [];
        return only === '' || only === trailing ? only : undefined;
      }
      if (real) return real.size === 1 ? [...real][0] : real.has('') ? '' : undefined;
      return addsTrailing ? '' : trailing;
    },
    isMixed,
    isTrailingAdded: (trailing) => [...(trailings.solid.get(trailing) ?? [])].some((real) => real !== trailing),
    keepsEntities,
    losesAlignment: (actual) => evidence.losesAlignment(actual),
    changesBlanks: (quoted, wanted) => evidence.changesBlanks(quoted, wanted),
    isAlignedAgain: (lines) => evidence.isAlignedAgain(lines),
    isStretched: evidence.isStretched,
    sameElsewhere: (line) => {
      const [real, other] = versions.get(line) ?? [];
      if (real === undefined || other !== undefined || line.trim() === '') return undefined;
      // A line that the edit adds does not get the blanks at the end that an equal line of the file has.
      const isAdded = (counts.fresh.get(line) ?? 0) > (counts.old.get(line) ?? 0);
      return isAdded && real.trimEnd() === line.trimEnd() ? undefined : real;
    },
    isOneOfSeveral: (line) => (versions.get(line)?.size ?? 0) > 1 && counts.fresh.get(line) !== counts.old.get(line),
    misquoted,
  };
}

/** How often each line occurs. */
function countsOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Blanks that editors show as spaces and compilers do not take for them. */
const ODD_BLANK = /[\u00A0\u202F\u2009]/;

const ENTITY = /&#?\w+;/;

/** Fewer lines may have the same blanks by chance. */
const MIN_ALWAYS = 6;

/** The blanks at the ends of the lines of a text that are not blank. */
function trailingsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\S([ \t]+)\r?$/gm)].map(([, trailing = '']) => trailing));
}

/** In such a file the meaning of another indentation is unclear. Spaces before a star do not count. */
function mixesTabsAndSpaces(text: string): boolean {
  return /^\t+ {2,}[^\s*]/m.test(text) || (/^\t/m.test(text) && /^ {2,}[^\s*]/m.test(text));
}

function restoreLine(line: string, ways: Ways, restoreText: (text: string) => string | undefined): string | undefined {
  const { indentation, body, trailing } = partsOf(line);
  const parts = [
    body === '' ? '' : ways.restoreIndentation(indentation, body),
    restoreText(body),
    ways.restoreTrailing(trailing, body),
  ];
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** Whether the file's blanks may not stay: the quote has none or the same, or the new line has those that the quote adds to them. */
function mayReplaceBlanks(quoted: string, real: string, wanted: string): boolean {
  return quoted === '' || quoted === real || quoted === real + wanted;
}

function mergeParts(
  { oldLines, actual, actualOf }: QuotedPlace,
  oldIndex: number,
  line: string,
  ways: Ways,
  restoreText: (text: string) => string | undefined,
): string | undefined {
  const quoted = partsOf(oldLines[oldIndex] ?? '');
  const real = partsOf(actual[actualOf[oldIndex] ?? -1]?.text ?? '');
  const wanted = partsOf(line);
  const isUnclear =
    ways.losesAlignment(real.body) ||
    ways.changesBlanks(quoted.body, wanted.body) ||
    (ways.keepsEntities && ENTITY.test(wanted.body));
  if (wanted.body !== quoted.body && isUnclear) return undefined;
  const parts = [
    wanted.indentation === quoted.indentation
      ? ways.isMixed && wanted.body !== quoted.body && quoted.indentation !== real.indentation
        ? undefined
        : real.indentation
      : ways.restoreIndentation(wanted.indentation, wanted.body),
    mergeLine({ quoted: quoted.body, wanted: wanted.body, actual: real.body }, restoreText),
    wanted.trailing === quoted.trailing || wanted.trailing === real.trailing
      ? real.trailing
      : wanted.trailing !== '' && real.trailing !== ''
        ? mayReplaceBlanks(quoted.trailing, real.trailing, wanted.trailing) || ways.isTrailingAdded(wanted.trailing)
          ? undefined
          : real.trailing
        : ways.restoreTrailing(wanted.trailing, wanted.body),
  ];
  return parts.includes(undefined) ? undefined : parts.join('');
}
