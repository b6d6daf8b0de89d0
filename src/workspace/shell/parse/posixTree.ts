import * as l10n from '../../../util/l10n';
import type { Node } from '@vscode/tree-sitter-wasm';
import { uncheckable } from '../commandReasons';
import type { Reading, Token } from './analysis';
import { isInertAssignment } from './inertAssignment';

/** The tokens of a plain command line by bash's grammar, or the reason why it is not plain. */
export function readPosixTree(root: Node): Reading {
  const tokens: Token[] = [];
  const reason = readStatement(root, tokens);
  return reason === undefined ? { ok: true, tokens } : { ok: false, reason };
}

/** Every call in the tree. Words that are not literal are as written. */
export function findPosixCalls(root: Node): readonly (readonly string[])[] {
  return root
    .descendantsOfType(['command', 'declaration_command', 'unset_command', 'test_command'])
    .filter((node) => node !== null)
    .map((command) => wordsOf(command));
}

function wordsOf(call: Node): readonly string[] {
  // Before the name of a program, an assignment is no word of the call. Behind `export` it is one.
  const isWord = call.type === 'command' ? /^(?!variable_assignment$|\w*redirect$)/ : /^(?!\w*redirect$)/;
  return call.children
    .filter((node) => node !== null && isWord.test(node.type))
    .flatMap((node) => {
      if (/^(?:unary|binary)_expression$/.test(node!.type)) return wordsOf(node!);
      const text = (part: Node | null): string => (part && decode(part)?.text) ?? part?.text ?? '';
      return [node!.type === 'variable_assignment' ? node!.children.map(text).join('') : text(node)];
    });
}

function readStatement(node: Node, tokens: Token[]): string | undefined {
  if (node.isError || node.isMissing) return uncheckable.unparsed;
  switch (node.type) {
    case 'program':
    case 'list':
    case 'pipeline':
    case 'redirected_statement':
    case 'if_statement':
    case 'elif_clause':
    case 'else_clause':
    case 'compound_statement':
    case 'subshell':
    case 'negated_command':
      return readAll(node.children, tokens, readStatement);
    case 'command':
      return readAll(node.children, tokens, readWord);
    case 'test_command':
      return isBracketTest(node) ? readAll(node.children, tokens, readTest) : describe(node);
    case '&&':
    case '||':
    case ';':
    case '|':
      tokens.push({ kind: 'operator', text: node.type, start: node.startIndex, end: node.endIndex });
      return undefined;
    case 'if':
    case 'then':
    case 'elif':
    case 'else':
    case 'fi':
    case '{':
    case '}':
    case '(':
    case ')':
    case '!':
      tokens.push({ kind: 'keyword', text: node.type, start: node.startIndex, end: node.endIndex });
      return undefined;
    case 'file_redirect':
      if (node.firstChild?.text === '<' && node.childCount === 2) return readInput(node, tokens);
      tokens.push({ kind: 'redirect', text: node.text, start: node.startIndex, end: node.endIndex });
      return undefined;
    default:
      return describe(node);
  }
}

/** `< file`, whose name is literal. */
function readInput(node: Node, tokens: Token[]): string | undefined {
  const [, file] = node.children;
  const word = file ? decode(file) : undefined;
  if (word === undefined || word.wildcards.length > 0 || word.hasShown) return describe(node);
  tokens.push({ kind: 'input', text: word.text, start: node.startIndex, end: node.endIndex });
  return undefined;
}

