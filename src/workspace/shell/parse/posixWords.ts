import * as l10n from '../../../util/l10n';
import { once } from '../../../util/lazy';
import { uncheckable, uncheckableCharacter } from '../commandReasons';
import type { Reading, Token } from './analysis';

export interface WordOptions {
  readonly platform?: NodeJS.Platform | undefined;
  /** Accepts file patterns, as `wildcards` of a word. Otherwise they fail. */
  readonly allowsPatterns?: boolean | undefined;
  /** Accepts `if`, groups, `!` and `[[ … ]]`, as tokens of their own. Otherwise they fail. */
  readonly allowsKeywords?: boolean | undefined;
}

/**
 * Reads the part of POSIX shell that means the same everywhere: literal words, `&& || ; |`, tests in single brackets, and
 * redirects that touch no file. Fails at anything else. `command` is one line without control characters.
 * Source: "Quoting" and "Pattern Matching" in the Bash reference manual and in POSIX.1 XCU 2.2 and 2.13.
 */
export function readPosixWords(command: string, options: WordOptions = {}): Reading {
  const tokens: Token[] = [];
  let index = 0;
  while (index < command.length) {
    const start = index;
    const rest = command.slice(start);
    const character = rest.charAt(0);
    if (character === ' ' || character === '\t') {
      index += 1;
      continue;
    }
    const keyword = options.allowsKeywords ? readKeyword(rest, tokens.at(-1)) : undefined;
    const redirect = HARMLESS_REDIRECT.exec(rest)?.[0];
    const operator = OPERATOR.exec(rest)?.[0];
    if (keyword !== undefined) {
      index += keyword.length;
      tokens.push({ kind: 'keyword', text: keyword, start, end: index });
    } else if (redirect !== undefined) {
      index += redirect.length;
      tokens.push({ kind: 'redirect', text: redirect, start, end: index });
    } else if (operator !== undefined) {
      index += operator.length;
      tokens.push({ kind: 'operator', text: operator, start, end: index });
    } else if (/^<(?![<(&>])/.test(rest)) {
      const gap = /^<[ \t]*/.exec(rest)?.[0].length ?? 1;
      const word = readWord(command, start + gap, { ...options, allowsPatterns: false });
      if (typeof word === 'string') return { ok: false, reason: word };
      if (word.hasShown) return { ok: false, reason: uncheckableCharacter(word.text) };
      index = word.end;
      tokens.push({ kind: 'input', text: word.text, start, end: index });
    } else {
      const word = readTestWord(command, start, tokens, options) ?? readWord(command, start, options);
      if (typeof word === 'string') return { ok: false, reason: word };
      index = word.end;
      tokens.push(word);
    }
  }
  return { ok: true, tokens };
}

/** Sends standard output and error to each other or to nowhere. Touches no file. */
const HARMLESS_REDIRECT = /^(?:[12]?>[ \t]*\/dev\/null|2>&1|1?>&2)(?=[ \t;)]|&&|\||$)/;
/** Not a single `&`, and not `|&`. */
const OPERATOR = /^(?:&&|\|\||;(?!;)|\|(?!&))/;

/** Where a call can begin, these are no names of programs. Not `((`, which is arithmetic. */
const KEYWORD = /^(?:(?:if|then|elif|else|fi|\{|\}|!)(?=[ \t;&|)]|$)|\((?!\())/;
const CLOSING = /^(?:fi|[)}])$/;

/** `before`: the token before the place where `rest` begins. */
function readKeyword(rest: string, before: Token | undefined): string | undefined {
  const isClosed = before?.kind === 'keyword' && CLOSING.test(before.text);
  if (rest.startsWith(')')) return before && (before.kind !== 'keyword' || isClosed) ? ')' : undefined;
  const isStart = before === undefined || before.kind === 'operator' || (before.kind === 'keyword' && !isClosed);
  return isStart ? KEYWORD.exec(rest)?.[0] : undefined;
}

/** These characters are literal anywhere in an argument, even without quotes. */
const BARE = /[A-Za-z0-9_./:=@%+,^-]/;
const ALPHANUMERIC = /[A-Za-z0-9]/;
/** A set of characters and ranges. Quotes, classes such as `[:alpha:]` and `^` mean different things in different shells. */
const BRACKETS = /^\[!?[A-Za-z0-9_.][A-Za-z0-9_.-]*\]/;

/**
 * A word of a test. `[ -f x ]` is a call of the program `[`, whose last argument is `]`. Behind the name of a call, `!` and
 * `!=` are literal: only interactive shells replace them. `before`: the tokens before `start`.
 */
