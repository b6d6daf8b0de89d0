import * as l10n from '../../../util/l10n';
import { uncheckable } from '../commandReasons';
import type { Reading, Token } from './analysis';

/**
 * Reads the part of PowerShell that passes words on unchanged: ASCII, bare words and whole quoted words, joined by
 * `&& || ; |`. Fails at words that PowerShell splits or drops: `-a.b`, `''`, `--`, quotes and final backslashes in quotes.
 * Source: "about_Parsing" and "about_Quoting_Rules".
 */
export function readPowershellWords(command: string): Reading {
  const tokens: Token[] = [];
  let index = 0;
  while (index < command.length) {
    const start = index;
    const rest = command.slice(start);
    const blanks = /^[ \t]+/.exec(rest)?.[0];
    if (blanks !== undefined) {
      index += blanks.length;
      continue;
    }
    const operator = /^(?:&&|\|\||;|\|)/.exec(rest)?.[0];
    if (operator !== undefined) {
      index += operator.length;
      tokens.push({ kind: 'operator', text: operator, start, end: index });
      continue;
    }
    const written = WORD.exec(rest)?.[0];
    if (written === undefined) return { ok: false, reason: whyNot(rest) };
    const isQuoted = /^['"]/.test(written);
    const text = isQuoted ? written.slice(1, -1) : written;
    const problem = isQuoted ? findQuotedProblem(text) : findBareProblem(text);
    if (problem !== undefined) return { ok: false, reason: problem };
    index += written.length;
    tokens.push({ kind: 'word', text, start, end: index });
  }
  return { ok: true, tokens };
}

/** A word ends at a blank, an operator or the end. */
const WORD = /^(?:'[^']*'|"[^"$`]*"|[A-Za-z0-9_./\\:=+^~-]+)(?=[ \t;|]|&&|$)/;

function findQuotedProblem(text: string): string | undefined {
  // eslint-disable-next-line no-control-regex
  if (/[^\u0000-\u007f]/.test(text)) return notAscii();
  if (text === '') return l10n.t('it contains an empty word, which PowerShell may drop');
  if (text.includes('"') || text.endsWith('\\'))
    return l10n.t('it contains quotes that PowerShell may pass on differently');
  return undefined;
}

function findBareProblem(text: string): string | undefined {
  if (/(?<![A-Za-z0-9])~/.test(text)) return uncheckable.homeFolder;
  if (/^-.*[.:]/.test(text)) return l10n.t('it contains a parameter that PowerShell may split');
  return undefined;
}

const notAscii = (): string =>
  l10n.t('it contains characters that are not ASCII, and PowerShell reads some of them as quotes or dashes');

function whyNot(rest: string): string {
  // eslint-disable-next-line no-control-regex
  if (/[^\u0000-\u007f]/.test(rest)) return notAscii();
  const found = /[$`@(){}<>&#%*?,!'"[\]]/.exec(rest)?.[0];
  return found === undefined
    ? uncheckable.unparsed
    : l10n.t('it contains `{0}`, which PowerShell does not take literally', found);
}
