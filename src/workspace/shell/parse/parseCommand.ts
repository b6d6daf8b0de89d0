import * as l10n from '../../../util/l10n';
import type { CommandAnalysis, CommandPart, OpaqueAnalysis, Reading, Separator, ShellName, Token } from './analysis';
import { findUnreadable } from './unreadableCharacters';
import { isInertAssignment } from './inertAssignment';
import type { Grammars } from './grammars';
import { findPosixCalls, readPosixTree } from './posixTree';
import { readPosixWords } from './posixWords';
import { findPowershellCalls, readPowershellTree } from './powershellTree';
import { readPowershellWords } from './powershellWords';
import { uncheckable, uncheckableCharacter } from '../commandReasons';
import { findUnanalysableName } from './shellBuiltins';
import { messageOf } from '../../../util/errors';

/** A person cannot be expected to check more calls one by one. */
const MAX_PARTS = 40;
const MAX_SPELLED_OUT_PARTS = 1000;
/** More blanks at the end could hide something from a person. */
const MAX_BLANKS = 100;
/** In longer commands not even forbidden calls are looked for. */
const MAX_PARSED_LENGTH = 100_000;

export interface ParseOptions {
  /** It stands for a shorter command, and no person has to check it. So it may be long. */
  readonly isSpelledOut?: boolean | undefined;
}

/**
 * Finds out what a command line will run, without running anything. Two independent readers, a grammar and a strict word
 * reader, must agree on each word, operator and offset. Otherwise, or if a word is not literal, the command is `opaque`.
 * Never rejects: a grammar that cannot be loaded makes every command opaque.
 */
export async function parseCommand(
  text: string,
  shell: ShellName,
  grammars: Grammars,
  { isSpelledOut = false }: ParseOptions = {},
): Promise<CommandAnalysis> {
  // Blanks and line ends after the last word change nothing.
  const command = shell === 'cmd' ? text : text.replace(/[ \t\n]+$/, '');
  const unreadable = findUnreadable(text.length > command.length + MAX_BLANKS ? text : command, { isSpelledOut });
  if (shell === 'cmd') return unreadable === undefined ? parseCmd(command) : opaque(unreadable);
  if (command.length > MAX_PARSED_LENGTH) return opaque(unreadable ?? l10n.t('it is too long'));
  const isPowershell = shell === 'powershell';
  try {
    const grammar = await grammars.load(isPowershell ? 'powershell' : 'bash');
    return grammar.parse(command, (root) => {
      const seen = isPowershell ? findPowershellCalls(root) : findPosixCalls(root);
      if (unreadable !== undefined) return opaque(unreadable, seen);
      const words = isPowershell
        ? readPowershellWords(command)
        : readPosixWords(command, { allowsPatterns: true, allowsKeywords: true });
      if (!words.ok) return opaque(words.reason, seen);
      if (root.hasError) return opaque(uncheckable.unparsed, seen);
      const tree = isPowershell ? readPowershellTree(root) : readPosixTree(root);
      return compare(words, tree, { command, shell, seen, maxParts: isSpelledOut ? MAX_SPELLED_OUT_PARTS : MAX_PARTS });
    });
  } catch (error) {
    return opaque(l10n.t('its grammar cannot be loaded: {0}', messageOf(error)));
  }
}

function opaque(reason: string, seen: readonly (readonly string[])[] = []): OpaqueAnalysis {
  return { kind: 'opaque', reason, seen };
}

function compare(
  words: Reading & { readonly ok: true },
  tree: Reading,
  {
    command,
    shell,
    seen,
    maxParts,
  }: {
    readonly command: string;
    readonly shell: ShellName;
    readonly seen: readonly (readonly string[])[];
    readonly maxParts: number;
  },
): CommandAnalysis {
  if (!tree.ok) return opaque(tree.reason, seen);
  const isSame =
    words.tokens.length === tree.tokens.length &&
    words.tokens.every((token, index) => isSameToken(token, tree.tokens[index]));
  if (!isSame) return opaque(uncheckable.ambiguous, seen);
  const parts = splitParts(words.tokens, command);
  if (typeof parts === 'string') return opaque(parts, seen);
  if (parts.length > maxParts) return opaque(l10n.t('it consists of {0} commands', parts.length), seen);
  const isFirst = words.tokens.find(({ kind }) => kind === 'word' || kind === 'keyword')?.kind === 'word';
  const folder = shell === 'powershell' || !isFirst ? undefined : findFolder(parts);
  const calls = folder === undefined ? parts : parts.slice(1);
  for (const { argv } of calls) {
    const reason = findUnanalysableName(argv, shell);
    if (reason !== undefined) return opaque(reason, seen);
  }
  const found = { ...(folder !== undefined && { folder }) };
  const pattern = words.tokens.find(({ wildcards }) => wildcards !== undefined);
  if (!pattern) return { kind: 'plain', parts: calls, ...found };
  const reason = uncheckableCharacter(pattern.text.slice(pattern.wildcards?.[0]));
  const patterned = { command, words: words.tokens.filter(({ kind }) => kind === 'word'), ...found };
  return { ...opaque(reason, seen), patterned };
}

