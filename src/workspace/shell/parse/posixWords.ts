import type { Reading, Token } from './analysis';

/**
 * Reads the part of POSIX shell that means the same everywhere: literal words, `&& || ; |`, and the few redirects that
 * touch no file. Whatever else it meets, it names and gives up. `command` holds one line without control characters.
 * Source for quoting: "Quoting" in the Bash reference manual and in POSIX.1 XCU 2.2.
 */
export function readPosixWords(command: string): Reading {
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
    const redirect = HARMLESS_REDIRECT.exec(rest)?.[0];
    const operator = OPERATOR.exec(rest)?.[0];
    if (redirect !== undefined) {
      index += redirect.length;
      tokens.push({ kind: 'redirect', text: redirect, start, end: index });
    } else if (operator !== undefined) {
      index += operator.length;
      tokens.push({ kind: 'operator', text: operator, start, end: index });
    } else {
      const word = readWord(command, start);
      if (typeof word === 'string') return { ok: false, reason: word };
      index = word.end;
      tokens.push(word);
    }
  }
  return { ok: true, tokens };
}

/** Standard output and error to each other or to nowhere, as a word of its own: no file is touched. */
const HARMLESS_REDIRECT = /^(?:[12]?>[ \t]*\/dev\/null|2>&1|1?>&2)(?=[ \t;]|&&|\||$)/;
/** A single `&` and `|&` are none of these. */
const OPERATOR = /^(?:&&|\|\||;(?!;)|\|(?!&))/;

/** Without quotes these stand for themselves in every position of an argument. */
const BARE = /[A-Za-z0-9_./:=@%+,^-]/;
const ALPHANUMERIC = /[A-Za-z0-9]/;

/** The word that starts at `start`, or why there is none. */
function readWord(command: string, start: number): Token | string {
  let text = '';
  let index = start;
  while (index < command.length) {
    const character = command.charAt(index);
    if (character === ' ' || character === '\t' || /[;|&]/.test(character)) break;
    if (character === "'") {
      const end = command.indexOf("'", index + 1);
      if (end < 0) return 'a quote is not closed';
      text += command.slice(index + 1, end);
      index = end + 1;
    } else if (character === '"') {
      const quoted = readDoubleQuoted(command, index);
      if (typeof quoted === 'string') return quoted;
      text += quoted.text;
      index = quoted.end;
    } else if (character === '\\') {
      const escaped = command.charAt(index + 1);
      if (escaped === '') return 'it ends in a backslash';
      if (escaped > '\u007e') return 'it has a backslash before a character that is not ASCII';
      text += escaped;
      index += 2;
    } else if (BARE.test(character)) {
      text += character;
      index += 1;
    } else if (character === '~' && index > start && ALPHANUMERIC.test(command.charAt(index - 1))) {
      // As in HEAD~1. At the start of a word, and after = or :, it would become a home folder.
      text += character;
      index += 1;
    } else {
      return whyNotBare(character);
    }
  }
  if (index === start) return whyNotBare(command.startsWith('&>', start) ? '>' : command.charAt(start));
  return { kind: 'word', text, start, end: index };
}

function readDoubleQuoted(command: string, start: number): { readonly text: string; readonly end: number } | string {
  let text = '';
  for (let index = start + 1; index < command.length; index += 1) {
    const character = command.charAt(index);
    if (character === '"') return { text, end: index + 1 };
    if (character === '$' || character === '`' || character === '!') return whyNotBare(character);
    if (character === '\\' && /[$`"\\]/.test(command.charAt(index + 1))) {
      text += command.charAt(index + 1);
      index += 1;
    } else {
      text += character;
    }
  }
  return 'a quote is not closed';
}

function whyNotBare(character: string): string {
  if (character > '\u007e') return 'it has characters outside quotes that are not ASCII';
  return REASONS[character] ?? `it contains ${character}`;
}

const REASONS: Readonly<Record<string, string>> = {
  $: 'it contains $, which is replaced when it runs',
  '`': 'it contains a command in backticks',
  '*': 'it contains a file pattern (*)',
  '?': 'it contains a file pattern (?)',
  '[': 'it contains a file pattern or test ([)',
  ']': 'it contains a file pattern or test (])',
  '{': 'it contains a brace expression or group',
  '}': 'it contains a brace expression or group',
  '(': 'it contains a subshell or function',
  ')': 'it contains a subshell or function',
  '<': 'it reads from a redirect',
  '>': 'it writes through a redirect',
  '&': 'it starts something in the background',
  '|': 'it joins commands in a way that is not analysed',
  ';': 'it joins commands in a way that is not analysed',
  '~': 'it contains ~, which becomes a home folder',
  '!': 'it contains !',
  '#': 'it contains a comment',
};