/** `[ … ]` and `[[ … ]]`. Not `(( … ))`, which evaluates its words. */
function isBracketTest({ firstChild, lastChild }: Node): boolean {
  return /^\[\[?$/.test(firstChild?.text ?? '') && firstChild?.text.replaceAll('[', ']') === lastChild?.text;
}

/** A piece of a test. The grammar nests its operators and operands, but they are plain words of one call. */
function readTest(node: Node, tokens: Token[]): string | undefined {
  if (node.isError || node.isMissing) return uncheckable.unparsed;
  if (/^(?:unary|binary)_expression$/.test(node.type)) return readAll(node.children, tokens, readTest);
  // After `==` and `!=` the grammar expects a pattern.
  const isPattern = node.type === 'extglob_pattern' && node.childCount === 0;
  if (isPattern) return pushWord(node, decodeBare(node.text), tokens);
  return TEST_SIGN.test(node.type)
    ? pushWord(node, { text: node.text, wildcards: [] }, tokens)
    : readWord(node, tokens);
}

const TEST_SIGN = /^(?:test_operator|\[\[?|\]\]?|!|==?|!=)$/;

function readAll(
  nodes: readonly (Node | null)[],
  tokens: Token[],
  read: (node: Node, tokens: Token[]) => string | undefined,
): string | undefined {
  for (const node of nodes) {
    const reason = node === null ? uncheckable.unparsed : read(node, tokens);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function readWord(node: Node, tokens: Token[]): string | undefined {
  if (node.type === 'file_redirect') return readStatement(node, tokens);
  if (node.type === 'variable_assignment' && isInertAssignment(node.text))
    return pushWord(node, { text: node.text, wildcards: [] }, tokens);
  const word = decode(node);
  return word === undefined ? describe(node) : pushWord(node, word, tokens);
}

function pushWord(node: Node, { text, wildcards, hasShown }: Decoded, tokens: Token[]): undefined {
  tokens.push({
    kind: 'word',
    text,
    start: node.startIndex,
    end: node.endIndex,
    ...(wildcards.length > 0 && { wildcards }),
    ...(hasShown && { hasShown }),
  });
}

/** The text of a word, if it is literal and no file pattern. */
export function literalWord(node: Node): string | undefined {
  const word = decode(node);
  return word === undefined || word.wildcards.length > 0 || word.hasShown ? undefined : word.text;
}

interface Decoded {
  readonly text: string;
  /** See `Token`. */
  readonly wildcards: readonly number[];
  /** See `Token`. */
  readonly hasShown?: true | undefined;
}

/** The text of a word; `undefined` if the shell would replace a part of it, except by file names. */
function decode(node: Node): Decoded | undefined {
  if (node.isError || node.isMissing) return undefined;
  switch (node.type) {
    case 'command_name':
    case 'concatenation': {
      let text = '';
      const wildcards: number[] = [];
      let hasShown = false;
      let end = node.startIndex;
      for (const child of node.children) {
        const part = child === null || child.startIndex !== end ? undefined : decode(child);
        if (part === undefined) return undefined;
        const before = text.length;
        wildcards.push(...part.wildcards.map((offset) => before + offset));
        text += part.text;
        hasShown ||= part.hasShown === true;
        end = child!.endIndex;
      }
      return end === node.endIndex ? { text, wildcards, ...(hasShown && { hasShown }) } : undefined;
    }
    case 'word':
    case 'number':
      return node.childCount === 0 ? decodeBare(node.text) : undefined;
    case 'raw_string':
      return { text: node.text.slice(1, -1), wildcards: [] };
    case 'string': {
      // A bare `$` is one before the closing quote.
      const parts = node.children.filter((child) => child === null || !isShown(child));
      const isLiteral = parts.every((child) => /^(?:"|string_content|\$)$/.test(child?.type ?? ''));
      const hasShown = parts.length < node.childCount;
      const text = node.text.slice(1, -1).replaceAll(/\\([$`"\\])/g, '$1');
      return isLiteral ? { text, wildcards: [], ...(hasShown && { hasShown }) } : undefined;
    }
    case 'simple_expansion':
      return node.text === '$?' ? { text: node.text, wildcards: [], hasShown: true } : undefined;
    default:
      return undefined;
  }
}

/** Between double quotes. See `shownAt`. */
function isShown(node: Node): boolean {
  return node.type === 'simple_expansion' && (node.text === '$?' || node.text === '$PWD');
}

function decodeBare(written: string): Decoded {
  const wildcards: number[] = [];
  let text = '';
  for (const piece of written.match(/\\.|[^]/gu) ?? []) {
    if (/^[*?[]$/.test(piece)) wildcards.push(text.length);
    text += piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece;
  }
  return { text, wildcards };
}

function describe({ type }: Node): string {
  const named = type.replaceAll('_', ' ');
  return /^[a-z ]+$/.test(named)
    ? /^[aeiou]/.test(named)
      ? l10n.t('it contains an {0}', named)
      : l10n.t('it contains a {0}', named)
    : l10n.t('it contains {0}', type);
}