/** The folder of a leading `cd folder`, alone or with `&&` after it. `..` depends on how the shell came to its folder. */
function findFolder([first, second]: readonly CommandPart[]): string | undefined {
  const [name, folder = '', ...more] = first?.argv ?? [];
  if (name !== 'cd' || first?.isNamePlain !== true || more.length > 0) return undefined;
  if (first.inputs || first.assignments) return undefined;
  if (/^(?:$|[-~+])|(?:^|\/)\.\.(?:\/|$)/.test(folder)) return undefined;
  return second === undefined || second.separator === '&&' ? folder : undefined;
}

function isSameToken(a: Token, b: Token | undefined): boolean {
  if (b === undefined || a.kind !== b.kind || a.text !== b.text || a.start !== b.start || a.end !== b.end) return false;
  return a.hasShown === b.hasShown && (a.wildcards ?? []).join() === (b.wildcards ?? []).join();
}

/** The calls between the operators. The last operator may be a `;` without a call after it. */
function splitParts(tokens: readonly Token[], command: string): readonly CommandPart[] | string {
  const parts: CommandPart[] = [];
  let separator: Separator = '';
  let call: Token[] = [];
  let inputs: string[] = [];
  let assignments: string[] = [];
  const isGrouped = tokens.some(({ kind }) => kind === 'keyword');
  let depth = 0;
  let isFirstInside = true;
  let isClosed = false;
  const finish = (): boolean => {
    const [name] = call;
    if (!name) return false;
    const isUsual = /^(?:[A-Za-z0-9_./\\:+-]+|\[\[?)$/.test(name.text);
    const isNamePlain = isUsual && command.slice(name.start, name.end) === name.text;
    parts.push({
      argv: call.map(({ text }) => text),
      separator,
      isNamePlain,
      ...(inputs.length > 0 && { inputs }),
      ...(assignments.length > 0 && { assignments }),
      ...(isGrouped && { isGrouped }),
      ...(depth > 0 && !isFirstInside && { isInner: true }),
    });
    isFirstInside = false;
    call = [];
    inputs = [];
    assignments = [];
    return true;
  };
  for (const token of tokens) {
    // After `fi` or a group comes an operator, a redirect or another end.
    if (isClosed && (token.kind === 'word' || token.kind === 'input')) return uncheckable.unparsed;
    if (token.kind === 'keyword') {
      const isClosing = /^(?:fi|[)}])$/.test(token.text);
      if (token.text === ')' && !isClosed) finish();
      if (call.length > 0 || assignments.length > 0 || (isClosed && token.text !== ')')) return uncheckable.unparsed;
      isClosed = isClosing;
      if (isClosing) depth -= 1;
      else if (/^(?:if|[({])$/.test(token.text)) depth += 1;
      if (depth < 0) return uncheckable.unparsed;
    } else if (token.kind === 'word') {
      if (call.length === 0 && isInertAssignment(command.slice(token.start, token.end))) {
        assignments.push(token.text);
        continue;
      }
      // For other programs than echo it could be a file or an option.
      if (token.hasShown && (token.wildcards || call[0]?.text !== 'echo'))
        return uncheckableCharacter(token.text.slice(token.text.indexOf('$')));
      // `[[` matches patterns with texts, not with files.
      if (token.wildcards && call[0]?.text === '[[') return uncheckableCharacter(token.text.slice(token.wildcards[0]));
      if (call.length === 0 && /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(token.text)) return uncheckable.setsVariable;
      // A program that a pattern names, and an assignment to an element (`a[0]=1`).
      if (call.length === 0 && token.wildcards) return uncheckableCharacter(token.text.slice(token.wildcards[0]));
      call.push(token);
    } else if (token.kind === 'input') {
      if (call.length === 0) return uncheckableCharacter('<');
      inputs.push(token.text);
    } else if (token.kind === 'operator') {
      if (!isClosed && !finish()) return uncheckable.missingCommand;
      separator = token.text as Separator;
      isClosed = false;
      if (depth === 0) isFirstInside = true;
    }
  }
  if (depth !== 0) return uncheckable.unparsed;
  if (!isClosed && !finish() && separator !== ';') return uncheckable.missingCommand;
  return parts;
}

/** For cmd there is no grammar to compare with, and it rewrites most characters. So only one call of bare words is plain. */
function parseCmd(command: string): CommandAnalysis {
  const words = command.trim().split(/[ \t]+/);
  const strange = words.find((word) => !/^[A-Za-z0-9_./\\:+-]+$/.test(word));
  if (strange !== undefined) return opaque(l10n.t('it contains `{0}`, which cmd may change', strange));
  const reason = findUnanalysableName(words, 'cmd');
  return reason === undefined
    ? { kind: 'plain', parts: [{ argv: words, separator: '', isNamePlain: true }] }
    : opaque(reason);
}