function readTestWord(
  command: string,
  start: number,
  before: readonly Token[],
  { allowsKeywords }: WordOptions,
): Token | undefined {
  const text = /^(?:\[\[?(?=[ \t]|$)|\]\]?(?=[ \t;&|)]|$)|!=?(?=[ \t]))/.exec(command.slice(start))?.[0];
  if (text === undefined || (text.length === 2 && text !== '!=' && !allowsKeywords)) return undefined;
  const call = before.slice(before.findLastIndex(({ kind }) => kind === 'operator' || kind === 'keyword') + 1);
  const name = call.find(({ kind }) => kind === 'word');
  const opening = text.replaceAll(']', '[');
  const isInBrackets = name?.text === opening && name.end - name.start === opening.length;
  const isOpening = text.startsWith('[');
  if (isOpening ? call.length > 0 : text.startsWith(']') ? !isInBrackets : name === undefined) return undefined;
  return { kind: 'word', text, start, end: start + text.length };
}

/** The word that starts at `start`, or the reason why there is none. */
function readWord(
  command: string,
  start: number,
  { platform = process.platform, allowsPatterns = false, allowsKeywords = false }: WordOptions,
): Token | string {
  const wildcards: number[] = [];
  let hasShown = false;
  let text = '';
  let index = start;
  while (index < command.length) {
    const character = command.charAt(index);
    if (character === ' ' || character === '\t' || /[;|&]/.test(character)) break;
    if (allowsKeywords && character === ')' && index > start) break;
    if (character === "'") {
      const end = command.indexOf("'", index + 1);
      if (end < 0) return uncheckable.openQuote;
      text += command.slice(index + 1, end);
      index = end + 1;
    } else if (character === '"') {
      const quoted = readDoubleQuoted(command, index);
      if (typeof quoted === 'string') return quoted;
      text += quoted.text;
      hasShown ||= quoted.hasShown;
      index = quoted.end;
    } else if (command.startsWith('$?', index)) {
      text += '$?';
      hasShown = true;
      index += 2;
    } else if (character === '\\') {
      const escaped = command.charAt(index + 1);
      if (escaped === '') return l10n.t('it ends with a backslash');
      if (escaped > '\u007e') return l10n.t('it has a backslash before a character that is not ASCII');
      text += escaped;
      index += 2;
    } else if (BARE.test(character)) {
      text += character;
      index += 1;
    } else if (allowsPatterns && /[*?[]/.test(character)) {
      const wildcard = character === '[' ? BRACKETS.exec(command.slice(index))?.[0] : character;
      if (wildcard === undefined) return uncheckableCharacter(command.slice(index));
      wildcards.push(text.length);
      text += wildcard;
      index += wildcard.length;
    } else if (character === '~' && index > start && ALPHANUMERIC.test(command.charAt(index - 1))) {
      // HEAD~1 is literal. At the start of a word, and after `=` or `:`, `~` means a home folder.
      text += character;
      index += 1;
    } else if (character > '\u007e' && isLetter(command, index, platform)) {
      const letter = String.fromCodePoint(command.codePointAt(index) ?? 0);
      text += letter;
      index += letter.length;
    } else {
      return uncheckableCharacter(command.slice(index));
    }
  }
  if (index === start) return uncheckableCharacter(command.slice(command.startsWith('&>', start) ? start + 1 : start));
  return {
    kind: 'word',
    text,
    start,
    end: index,
    ...(wildcards.length > 0 && { wildcards }),
    ...(hasShown && { hasShown }),
  };
}

/**
 * `$?` and `$PWD` between double quotes: a number and the folder, so both are harmless where they are only shown. `''`: neither
 * is there. Without quotes, a folder such as `a /etc/*` would be split, and its pattern replaced.
 */
function shownAt(command: string, index: number): string {
  return /^\$(?:\?|PWD(?!\w))/.exec(command.slice(index, index + 5))?.[0] ?? '';
}

/** A letter or digit beyond ASCII. On macOS, bash takes the bytes 0x85 and 0xA0 for blanks, even inside of a letter. */
function isLetter(command: string, index: number, platform: NodeJS.Platform): boolean {
  const letter = String.fromCodePoint(command.codePointAt(index) ?? 0);
  if (!partOfWord().test(letter)) return false;
  return platform !== 'darwin' || !Buffer.from(letter).some((byte) => byte === 0x85 || byte === 0xa0);
}

const partOfWord = once(() => new RegExp(String.raw`[\p{L}\p{M}\p{N}]`, 'u'));

function readDoubleQuoted(
  command: string,
  start: number,
): { readonly text: string; readonly end: number; readonly hasShown: boolean } | string {
  let hasShown = false;
  let text = '';
  for (let index = start + 1; index < command.length; index += 1) {
    const character = command.charAt(index);
    if (character === '"') return { text, end: index + 1, hasShown };
    const isShown = shownAt(command, index) !== '';
    hasShown ||= isShown;
    // Between a text and the closing quote, `$` names nothing: every shell takes it as it is.
    const isLastDollar = character === '$' && text !== '' && command.charAt(index + 1) === '"';
    if (/[$`!]/.test(character) && !isLastDollar && !isShown) return uncheckableCharacter(command.slice(index));
    if (character === '\\' && /[$`"\\]/.test(command.charAt(index + 1))) {
      text += command.charAt(index + 1);
      index += 1;
    } else {
      text += character;
    }
  }
  return uncheckable.openQuote;
}
